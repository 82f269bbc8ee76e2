/* Progress: what the learner has practised, kept between runs in one JSON file.
 *
 * The file is read when it is opened and, so that two windows don't undo each other's
 * notes, once more before it is written, whole or not at all. A file that can't be read
 * as what it should be is set aside under another name, never overwritten; what state it
 * was found in is there to be told. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include "base/arena.h"
#include "base/error.h"

/* What became of practising a lesson. */
typedef struct ProgressLesson {
    const char *id;
    size_t rounds;                        /* finished */
    size_t at_once, after_hints, skipped; /* in the last of them */
} ProgressLesson;

typedef enum ProgressState {
    PROGRESS_FINE,      /* read, or not there yet */
    PROGRESS_SET_ASIDE, /* it was damaged, and is now called `aside` */
    PROGRESS_STUCK,     /* it can't be read, nor set aside: nothing is written */
    PROGRESS_NEWER      /* of a later version of the program: nothing is written */
} ProgressState;

typedef struct Progress Progress;

/* $XDG_DATA_HOME/glassformer/progress.json, else that below ~/.local/share; in the arena.
 * NULL without a home, or when the arena is exhausted. */
const char *progress_path(Arena *arena);

/* Opens the notes of a file, which may not be there yet; the path is copied. NULL when
 * there is no memory. The caller closes them. */
Progress *progress_open(const char *path);

/* The same for the file of progress_path; NULL where there is none. */
Progress *progress_open_own(void);

/* NULL is fine. */
void progress_close(Progress *progress);

/* How the file was found, when it was read last. */
ProgressState progress_state(const Progress *progress);

/* The file, and what a damaged one is called now ("" where none was). */
const char *progress_file(const Progress *progress);
const char *progress_aside(const Progress *progress);

/* What is noted of a lesson; NULL for nothing. Valid until the next call. */
const ProgressLesson *progress_of(Progress *progress, const char *id);

/* Notes a finished round of a lesson, in place of the one before, and counts it. False
 * with ERROR_FILE or ERROR_MEMORY when it can't be written; it is remembered until the
 * program ends all the same. */
bool progress_record(Progress *progress, const ProgressLesson *round, Error *error);

#endif
