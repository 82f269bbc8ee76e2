/* Commands: what the program was asked for, the tables of commands and options that say
 * what can be, and the report of what went wrong. */
#pragma once

#include "base/error.h"
#include "lesson/code/code.h"
#include "model/generate/generate.h"
#include "picture/stage/page_content.h"

#include <stdio.h>

typedef struct Command Command;
typedef struct Course Course;
typedef struct Languages Languages;
typedef struct Lesson Lesson;
typedef struct Paper Paper;

/* ---- a command ----
 *
 * A command, what it was asked for with, and what the program ends with. Words are
 * borrowed from argv. */

/* Exit status of the program. */
typedef enum ExitCode {
    EXIT_DONE,
    EXIT_DATA,  /* a lesson is wrong */
    EXIT_USAGE, /* the command line is wrong */
    EXIT_IO     /* something can't be read or written */
} ExitCode;

enum {
    PICTURE_MIN_WIDTH = 320,
    PICTURE_MIN_HEIGHT = 360,
    PICTURE_MAX_WIDTH = 7680,
    PICTURE_MAX_HEIGHT = 4320,
    THREADS_MAX = 64,
    FRAMES_MAX = 250,
    STEPS_MAX = 1000000000
};

/* Options of `generate`. */
typedef struct GenerateOptions {
    bool has_rule;
    const char *sample_option, *beam_option; /* one given that is only for that rule */
    DecodingOptions say;
} GenerateOptions;

typedef struct CommandLine {
    const Command *command; /* never NULL */
    bool help, version;
    const char *playlist; /* path or ID of the one whose lessons stand for the course's;
                             or NULL */
    size_t lesson_count;
    const char *const *lessons; /* ids or paths, as typed */
    bool json, all_steps, reference, say, of_playlists;
    bool has_code;
    CodeLanguage code;            /* the script's language */
    const char *out, *keys, *png; /* NULL: not given */
    unsigned formats;             /* bit i: the one that format_at(i) is */
    size_t handout;               /* pages of a deck on a sheet; 0: each on its own */
    const Paper *paper;           /* never NULL */
    bool key;                     /* worksheets with a second file of what is right */
    size_t questions;             /* of worksheets; 0: as usual */
    const char *copy;   /* of worksheets: the seed as typed; NULL: the lesson's numbers */
    uint64_t seed;      /* of worksheets: of the numbers, if `copy` */
    double millimetres; /* that pictures are wide on paper; 0: by their pixels */
    size_t width, height; /* of pictures, in pixels */
    const char *language; /* its code; NULL: the desktop's */
    const char *text;     /* the learner's own, or NULL */
    double work;          /* millions of operations that a lesson may take; 0: as usual */
    const char *theme;    /* NULL: the first */
    WordsDepth words;     /* how deep the words of pictures go */
    bool reduced_motion, fresh;
    bool ask;                     /* steps with a question hide their result */
    bool frame;                   /* slides with lane, sums and timeline */
    bool picture_only;            /* without map, inspector and timeline */
    size_t first_step, last_step; /* of lessons, from 1 on; 0: all */
    bool present;                 /* for the back row */
    bool sources;                 /* with what the lessons' sources say */
    size_t frames;                /* pictures of a motion; 0: one, of where it ends */
    size_t threads;               /* 0: as many as the machine has cores */
    GenerateOptions generate;
    size_t epochs;                /* of training; 0: as many as the lesson says */
    const char *tensor;           /* the name of the only one to show; NULL: all */
    size_t first_row, behind_row; /* of tensors to show; 0, 0: all */
    const char *weights;          /* of training: the file for them alone, or NULL */
} CommandLine;

struct Command {
    const char *name; /* "" for the window; its words are `command:` in the strings */
    const char *arguments;
    const char *options; /* the options it takes, one letter each: see the table */
    size_t lessons_min, lessons_max;
    ExitCode (*run)(Course *course, const CommandLine *line);
};

/* The commands, one file each. A command does all of its work, prints its errors on
 * standard error and returns the exit status. A theme on the command line has been
 * found to exist. */
