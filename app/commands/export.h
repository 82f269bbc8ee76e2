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
    Deck *deck_of_all;           /* the one file for all lessons, if any */
    DeckHead head_of_all;
    size_t all_pictures, all_lessons;
    bool cut_short; /* by what no other lesson would do better with */
    bool shows_progress;
    Arena *arena; /* all that follows: the present lesson's */
    Lesson *lesson;
    const char *needs; /* that it builds on */
    bool redrawn;      /* its numbers differ from the file's */
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

/* Begins the file of all lessons, and writes it into the folder that it is named in. */
bool export_begin_all(Export *export, Error *error);
bool export_save_all(Export *export, Error *error);
