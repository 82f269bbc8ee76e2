/* Numbers that a lesson's words name, "{A[0, 1]}": they are filled in, and follow when
 * numbers change.
 *
 * What stands between the braces is an expression of the lesson's language. It is
 * computed on a tape of its own, whose given tensors have the values of the lesson's
 * tape themselves. The words with their numbers are written where the lesson's texts have
 * them, so that whoever reads a text reads it filled in. All of it lives in the lesson's
 * arena. */
#ifndef LESSON_PLACEHOLDERS_H
#define LESSON_PLACEHOLDERS_H

#include "base/strings/language.h"
#include "tensor/tape/tape.h"

enum { PLACEHOLDER_DECIMALS_MAX = 17 };

/* Some words, and the number behind them. */
typedef struct PlaceholderPiece {
    const char *words;
    size_t length;
    size_t node;  /* [1,1] of Told's tape; TAPE_NONE: no number stands there */
    int decimals; /* -1: as many as it needs, three at most */
} PlaceholderPiece;

/* The words of one language. */
typedef struct PlaceholderWording {
    char *out; /* has room for all of it, whatever the numbers are */
    size_t count;
    const PlaceholderPiece *pieces;
    struct PlaceholderWording *next;
} PlaceholderWording;

typedef struct Placeholders {
    Tape *tape;
    size_t lesson_nodes; /* the first ones of it, which are the lesson's tensors */
    PlaceholderWording *wordings;
} Placeholders;

/* Computes what the words name from the lesson's present numbers, and writes it. */
void placeholders_refresh(const Placeholders *told);

#endif