ExitCode command_window(Course *course, const CommandLine *line);
ExitCode command_list(Course *course, const CommandLine *line);
ExitCode command_show(Course *course, const CommandLine *line);
ExitCode command_check(Course *course, const CommandLine *line);
ExitCode command_export(Course *course, const CommandLine *line);
ExitCode command_play(Course *course, const CommandLine *line);
ExitCode command_generate(Course *course, const CommandLine *line);
ExitCode command_train(Course *course, const CommandLine *line);
ExitCode command_new(Course *course, const CommandLine *line);
ExitCode command_completions(Course *course, const CommandLine *line);
ExitCode command_complete(Course *course, const CommandLine *line);
ExitCode command_schema(Course *course, const CommandLine *line);

/* ---- Telling the user, on standard error, what went wrong ---- */

/* Prints an error without a position in a file; returns the program's exit status. */
ExitCode report_error(const Error *error);

/* Prints errors of a file; returns the program's exit status. */
ExitCode report_errors(const ErrorList *errors);

/* Tells that there is no memory `for_what`: "to export that much". */
ExitCode report_no_memory(const char *for_what);

/* ---- The command line: what was asked for, and the help that says what can be.
 *
 * One table has the commands, one the options; reading, checking and every help text come
 * from them. */

/* Reads the words behind the program's name, moving the lessons' to the front of argv.
 * ERROR_USAGE with a sentence that names what was probably meant. */
bool command_line_parse(CommandLine *line, int argc, char **argv, Error *error);

/* The command number `index`; the first is the window's, without a name. NULL behind the
 * last. */
const Command *command_line_at(size_t index);

/* The command named in a command line's words, which may be incomplete; the window's
 * where none is. */
const Command *command_line_find(const char *const *words, size_t count);

/* The name of the command nearest to a word, or NULL. */
const char *command_line_nearest(const char *word);

/* Returns the description of a command in the language; "" if that is NULL. */
const char *command_line_words(const Command *command, const Language *language);

/* Prints what the program, or one command of it, is for and takes, in words of the
 * language, and the languages that there are. Where both are NULL, as no words can be
 * read, it names what there is. */
void command_line_help(const CommandLine *line, const Languages *languages,
                       const Language *language, FILE *stream);

/* ---- options ----
 *
 * The options of all commands, in one table with names, values and setters. A command
 * names its options by their letters. */

/* Reads the option at argv[*index], and its value where that is the next word, into the
 * line. ERROR_USAGE with a sentence when the line's command has no such option, or when
 * its value can't be. */
bool command_option_read(CommandLine *line, int argc, char **argv, int *index,
                         Error *error);

/* True if a word is an option, of any command, whose value is the next word. */
bool command_option_takes_next(const char *word);

/* The language's words of a name below a key of the strings; "" where there are none. */
const char *command_words(const Language *language, const char *what, const char *name);

/* An option, as the help and completions show it. */
typedef struct CommandOption {
    const char *name;    /* without its dashes */
    const char *value;   /* "FILE", "CODE"; NULL: it takes none */
    const char *words;   /* what it does */
    const char *choices; /* all that its value can be, "numpy|torch"; or NULL */
} CommandOption;

/* The option number `index` of those that a command takes, in words of the language, ""
 * where that is NULL; false behind the last. */
bool command_option_at(const Command *command, size_t index, const Language *language,
                       CommandOption *found);

/* Prints the options that a command takes, a line each. */
void command_options_print(const Command *command, const Language *language,
                           FILE *stream);

/* ---- for show ----
 *
 * Prints the tokens that a lesson's `generate` steps generated, for `show`: as lines or
 * as JSON. */

/* A step's words on stdout: "3  said = generate(greedy): you win". */
void show_generated_text(const LessonStep *step, const char *path);

/* The list of all of them on stdout, one a line, each with its turns, as a last field of
 * the lesson's: `, "generated": […]`; nothing where no step generates. False when memory
 * is short. */
bool show_generated_json(const Lesson *lesson);
