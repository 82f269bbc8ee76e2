/* Picture of a feed-forward network, or a part of it, for one token: inputs and outputs
 * as columns of numbers, hidden units between them, each on the curve of its activation
 * function, and lines only from active units. If the activations are a gate, the signals
 * are below them, and each is multiplied by its gate. The other tokens are below, each by
 * itself. */
#pragma once

#include "picture/stage/stage.h"
#include "tensor/tape/tape.h"

/* Nodes of a network; TAPE_NONE: not drawn. */
typedef struct Network {
    size_t x, w_1; /* input, and its weights */
    size_t z, a;   /* hidden units before and after the activation function */
    /* If `a` is a gate: weights and values of the signal it multiplies. */
    size_t w_up, up;
    size_t gated;  /* products of gates and signals */
    size_t w_2, y; /* weights of the output, and the output */
} Network;

#define NETWORK_NONE                                                                     \
    ((Network){TAPE_NONE, TAPE_NONE, TAPE_NONE, TAPE_NONE, TAPE_NONE, TAPE_NONE,         \
               TAPE_NONE, TAPE_NONE, TAPE_NONE})

/* Draws a network into stage->area; stage->node is its last part. Draws nothing and
 * returns false if it has too many units to be distinguished. */
bool network_picture(const Stage *stage, const Network *network);

/* ---- layout: used by network_layout.c, network_hinges.c and network_picture.c only
 * ---- */

/* Lengths that layout and drawing share, in units. */
#define NETWORK_CELL 66.0
#define NETWORK_HINGE 84.0
#define NETWORK_OTHER_ROW 26.0    /* row height of another token */
#define NETWORK_OTHER_STRIP 150.0 /* width of another token's strip */
#define NETWORK_OTHERS_GAP 26.0

enum { NETWORK_OTHERS_MOST = 4 };

/* Columns, named after their fields of Network. */
typedef enum NetworkPart {
    NETWORK_IN,    /* x */
    NETWORK_SUMS,  /* z */
    NETWORK_UNITS, /* a */
    NETWORK_UP,
    NETWORK_GATED,
    NETWORK_OUT, /* y */
    NETWORK_COLUMNS
} NetworkPart;

/* A column of the chosen token's numbers, one below the other; if there are very many,
 * several in a line. */
typedef struct NetworkColumn {
    size_t node; /* node of the numbers; TAPE_NONE: there is none */
    double x, w; /* left end and width of the cells */
    double top, pitch;
    size_t count, across;
} NetworkColumn;

typedef struct NetworkLayout {
    const Stage *stage;
    const Network *network;
    size_t row;
    double reach, digits;
    double widest; /* product of the widest line */
    int decimals;
    Box area, others;
    double words; /* width of the words at the left, with their gap */
    NetworkColumn columns[NETWORK_COLUMNS];
    Box hinges; /* area of the curves; without width: there are none */
} NetworkLayout;

/* Measures and places a network in the stage's area. */
NetworkLayout network_layout(const Stage *stage, const Network *network);

/* Number of a column, its cell, and the colour of a value; true if a node's cell is
 * computed, and if a unit is active. */
double network_value(const NetworkLayout *picture, const NetworkColumn *column,
                     size_t index);
Box network_cell(const NetworkColumn *column, size_t index);
Color network_color(const NetworkLayout *picture, double value);
bool network_shows(const NetworkLayout *picture, size_t node, size_t row, size_t col);
bool network_lit(const NetworkLayout *picture, size_t row, size_t unit);

/* Draws the curve at each of the chosen token's units, with a dot at the unit's
 * number. */
void network_hinges(const NetworkLayout *picture);
