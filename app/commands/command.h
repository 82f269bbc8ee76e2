/* A command, what it was asked for with, and what the program ends with. Words are
 * borrowed from argv. */
#pragma once

#include "base/error.h"
#include "lesson/code/code.h"
#include "model/generate/generate.h"
#include "picture/stage/page_content.h"

typedef struct Course Course;
typedef struct Paper Paper;

/* Exit status of the program. */
typedef enum ExitCode {
    EXIT_DONE,
    EXIT_DATA,  /* a lesson is wrong */
    EXIT_USAGE, /* the command line is wrong */
    EXIT_IO     /* something can't be read or written */
} ExitCode;

enum {
    PICTURE_MIN_WIDTH = 640,
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

typedef struct Command Command;

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
    bool key;                     /* of worksheets: what is right */
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
