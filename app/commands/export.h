/* State that the parts of `export` share during one run. */
#pragma once

#include "commands/command.h"
#include "formats/format.h"

#include <stdatomic.h>

typedef struct Picture {
    size_t step;
    const char *path; /* without the extension */
} Picture;

/* An export. One lesson after the other is read, written and freed, so that any number
 * can be exported. Threads share its pictures: they take them from `next` until one has
 * `failed`, and its error is reported. */
typedef struct Export {
    Course *course;
    const CommandLine *line;
    const Theme *theme;
    Sheet *sheets[THREADS_MAX];  /* one a thread, once it has had a picture */
    bool presents;               /* pages of the present format are in presented type */
    const Format *format_of_all; /* of the one file for all lessons, or NULL */
    Deck *decks_of_all[2]; /* the one file for all lessons, if any, and that of its key */
    DeckHead head_of_all;
    size_t all_pictures, all_lessons;
    bool cut_short; /* by what no other lesson would do better with */
    bool shows_progress;
    Arena *arena; /* all that follows: the present lesson's */
    Lesson *lesson;
    const char *needs; /* that it builds on */
    bool redrawn;      /* its numbers differ from the file's */
    bool is_empty;     /* it has nothing that a worksheet could ask */
    Player player;
    size_t picture_count;
    Picture *pictures;
    atomic_size_t next, done;
    atomic_bool failed;
    Error error; /* the first */
} Export;

/* Sets ERROR_MEMORY: "there is no memory to export that much". */
#define EXPORT_MUCH "to export that much"
bool export_no_memory(Error *error);

/* The sheet of a thread. NULL with ERROR_FILE, ERROR_MEMORY. */
Sheet *export_sheet(Export *export, size_t thread, Error *error);

/* Shows the progress of the present lesson on a terminal; a count of 0 removes it. */
void export_show_progress(const Export *export, size_t done, size_t count);

/* Which pictures the present lesson has, and what their files are called; under the guard
 * of the export's arena. ERROR_USAGE. */
bool export_plan(Export *export, Error *error);

/* Lays out a picture's page as it is at a moment of coming to be. ERROR_MEMORY. */
bool export_lay_out(const Export *export, Sheet *sheet, size_t step, PaceMoment moment,
                    Error *error);

/* Writes the present lesson as a deck, FOLDER/08-one-head.pdf, or its pages for the one
 * of them all. ERROR_FILE, ERROR_MEMORY. */
bool export_deck(Export *export, const Format *format, Error *error);

/* Title, language and paper of a format's file. */
DeckHead export_head(const Export *export, const Format *format, const char *title);

/* Writes a deck to a path, whose folder is made if necessary. ERROR_FILE, ERROR_MEMORY.
 */
bool export_save(Deck *deck, const char *path, Error *error);

/* Path of a file's key, new in the export's arena: "sheets/all-key.pdf"; NULL if there is
 * no memory. */
const char *export_key_path(const Export *export, const char *path);

/* Begins the file of all lessons and that of its key, writes them, and frees them in the
 * end. */
bool export_begin_all(Export *export, Error *error);
bool export_save_all(Export *export, Error *error);
void export_end_all(Export *export);

/* Name, as typed, or id of the lesson number `index` of the export. */
const char *export_name_at(const Export *export, size_t index);

/* Writes the present lesson's worksheet and, if asked for, its key:
 * FOLDER/08-one-head-worksheet.pdf, or pages of the file of all lessons. Sets is_empty.
 * ERROR_FILE, ERROR_MEMORY. */
bool export_worksheet(Export *export, const Format *format, Error *error);

/* Writes an exam over `count` lessons and, if asked for, its key, FOLDER/exam.pdf. One
 * with errors is reported and left out. */
ExitCode export_exam(Export *export, const Format *format, size_t count);
