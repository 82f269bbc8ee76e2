/* Views: alternative pictures of a tensor, independent of its operation.
 *
 * A lesson selects one with `as: NAME`, a viewer chooses among those that fit. The
 * conditions are checked here, so that a lesson with a wrong one is rejected on loading;
 * drawing is up to core/picture. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Error Error;
typedef struct LessonSource LessonSource;
typedef struct Tape Tape;
typedef struct Tensor Tensor;

enum {
    LESSON_CURVES_MAX = 8,
    LESSON_HISTOGRAMS_MAX = 32,
    LESSON_HISTOGRAM_LEAST = 8,
    LESSON_PLANE_MAX = 64,
    LESSON_PROJECTIONS_MAX = 4,
    LESSON_CONTEXTS_MAX = 8
};

/* The order is that of the reference, and in which the key V goes through the views. */
typedef enum LessonView {
    LESSON_VIEW_NONE,    /* not given */
    LESSON_VIEW_PICTURE, /* the operation's own picture */
    LESSON_VIEW_HEATMAP,
    LESSON_VIEW_BARS,
    LESSON_VIEW_WAVES,
    LESSON_VIEW_ARCS,
    LESSON_VIEW_CHIPS,
    LESSON_VIEW_RECIPE,
    LESSON_VIEW_DISTANCES,
    LESSON_VIEW_CURVE,
    LESSON_VIEW_HISTOGRAM,
    LESSON_VIEW_MERGES,
    LESSON_VIEW_SHIFT,
    LESSON_VIEW_CACHE,
    LESSON_VIEW_VOCABULARY,
    LESSON_VIEW_PLANE,
    LESSON_VIEW_MODEL,
    LESSON_VIEW_PATH,
    LESSON_VIEW_PROJECTIONS,
    LESSON_VIEW_CHANGED,
    LESSON_VIEW_CONTEXTS,
    LESSON_VIEW_COUNT
} LessonView;

/* Returns "bars" …; "" for the two without a name, which a lesson can't select. */
const char *lesson_view_name(LessonView view);

/* Return phrases about a view that has a name: what it draws, and the tensor that it
 * needs. */
const char *lesson_view_draws(LessonView view);
const char *lesson_view_needs(LessonView view);

/* Reports whether the tensors of `count` nodes can be drawn so, each by itself and all in
 * one step: bars, heatmap any; waves 2 rows or more; arcs attention weights [n,m] with
 * labels on both axes; chips one row or column of whole numbers with labels; recipe a
 * product whose left factor has probabilities; distances a square table of j − i with
 * labels for its rows; curve rows whose labels are growing numbers; histogram 8 rows or
 * more and at most 32 columns; merges the corpus of a byte-pair encoding; shift see
 * lesson_find_shift; cache see lesson_find_cache; plane labelled rows, at most 64, of two
 * columns or more, and equally many; model the memory or the probabilities of an encoder
 * and a decoder; path two tensors or more of one shape, each computed from the one before
 * it; projections see lesson_find_projection, two to four of one source; changed
 * attention weights like arcs, alone or behind a table of their shape that they are
 * computed from; contexts labelled rows that lesson_find_contexts finds elsewhere. Else
 * ERROR_VALUE states the condition (`error` may be NULL). */
bool lesson_view_fits(LessonView view, const Tape *tape, const LessonSource *sources,
                      const size_t *nodes, size_t count, Error *error);

/* An input text and its targets (teacher forcing): the target of each token is the next
 * token. Token t is in column t of `reads`, its target in column `first` + t of
 * `says`. */
typedef struct LessonShift {
    size_t count; /* number of input tokens, and of targets */
    size_t reads, says, first;
    size_t mask;   /* a node [count,count], or TAPE_NONE */
    bool one_each; /* each token of the input was generated one at a time */
} LessonShift;

/* Finds a shift in the nodes that a step shows, [reads, says] or [reads, says, mask]; in
 * a text sliced from another without its first token; or, for one token at a time, in the
 * beginning of a text and its next token. False if there is none. */
bool lesson_find_shift(const Tape *tape, const size_t *nodes, size_t count,
                       LessonShift *shift);

/* The nodes of an attention whose keys and values are stacks of cached and new rows. */
typedef struct LessonCache {
    size_t query, scores, weights; /* [n,d_k], [n,m], [n,m] */
    size_t keys, values;           /* cached and new rows, [m,d_k] and [m,d_v] */
    size_t cached_rows;            /* number of leading rows that come from the cache */
} LessonCache;

/* Finds it from the node of the attention's result. False if there is none. */
bool lesson_find_cache(const Tape *tape, size_t node, LessonCache *cache);

/* A projection: a product of a source with a weight matrix, perhaps with a bias added, or
 * some columns of it. */
typedef struct LessonProjection {
    size_t source, weight;
    size_t bias;               /* TAPE_NONE: none */
    size_t first_col, end_col; /* columns of weight and bias */
} LessonProjection;

/* Finds the projection that computes a node; false if the node isn't a projection's
 * result. */
bool lesson_find_projection(const Tape *tape, size_t node, LessonProjection *projection);

/* Finds the tensors that a model computes from other texts in place of `node`: "T.NAME"
 * in the group of each text T. Writes at most LESSON_CONTEXTS_MAX nodes; returns how
 * many. */
size_t lesson_find_contexts(const Tape *tape, size_t node,
                            size_t contexts[LESSON_CONTEXTS_MAX]);

/* Reads the number in a row's label, "8" or "d_k = 8", into *place; returns the index
 * where the number begins. If there is none, *place is unchanged. */
size_t lesson_curve_position(const Tensor *tensor, size_t row, double *place);

/* Reports whether a tensor's values are probabilities: from 0 to 1, and each row sums to
 * 1, to the precision of printed numbers, or to 0 if masked whole. */
bool lesson_has_probabilities(const Tensor *tensor);
