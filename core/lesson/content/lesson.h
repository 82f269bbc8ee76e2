/* A lesson: a tape, and the words that go with it, ready to show.
 *
 * lesson/load/load.h reads it from a YAML file. A lesson owns its arena: all of it (tape,
 * texts, labels) lives there and is dropped by lesson_destroy. Nothing changes after
 * loading but the tape's edits and mutes. */
#ifndef LESSON_LESSON_H
#define LESSON_LESSON_H

#include "lesson/content/content.h"

/* The first word of a text that the lesson has no token or numbers for, not even a token
 * for unknown words; new in the arena. NULL when there is none, as in lessons without a
 * text. */
const char *lesson_unknown_word(const Lesson *lesson, const char *text, Arena *arena);

/* The text as the lesson's words are written: a word that it knows only in another case
 * of letters, or without the sign behind it, becomes that one ("When", "you,"). New in
 * the arena. */
const char *lesson_text_in_its_words(const Lesson *lesson, const char *text,
                                     Arena *arena);

/* The words that a text of the learner's own can have, *count of them, new in the arena;
 * 0 where it is cut into other things than words, or nothing is unknown. */
const char *const *lesson_own_words(const Lesson *lesson, Arena *arena, size_t *count);

/* Some words of that tokenizer's vocabulary, "you, win, or, …", no longer than `length`
 * bytes without the dots; new in the arena, NULL where there are none. */
const char *lesson_some_words(const Lesson *lesson, size_t length, Arena *arena);

/* Whether words speak of the file's text where the learner's own stands for it: words of
 * it quoted, as “cat”, two and more of them in a row, or numbers. */
bool lesson_words_lost(const Lesson *lesson, const char *words);

/* Whether a word stands in one of the quotations in `words`, by itself or among others
 * with blanks between. */
bool lesson_quotes(const char *words, const char *word);

/* What stood in the text for a token of a row of IDs, where that tells more than the
 * token; else NULL. */
const char *lesson_written(const Lesson *lesson, size_t node, size_t index);

/* Whether a node is among those that a step's `show:` names. */
bool lesson_shows(const LessonStep *step, size_t node);

/* Where the words of `tokens:` label no row or column of what is computed: the first
 * given tensor of several rows. NULL where they label some, or there are no words. */
const TapeNode *lesson_unlabelled(const Lesson *lesson);

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

/* Whether a step as it is now can be compared with its source: that prints numbers of it,
 * or something is said of what it has there. */
bool lesson_has_source(const Lesson *lesson, const LessonStep *step);

#endif
