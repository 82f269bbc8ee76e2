/* Pictures of what takes tables as wholes: products, sums and other work cell by cell,
 * and rows and columns that are cut, joined or turned. Each draws stage->node into
 * stage->area.
 */
#ifndef PICTURE_MATRIX_PICTURES_H
#define PICTURE_MATRIX_PICTURES_H

#include "picture/stage/panels.h"

/* plain_picture.c: inputs → output, for any operation; the same of a muted one, of
 * whatever kind, and a panel's arrow struck out */
void plain_picture(const Stage *stage);
void transpose_picture(const Stage *stage);
void slice_picture(const Stage *stage);
void concat_picture(const Stage *stage);
void muted_picture(const Stage *stage);
void muted_strike(const Canvas *canvas, const Panel *panel);

/* matmul_picture.c: Falk's scheme, see falk.h */
void matmul_picture(const Stage *stage);

/* Of a step that shows queries, keys and what is made of their product: each cell where
 * its query and its key meet. Where it shows anything else nothing is drawn and false
 * given. */
bool meeting_picture(const Stage *stage);

/* chain_picture.c: of a step that opens into a product, its factors maybe picked from
 * tables, and what is made of that cell by cell, as scores are scaled and masked; of any
 * other nothing is drawn and false given */
bool chain_picture(const Stage *stage);

/* elementwise_picture.c: any operation that is worked out cell by cell */
void binary_picture(const Stage *stage); /* of two inputs: add, scale, mask */
void unary_picture(const Stage *stage);  /* of one: exp, sqrt; what bends as units */

/* change_picture.c: arrows from number to number. Of a table less another of its shape,
 * and of a step that shows a table and its gradient; where it is neither, or there is no
 * room, nothing is drawn and false given */
bool change_picture(const Stage *stage);
bool pull_picture(const Stage *stage);

/* stack_picture.c: rows that slide together below each other */
void stack_picture(const Stage *stage);

/* The other way: rows that slide out of a table. Where a slice takes columns, or of too
 * many rows, nothing is drawn and false given. */
bool cut_picture(const Stage *stage);

#endif
