/* How deep the words at the top of a page go. */
#ifndef PICTURE_WORDS_H
#define PICTURE_WORDS_H

#include <stdbool.h>

typedef enum WordsDepth {
    WORDS_USUAL,   /* heading, sentences, and the formula beside them */
    WORDS_STORY,   /* in plain words */
    WORDS_NUMBERS, /* how the explained cell came to be */
    WORDS_FORMULA, /* large, with what its symbols stand for */
    WORDS_CODE,    /* in NumPy and in PyTorch */
    WORDS_COUNT
} WordsDepth;

/* "usual", "story", "numbers", "formula", "code". */
const char *words_name(WordsDepth depth);

/* Finds the depth of a name; false when there is none. */
bool words_from_name(const char *name, WordsDepth *depth);

#endif
