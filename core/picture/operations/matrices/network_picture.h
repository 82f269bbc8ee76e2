/* A feed-forward network, or a part of one, of one word: what comes in and what goes out
 * as columns of numbers, between them the hidden units, each where it stands on the curve
 * that bends it, and lines only from units that are lit. Where the bent ones are a gate,
 * the signals stand below them, and each meets its gate in a product.
 * The other words stand below, each by itself. */
#ifndef PICTURE_NETWORK_PICTURE_H
#define PICTURE_NETWORK_PICTURE_H

#include "picture/stage/stage.h"

/* A network's nodes; TAPE_NONE: not drawn. */
typedef struct Network {
    size_t x, w_1;   /* what comes in, and its weights */
    size_t z, a;     /* each hidden unit before and behind what bends it */
    size_t w_up, up; /* of a gate, which a is: the signal that it multiplies … */
    size_t gated;    /* … and their products */
    size_t w_2, y;   /* what its units' numbers are sent on by, and what comes of it */
} Network;

#define NETWORK_NONE                                                                     \
    ((Network){TAPE_NONE, TAPE_NONE, TAPE_NONE, TAPE_NONE, TAPE_NONE, TAPE_NONE,         \
               TAPE_NONE, TAPE_NONE, TAPE_NONE})

/* Draws it into stage->area, stage->node being its last part. False, and nothing drawn,
 * where it has more units than can be told apart. */
bool network_picture(const Stage *stage, const Network *network);

/* ---- where its parts lie: between network_layout.c, network_hinges.c and
 * network_picture.c alone ---- */

/* Lengths that layout and drawing share, in units. */
#define NETWORK_CELL 66.0
#define NETWORK_HINGE 84.0
#define NETWORK_OTHER_ROW 26.0    /* of another word */
#define NETWORK_OTHER_STRIP 150.0 /* its width */
#define NETWORK_OTHERS_GAP 26.0

enum { NETWORK_OTHERS_MOST = 4 };

/* Its columns, as the fields of Network that they are of. */
typedef enum NetworkPart {
    NETWORK_IN,    /* x */
    NETWORK_SUMS,  /* z */
    NETWORK_UNITS, /* a */
    NETWORK_UP,
    NETWORK_GATED,
    NETWORK_OUT, /* y */
    NETWORK_COLUMNS
} NetworkPart;

/* A column of the chosen word's numbers, one below the other; of very many, several in a
 * line. */
typedef struct NetworkColumn {
    size_t node; /* TAPE_NONE: there is none */
    double x, w; /* of its cells */
    double top, pitch;
    size_t count, across;
} NetworkColumn;

typedef struct NetworkLayout {
    const Stage *stage;
    const Network *network;
    size_t row;
    double reach, digits;
    double widest; /* what the widest line carries */
    int decimals;
    Box area, others;
    double words; /* how wide the words at the left are, with their gap */
    NetworkColumn columns[NETWORK_COLUMNS];
    Box hinges; /* between sums and units; without width: there are none */
} NetworkLayout;

/* Measures and places a network in the stage's area. */
NetworkLayout network_layout(const Stage *stage, const Network *network);

/* A number of a column, its cell and its colour; whether a node's cell is computed yet,
 * and whether a unit is on. */
double network_value(const NetworkLayout *picture, const NetworkColumn *column,
                     size_t index);
Box network_cell(const NetworkColumn *column, size_t index);
Color network_color(const NetworkLayout *picture, double value);
bool network_shows(const NetworkLayout *picture, size_t node, size_t row, size_t col);
bool network_lit(const NetworkLayout *picture, size_t row, size_t unit);

/* The curve at each of the chosen word's units, with a dot where the unit is on it. */
void network_hinges(const NetworkLayout *picture);

#endif
