/* Views: the ways in which a tensor can be drawn, other than by its operation.
 *
 * A lesson asks for one with `as: NAME`, a viewer switches among those that fit. What a
 * view needs of a tensor is said here, so that a lesson which asks for the wrong one is
 * told when it is read; how it is drawn is the picture layer's business. */
#ifndef LESSON_VIEW_H
#define LESSON_VIEW_H

#include "base/error.h"
#include "lesson/content/sources.h"
#include "tensor/tape/tape.h"

enum {
    LESSON_CURVES_MAX = 8,
    LESSON_HISTOGRAMS_MAX = 32,
    LESSON_HISTOGRAM_LEAST = 8,
    LESSON_PLANE_MAX = 64
};

typedef enum LessonView {
    LESSON_VIEW_NONE,       /* nothing is asked for */
    LESSON_VIEW_PICTURE,    /* the operation's own picture */
    LESSON_VIEW_HEATMAP,    /* the tensor alone */
    LESSON_VIEW_BARS,       /* one row as bars over its columns */
    LESSON_VIEW_WAVES,      /* columns as curves over the rows */
    LESSON_VIEW_ARCS,       /* shares as arcs between words */
    LESSON_VIEW_CHIPS,      /* tokens with their IDs */
    LESSON_VIEW_RECIPE,     /* a row of a product as shares of other rows */
    LESSON_VIEW_DISTANCES,  /* places relative to each other, as steps along a line */
    LESSON_VIEW_CURVE,      /* columns as curves over the numbers the rows' labels say */
    LESSON_VIEW_HISTOGRAM,  /* how widely each column's numbers spread */
    LESSON_VIEW_MERGES,     /* words whose letters are joined, and the pairs to choose */
    LESSON_VIEW_SHIFT,      /* what is read, and one word further on what is said */
    LESSON_VIEW_CACHE,      /* attention of new words to kept keys and values */
    LESSON_VIEW_VOCABULARY, /* tokens, each with a line to its row of the vocabulary */
    LESSON_VIEW_PLANE,      /* rows as points of a plane */
    LESSON_VIEW_MODEL,      /* the whole model that a tensor stands at a joint of */
    LESSON_VIEW_COUNT
} LessonView;

/* "bars"; "" for the two that have no name, which a lesson can't ask for. */
const char *lesson_view_name(LessonView view);

/* Whether the tensors of `count` nodes can be drawn so, each by itself and all in one
 * step: bars, heatmap any; waves 2 rows or more; arcs shares [n,m] with labels on both
 * axes; chips one row or column of whole numbers with labels; recipe a product whose left
 * factor holds shares; distances a square table of j − i with labels for its rows; curve
 * rows whose labels are growing numbers; histogram 8 rows or more and at most 32 columns;
 * merges the corpus of a byte-pair encoding; shift see lesson_find_shift; cache see
 * lesson_find_cache; plane labelled rows, at most 64, of two columns or more,
 * and equally many; model the memory or the probabilities of an encoder and a decoder.
 * Else ERROR_VALUE with what it would take (`error` may be NULL). */
bool lesson_view_fits(LessonView view, const Tape *tape, const LessonSource *sources,
                      const size_t *nodes, size_t count, Error *error);

/* A text that is read, and the words that are said: each is the next one to be read. Word
 * t is read from column t of `reads`, and column `first` + t of `says` is said there. */
typedef struct LessonShift {
    size_t count; /* of words read, of words said */
    size_t reads, says, first;
    size_t mask;   /* a node [count,count], or TAPE_NONE */
    bool one_each; /* what is read was said before, word by word */
} LessonShift;

/* Finds it in what a step shows, [reads, says] or [reads, says, mask]; in a text that is
 * cut from another behind its first word; or, one word at a time, in the beginning of a
 * text, behind which its next word is said. False when it isn't there. */
bool lesson_find_shift(const Tape *tape, const size_t *nodes, size_t count,
                       LessonShift *shift);

/* The nodes of an attention whose keys and values are stacks of kept rows and new ones.
 */
typedef struct LessonCache {
    size_t query, scores, shares; /* [n,d_k], [n,m], [n,m] */
    size_t keys, values;          /* the stacks, [m,d_k] and [m,d_v] */
    size_t kept;                  /* rows of each, the first ones, that were there */
} LessonCache;

/* Finds it behind the node of the attention's result. False when it isn't there. */
bool lesson_find_cache(const Tape *tape, size_t node, LessonCache *cache);

/* Reads the number that a row's label says, "8" or "d_k = 8", into *place; gives back
 * where in the label the number begins. Without one *place stays as it is. */
size_t lesson_curve_position(const Tensor *tensor, size_t row, double *place);

/* Whether a tensor's values are shares: from 0 to 1, and each row sums to 1, to the
 * precision of numbers as documents print them, or to 0 where all of it is masked. */
bool lesson_has_probabilities(const Tensor *tensor);

#endif
