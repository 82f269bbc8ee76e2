/* The learner's own words in a lesson that has no text, only a list of words: `tokens:`,
 * with numbers given by hand.
 *
 * They are chosen from the lesson's words, in any order and number. Everything labelled
 * with the lesson's words is adapted: a row, a column or an ID for each. Special tokens
 * at an end, such as <sos>, stay. A row that counts positions, 0, 1, 2 …, is continued,
 * and a mask stays as it is. */
#pragma once

#include "lesson/schema/schema.h"
#include "tensor/tensor.h"

typedef struct OwnWords {
    SchemaStrings vocabulary; /* all words of the lesson; count 0: it has none */
    size_t head, tail;        /* number of special tokens at either end */
    size_t count; /* number of the learner's words, without special tokens; 0: none */
    const char *const *items;
    /* for each item its first index among the lesson's words */
    const size_t *from;
} OwnWords;

/* Returns the lesson's words if there are at least two besides special ones; else count
 * 0. */
OwnWords own_words_of(const SchemaStrings *tokens);

/* Returns the lesson's words as a text; new in the arena, as all below. */
const char *own_words_text(const OwnWords *words, Arena *arena);

/* Returns the index of the word at *at, which moves behind it and the blanks there: the
 * longest match; ignoring case if none matches exactly. The count of all words if none
 * matches. */
size_t own_words_next(const OwnWords *words, const char **at);

/* Splits the learner's text into such words. ERROR_NAME for other words, ERROR_VALUE if
 * it has none. */
bool own_words_read(OwnWords *words, Arena *arena, const char *text, Error *error);

/* Replaces labels that are the lesson's words, with or without special ones at their
 * ends, by the learner's; others stay. */
void own_words_label(const OwnWords *words, Arena *arena, SchemaStrings *labels);

/* Adapts a tensor's rows or columns to the learner's words if their labels have been
 * replaced; returns false if not. */
bool own_words_follow(const OwnWords *words, Arena *arena, const SchemaStrings *labels,
                      bool columns, Tensor *tensor);
