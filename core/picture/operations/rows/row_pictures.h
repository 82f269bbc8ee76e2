/* Pictures of what is worked out row by row: softmax, norms, sums and means, the choice
 * of logits, and cross entropy. Each draws stage->node into stage->area.
 */
#ifndef PICTURE_ROW_PICTURES_H
#define PICTURE_ROW_PICTURES_H

#include "picture/stage/stage.h"

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

/* scaling_picture.c: of a step that opens into a table moved and stretched by a number
 * for each row or column, twice or more; of any other nothing is drawn and false given */
bool scaling_picture(const Stage *stage);

/* norm_picture.c: a row as dots on number lines, maybe moved, and stretched */
void norm_picture(const Stage *stage);

/* target_picture.c: chances and what they should be: of cross entropy, and of what pushes
 * them there, which is what it gives back to the scores or the one number made of what it
 * costs. Where stage->node is neither, or there is no room, the latter draws nothing and
 * gives false */
void cross_entropy_picture(const Stage *stage);
bool push_picture(const Stage *stage);

#endif
