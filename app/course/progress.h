/* Progress: what the learner has practised, kept between runs in one file of notes
 * (course/notes.h). */
#pragma once

#include "course/notes.h"

/* Results of practising a lesson. */
typedef struct ProgressLesson {
    const char *id;
    size_t rounds;                        /* finished */
    size_t at_once, after_hints, skipped; /* in the last of them */
    size_t answered; /* questions of its steps, and not shown; no round notes it */
} ProgressLesson;

typedef struct Progress Progress;

/* Opens the notes of a file, which may not be there yet; the path is copied. NULL when
 * there is no memory. The caller closes them. */
Progress *progress_open(const char *path);

/* Opens the user's own file, "progress.json"; NULL if there is no home. */
Progress *progress_open_own(void);

/* NULL is fine. */
void progress_close(Progress *progress);

/* Returns the notes, for the state and the name of the file. */
const Notes *progress_notes(const Progress *progress);

/* Returns the notes about a lesson, or NULL. Valid until the next call. */
const ProgressLesson *progress_of(Progress *progress, const char *id);

/* True if a step's question was answered rather than shown. */
bool progress_has_answer(const Progress *progress, const char *id, const char *path);

/* Notes a finished round of a lesson, in place of the one before, and counts it. False
 * with ERROR_FILE or ERROR_MEMORY when it can't be written; it is remembered until the
 * program ends all the same. */
bool progress_record(Progress *progress, const ProgressLesson *round, Error *error);

/* Notes how a step's question was answered ("at_once", "after_hints", "shown"), in place
 * of the answer before; the step goes by its path. Fails as progress_record does. */
bool progress_answer(Progress *progress, const char *id, const char *path,
                     const char *how, Error *error);
