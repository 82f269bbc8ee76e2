/* Pictures of operations on whole tables: products, sums and other element-wise
 * operations, slices, concatenations and transposes. Each draws stage->node into
 * stage->area. */
#pragma once

#include "picture/stage/panels.h"

/* plain_picture.c: inputs → output, for any operation; the same for a muted one of any
 * kind, with the arrow of a panel struck out. */
void plain_picture(const Stage *stage);
void transpose_picture(const Stage *stage);
void slice_picture(const Stage *stage);
void concat_picture(const Stage *stage);
void muted_picture(const Stage *stage);
void muted_strike(const Canvas *canvas, const Panel *panel);

/* matmul_picture.c: Falk's scheme, see falk.h */
void matmul_picture(const Stage *stage);

/* For a step that shows queries, keys and what is computed from their product: each cell
 * is where its query and its key meet. Draws nothing and returns false for any other
 * step. */
bool meeting_picture(const Stage *stage);

/* chain_picture.c: for a step that opens into a product, whose factors may be slices of
 * tables, and what is computed from it cell by cell, such as scaled and masked scores.
 * Draws nothing and returns false for any other step. */
bool chain_picture(const Stage *stage);

/* elementwise_picture.c: operations that are computed cell by cell */
void binary_picture(const Stage *stage); /* two inputs: add, scale, mask */
void unary_picture(const Stage *stage);  /* one input: exp, sqrt; activations as units */

/* change_picture.c: arrows from number to number, for the difference of two tables of one
 * shape and for a step that shows a table and its gradient. Draws nothing and returns
 * false for anything else, or if there is no room. */
bool change_picture(const Stage *stage);
bool pull_picture(const Stage *stage);

/* stack_picture.c: rows that slide together below each other */
void stack_picture(const Stage *stage);

/* Rows that slide out of a table. Draws nothing and returns false if a slice selects
 * columns or the table has too many rows. */
bool cut_picture(const Stage *stage);
