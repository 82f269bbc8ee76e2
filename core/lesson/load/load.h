/* From a lesson's file to the lesson: everything is read, checked and computed, part
 * after part, in the order in which one needs another. */
#ifndef LESSON_LOAD_H
#define LESSON_LOAD_H

#include "lesson/content/lesson.h"

/* The ID of the lesson that a file has: its name without folder and ending. Files are
 * called by it and terminals show it, so that a dot at its beginning is "_" and what is
 * not UTF-8, or steers a terminal, is U+FFFD. In the arena; NULL when it is exhausted. */
const char *lesson_id(Arena *arena, const char *path);

/* How a lesson is to be read; {0}: as it stands in the file. */
typedef struct LessonOptions {
    const char *text;               /* the learner's own, or NULL */
    bool untrained;                 /* see lesson_load_untrained */
    const LessonSwitches *switches; /* in place of the file's own `changes:`, or NULL */
    bool bare;                      /* as if it had no `changes:` */
    double work;                    /* operations that it may take; 0: LESSON_WORK */
} LessonOptions;

/* Reads a lesson file. On failure gives NULL and at least one error in *errors (its
 * `file` is set to `path`): all that are found, not just the first. The caller destroys
 * it. */
Lesson *lesson_load(const char *path, ErrorList *errors);

/* The same with options, which are copied. Under switches, steps and words about what
 * the model then hasn't got are left out, and so is what a source says. ERROR_VALUE
 * for a model that can't be switched so, and for a lesson without one. */
Lesson *lesson_load_with(const char *path, const LessonOptions *options,
                         ErrorList *errors);

/* The same with a text of the learner's own in place of the first text that the file has
 * (`text:` under `given:`, or a model's `source:`), wherever that stands; NULL leaves it.
 * A lesson without a text takes none: ERROR_VALUE says so. `text` is copied. */
Lesson *lesson_load_with_text(const char *path, const char *text, ErrorList *errors);

/* The same from memory; `path` only names it. */
Lesson *lesson_parse(const char *path, const char *text, size_t length,
                     ErrorList *errors);

/* The same with options. */
Lesson *lesson_parse_with(const char *path, const char *text, size_t length,
                          const LessonOptions *options, ErrorList *errors);

/* What a lesson's file says of the lesson as a whole. */
typedef struct LessonHead {
    Text title, part, goal;
    LessonBlock block;  /* LESSON_BLOCK_NONE: not said */
    bool tours;         /* it has stations of the tour */
    size_t is_question; /* how many steps ask for an idea, and not for a number */
    const char *words;  /* what it is about, its goal, chapters, headings and operations,
                           in all languages, a line each */
} LessonHead;

/* Only the head of a lesson's file, its texts in the arena; what can't be read is empty.
 * For whoever wants to name a lesson without computing it. Adds what is wrong with the
 * file; false where there was no memory. */
bool lesson_read_head(LessonHead *head, const char *path, Arena *arena,
                      ErrorList *errors);

/* The same without training: a model with `weights: {train: …}` has the weights that
 * training begins with, and may be one that takes long to train. */
Lesson *lesson_load_untrained(const char *path, ErrorList *errors);

/* lesson_parse with at most `limit` bytes of memory. */
Lesson *lesson_parse_within(const char *path, const char *text, size_t length,
                            size_t limit, ErrorList *errors);

#endif
