/* Placeholders for numbers in a lesson's texts, "{A[0, 1]}": they are filled in as the
 * lesson is loaded. What a reader changes leaves them as they are, because a sentence
 * about other numbers may be false.
 *
 * The braces contain an expression of the lesson's language. It is computed on a separate
 * tape, whose given tensors share the values of the lesson's tape. The result is written
 * into the lesson's texts themselves, so every reader of a text sees the numbers. All
 * data lives in the lesson's arena. */
#pragma once

#include "base/strings/language.h"
#include "tensor/tape/tape.h"

enum { PLACEHOLDER_DECIMALS_MAX = 17 };

/* A piece of text, followed by a number. */
typedef struct PlaceholderPiece {
    const char *words;
    size_t length;
    size_t node;  /* [1,1] on the placeholders' tape; TAPE_NONE: no number */
    int decimals; /* -1: as many as it needs, at most three */
} PlaceholderPiece;

/* The text in one language. */
typedef struct PlaceholderWording {
    char *out; /* the lesson's text; has room for the longest numbers */
    size_t count;
    const PlaceholderPiece *pieces;
    struct PlaceholderWording *next;
} PlaceholderWording;

typedef struct Placeholders {
    Tape *tape;
    size_t lesson_nodes; /* number of the first nodes, which are the lesson's tensors */
    PlaceholderWording *wordings;
} Placeholders;

/* Computes the placeholders from the lesson's present numbers, and writes them. */
void placeholders_refresh(const Placeholders *placeholders);
