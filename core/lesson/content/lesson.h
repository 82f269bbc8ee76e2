/* A lesson: a tape and its texts.
 *
 * lesson/load/load.h loads it from a YAML file. A lesson owns its arena: all its data
 * (tape, texts, labels) lives there and is freed by lesson_destroy. After loading, only
 * the tape's edits and mutes change. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;
typedef struct Lesson Lesson;
typedef struct LessonStep LessonStep;
typedef struct TapeNode TapeNode;
typedef struct Tensor Tensor;

/* Returns the first word of a text that the lesson has no token or numbers for, not even
 * an unknown token; new in the arena. NULL if there is none, as in lessons without a
 * text. */
const char *lesson_unknown_word(const Lesson *lesson, const char *text, Arena *arena);

/* Returns the text in the spelling of the lesson's words: a word that matches one except
 * for case or for a sign at its end is replaced by it ("When", "you,"). New in the
 * arena. */
const char *lesson_text_in_its_words(const Lesson *lesson, const char *text,
                                     Arena *arena);

/* Returns the words allowed in the learner's own text, *count of them, new in the arena;
 * 0 if tokens are not words, or no word is unknown. */
const char *const *lesson_own_words(const Lesson *lesson, Arena *arena, size_t *count);

/* Returns some words of that tokenizer's vocabulary, "you, win, or, …", at most `length`
 * bytes without the dots; new in the arena, NULL if there are none. */
const char *lesson_some_words(const Lesson *lesson, size_t length, Arena *arena);

/* Reports whether a text about the file's words doesn't fit the learner's own: it quotes
 * words, as “cat”, has two or more of them in a row, or numbers. */
bool lesson_words_lost(const Lesson *lesson, const char *words);

/* Reports whether a word is in one of the quotations in `words`, alone or separated by
 * blanks. */
bool lesson_quotes(const char *words, const char *word);

/* Returns the original text of a token of a row of IDs, if that says more than the token;
 * else NULL. */
const char *lesson_written(const Lesson *lesson, size_t node, size_t index);

/* Finds the cell of a tensor that the lesson follows (`follow:`): in its labelled row,
 * or, of a row of IDs, the one labelled so. False if it follows none, or the tensor has
 * no such cell. */
bool lesson_followed(const Lesson *lesson, const Tensor *tensor, size_t *row,
                     size_t *col);

/* Reports whether a node is among those of a step's `show:`. */
bool lesson_shows(const LessonStep *step, size_t node);

/* Returns the first given tensor of several rows if the words of `tokens:` label no row
 * or column of any result. NULL if they label some, or there are no words. */
const TapeNode *lesson_unlabelled(const Lesson *lesson);

/* Format of the message about lesson_unlabelled's tensor: number of words, name and
 * number of rows of the tensor. */
#define LESSON_UNLABELLED                                                                \
    "'tokens:' has %zu words, but %s has %zu rows; words can only label as many rows"

/* Destroys a lesson; NULL is fine. */
void lesson_destroy(Lesson *lesson);

/* Returns the printed number at a cell of a step's result: false if there is none.
 * *differs reports whether it is further from the lesson's original (unedited) value than
 * half a unit of its last digit. */
bool lesson_printed_at(const Lesson *lesson, const LessonStep *step, size_t row,
                       size_t col, double *value, int *decimals, bool *differs);

/* Reports whether a step's result is unchanged by edits. Only then can printed numbers be
 * compared with those shown. */
bool lesson_is_original(const Lesson *lesson, const LessonStep *step);

/* Counts a step's printed numbers, and those that differ. */
void lesson_count_printed(const Lesson *lesson, const LessonStep *step, size_t *printed,
                          size_t *differing);

/* Reports whether a step in its present state can be compared with its source: the source
 * prints numbers of it, or the lesson describes what the source has there. */
bool lesson_has_source(const Lesson *lesson, const LessonStep *step);
