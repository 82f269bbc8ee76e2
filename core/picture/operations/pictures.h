/* The pictures of the operations: one table, in operation_picture.c, holds one for every
 * operation; the others are told here by file. Each draws stage->node into stage->area.
 */
#ifndef PICTURE_PICTURES_H
#define PICTURE_PICTURES_H

#include "picture/stage/panels.h"

/* operation_picture.c: whether an operation can be drawn; a test asks it of all */
bool operation_has_picture(OperationKind kind);

/* The operation's own picture, or that of a muted one. */
void operation_picture(const Stage *stage);

/* The same where the output is to be found out: nothing on the way to it is shown. */
void asked_picture(const Stage *stage);

/* matmul_picture.c: Falk's scheme; the same with places of the product's height behind it
 * for tables of its shape, each a gap apart */
#define FALK_TAIL_SHARE 0.24 /* of the width: one of them with its gap, at most */
typedef struct FalkTail {
    size_t tables; /* how many, and the gap before each */
    double gap;
    Box first;    /* the first one's place, which is no wider than the product's … */
    double reach; /* … and the product's scale; both set by falk_picture */
    size_t
        instead; /* of the product what is made of it, a node of its shape; 0: itself */
} FalkTail;
void matmul_picture(const Stage *stage);
void falk_picture(const Stage *stage, FalkTail *tail);

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

/* rotary_picture.c: each pair of columns as the hand of a clock, turned by its row */
void rotary_picture(const Stage *stage);

/* softmax_picture.c: bars squeezed into one of length 1 */
void softmax_picture(const Stage *stage);

/* rows_picture.c */
void reduction_picture(const Stage *stage);
void largest_picture(const Stage *stage); /* and each row's largest outlined */
void top_k_picture(const Stage *stage);   /* what is left of logits to choose from */
void top_p_picture(const Stage *stage);

/* centre_picture.c: rows as dots on number lines, with their means or moved by them */
void mean_picture(const Stage *stage);
void subtract_picture(const Stage *stage);
bool size_picture(const Stage *stage); /* of √mean(x ⊙ x), or mean(x ⊙ x), else false */

/* change_picture.c: arrows from number to number. Of a table less another of its shape,
 * and of a step that shows a table and its gradient; where it is neither, or there is no
 * room, nothing is drawn and false given */
bool change_picture(const Stage *stage);
bool pull_picture(const Stage *stage);

/* padding_picture.c: a mask below its IDs */
void padding_picture(const Stage *stage);

/* places_picture.c: of one place's row of waves less another's, hands on dials; of any
 * other nothing is drawn and false given */
bool places_picture(const Stage *stage);

/* scaling_picture.c: of a step that opens into a table moved and stretched by a number
 * for each row or column, twice or more; of any other nothing is drawn and false given */
bool scaling_picture(const Stage *stage);

/* norm_picture.c: a row as dots on number lines, maybe moved, and stretched */
void norm_picture(const Stage *stage);

/* stack_picture.c: rows that slide together below each other */
void stack_picture(const Stage *stage);

/* The other way: rows that slide out of a table. Where a slice takes columns, or of too
 * many rows, nothing is drawn and false given. */
bool cut_picture(const Stage *stage);

/* backward_picture.c: gradient · derivative → gradient */
void backward_picture(const Stage *stage);

/* target_picture.c: chances and what they should be: of cross entropy, and of what pushes
 * them there, which is what it gives back to the scores or the one number made of what it
 * costs. Where stage->node is neither, or there is no room, the latter draws nothing and
 * gives false */
void cross_entropy_picture(const Stage *stage);
bool push_picture(const Stage *stage);

/* embed_picture.c: IDs, the table, and the rows found */
void embed_picture(const Stage *stage);

/* one_hot_picture.c: IDs, and rows with a 1 in their column */
void one_hot_picture(const Stage *stage);

/* plain_picture.c: inputs → output, for any operation */
void plain_picture(const Stage *stage);
void transpose_picture(const Stage *stage);
void slice_picture(const Stage *stage);
void concat_picture(const Stage *stage);

/* The same of a muted operation, of whatever kind; and a panel's arrow struck out. */
void muted_picture(const Stage *stage);
void muted_strike(const Canvas *canvas, const Panel *panel);

/* The panels of an operation's inputs, with a sign between them, and of its output behind
 * another sign; gives back how many inputs there are, 0 where that is too many. */
size_t input_panels(const Stage *stage, Panel panels[PANELS_MAX], const char *between,
                    const char *before_output);

#endif
