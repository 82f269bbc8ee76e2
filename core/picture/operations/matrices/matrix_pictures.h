/* Pictures of operations on whole tables: products, sums and other element-wise
 * operations, slices, concatenations and transposes. Each draws stage->node into
 * stage->area. Those that return a bool draw nothing and return false for any other
 * operation or step and if there is no room. */
#pragma once

#include "picture/stage/panels.h"

/* ---- plain_picture.c: inputs → output, for any operation ---- */

void plain_picture(const Stage *stage);
void transpose_picture(const Stage *stage);
void slice_picture(const Stage *stage);
void concat_picture(const Stage *stage);

/* A muted operation of any kind, and the stroke across the arrow before a panel. */
void muted_picture(const Stage *stage);
void muted_strike(const Canvas *canvas, const Panel *panel);

/* ---- matmul_picture.c: Falk's scheme ---- */

void matmul_picture(const Stage *stage);

/* For a step that shows queries, keys and what is computed from their product: each cell
 * is where its query and its key meet. */
bool meeting_picture(const Stage *stage);

/* For a step that opens into a product, whose factors may be slices of tables, and what
 * is computed from it cell by cell, such as scaled and masked scores: these tables are
 * behind the product, row beside row. */
bool chain_picture(const Stage *stage);

/* ---- elementwise_picture.c: operations that are computed cell by cell ---- */

void binary_picture(const Stage *stage); /* two inputs: add, scale, mask */
void unary_picture(const Stage *stage);  /* one input: exp, sqrt; activations as units */

/* ---- change_picture.c: arrows from number to number ---- */

/* For the difference of two tables of one shape, and for a step that shows a table and
 * its gradient. */
bool change_picture(const Stage *stage);
bool pull_picture(const Stage *stage);

/* Returns a node's name as a formula; for a part of a table of a generation with the
 * table's step: "W · Step 3". */
const char *step_formula_name(const Stage *stage, size_t node);

/* ---- stack_picture.c: rows that slide together below each other ---- */

void stack_picture(const Stage *stage);

/* Rows that slide out of a table; false if a slice selects columns or the table has too
 * many rows. */
bool cut_picture(const Stage *stage);

/* ---- network_picture.c: a feed-forward network, or a part of it, for one token ---- */

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

/* Inputs and outputs as columns of numbers, hidden units between them, each on the curve
 * of its activation function, and lines only from active units. If the activations are a
 * gate, the signals are below them, and each is multiplied by its gate. The other tokens
 * are below, each by itself. stage->node is the network's last part; false if it has too
 * many units to be distinguished. */
bool network_picture(const Stage *stage, const Network *network);
