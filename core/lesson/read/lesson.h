/* A lesson: a tape, and the words that go with it, read from a YAML file.
 *
 * lesson_load reads, checks and computes everything; what it gives back is ready to show.
 * A lesson owns its arena: all of it (tape, texts, labels) lives there and is dropped by
 * lesson_destroy. Nothing changes after loading but the tape's edits and mutes. */
#ifndef LESSON_LESSON_H
#define LESSON_LESSON_H

#include "lesson/read/content.h"

/* How a lesson is to be read; {0}: as it stands in the file. */
typedef struct LessonOptions {
    const char *text;               /* the learner's own, or NULL */
    bool untrained;                 /* see lesson_load_untrained */
    const LessonSwitches *switches; /* in place of the file's own `changes:`, or NULL */
    bool bare;                      /* as if it had no `changes:` */
} LessonOptions;

/* Reads a lesson file. On failure gives NULL and at least one error in *errors (its
 * `file` is set to `path`): all that are found, not just the first. The caller destroys
 * it. */
Lesson *lesson_load(const char *path, ErrorList *errors);

/* The same with options, which are copied. Under switches, steps and words about what
 * the model then hasn't got are left out, and so is what a document prints. ERROR_VALUE
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

/* Only the title of a lesson's file, in the arena; false when it has none that can be
 * read. For whoever wants to name a lesson without computing it. */
bool lesson_read_title(Text *title, const char *path, Arena *arena);

/* The first word of a text that the lesson's tokenizer has no token for, not even one for
 * unknown words; new in the arena. NULL when there is none, as in lessons without a text.
 */
const char *lesson_unknown_word(const Lesson *lesson, const char *text, Arena *arena);

/* Some words of that tokenizer's vocabulary, "you, win, or, …", no longer than `length`
 * bytes without the dots; new in the arena, NULL where there are none. */
const char *lesson_some_words(const Lesson *lesson, size_t length, Arena *arena);

/* Whether words quote, as “cat”, what the file's text has, and the learner's own, which
 * stands for it, has not. */
bool lesson_quotes_lost(const Lesson *lesson, const char *words);

/* Whether a word stands in one of the quotations in `words`, by itself or among others
 * with blanks between. */
bool lesson_quotes(const char *words, const char *word);

/* What stood in the text for a token of a row of IDs, where that tells more than the
 * token; else NULL. */
const char *lesson_written(const Lesson *lesson, size_t node, size_t index);

/* The same without training: a model with `weights: {train: …}` has the weights that
 * training begins with, and may be one that takes long to train. */
Lesson *lesson_load_untrained(const char *path, ErrorList *errors);

/* How many multiplications a lesson's training may have (see train_work): some seconds.
 */
#define LESSON_MAX_TRAINING 2e10

/* A trainer that does what the lesson's training did, or would have done, from its
 * beginning, with parameters of its own. `options` are the training's, but for the
 * epochs. NULL with trainer_create's errors. */
Trainer *lesson_trainer(const Lesson *lesson, Arena *arena, const TrainOptions *options,
                        Error *error);

/* Numbers from here on only serve to mask, and don't count for a film's reach. */
#define LESSON_FILM_REACH 1e9

/* Tensor number `index` of a step with a film, as it was in a frame. Borrows the lesson's
 * numbers and labels. */
Tensor lesson_film_tensor(const Lesson *lesson, const LessonStep *step, size_t index,
                          size_t frame);

/* NULL is fine. */
void lesson_destroy(Lesson *lesson);

/* The printed number at a cell of a step's result: false when there is none. *differs
 * says whether it is further from the lesson's original (unedited) value than half a unit
 * of its last digit. */
bool lesson_printed_at(const Lesson *lesson, const LessonStep *step, size_t row,
                       size_t col, double *value, int *decimals, bool *differs);

/* Whether a step's result is what the lesson computes: no cell is otherwise for a change
 * by hand. Only then do printed numbers say anything about those that are shown. */
bool lesson_is_original(const Lesson *lesson, const LessonStep *step);

/* How many of a step's printed numbers there are, and how many differ. */
void lesson_count_printed(const Lesson *lesson, const LessonStep *step, size_t *printed,
                          size_t *differing);

#endif
