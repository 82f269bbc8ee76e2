/* Words of the learner's own in a lesson that has no text, but the words of one: its
 * `tokens:`, whose numbers are given by hand.
 *
 * They are chosen among the lesson's, in any order and as often as one likes. What is
 * labelled with the lesson's words follows them: a row, a column, an ID of each. Special
 * ones at an end, such as <sos>, stay there. A row that counts places, 0, 1, 2 …, counts
 * on, and a table that masks stays as it is. */
#ifndef LESSON_OWN_WORDS_H
#define LESSON_OWN_WORDS_H

#include "lesson/schema/schema.h"
#include "tensor/tensor.h"

typedef struct OwnWords {
    SchemaStrings said; /* all of the lesson's; count 0: it has none */
    size_t head, tail;  /* how many special ones stand at its ends */
    size_t count;       /* of the learner's, without those; 0: there are none */
    const char *const *items;
    const size_t *from; /* where in `said` each of them stands first */
} OwnWords;

/* The lesson's words, of which there are two at least besides special ones; else count 0.
 */
OwnWords own_words_of(const SchemaStrings *tokens);

/* The lesson's words as a text; new in the arena, as all below. */
const char *own_words_text(const OwnWords *words, Arena *arena);

/* Which of the words, from 0, a text goes on with at *at, which then stands behind it and
 * the blanks there: the longest that fits; in any case of letters where none fits as it
 * is written. words->said.count when none does. */
size_t own_words_next(const OwnWords *words, const char **at);

/* Cuts the learner's text into such words. ERROR_NAME for what is none of them,
 * ERROR_VALUE where there are none. */
bool own_words_read(OwnWords *words, Arena *arena, const char *text, Error *error);

/* Labels that are the lesson's words, with or without special ones at their ends, become
 * the learner's; others stay. */
void own_words_label(const OwnWords *words, Arena *arena, SchemaStrings *labels);

/* Has rows or columns follow the words, where their labels have become the learner's;
 * false where they have not. */
bool own_words_follow(const OwnWords *words, Arena *arena, const SchemaStrings *labels,
                      bool columns, Tensor *tensor);

#endif
