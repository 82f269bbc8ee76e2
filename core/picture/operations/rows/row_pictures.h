/* Pictures of operations on rows: softmax, normalization, sums and means, top-k and
 * top-p, and cross entropy. Each draws stage->node into stage->area. */
#pragma once

#include "picture/stage/stage.h"

/* softmax_picture.c: bars squeezed into one of length 1 */
void softmax_picture(const Stage *stage);

/* rows_picture.c */
void reduction_picture(const Stage *stage);
void largest_picture(const Stage *stage); /* each row's largest is outlined */
void top_k_picture(const Stage *stage);   /* logits left to sample from */
void top_p_picture(const Stage *stage);

/* centre_picture.c: rows as dots on number lines, with their means or moved by them */
void mean_picture(const Stage *stage);
void subtract_picture(const Stage *stage);
bool size_picture(const Stage *stage); /* √mean(x ⊙ x) or mean(x ⊙ x); else false */

/* scaling_picture.c: for a step that opens into a table moved and scaled by a number for
 * each row or column, twice or more; draws nothing and returns false for any other. */
bool scaling_picture(const Stage *stage);

/* norm_picture.c: a row as dots on number lines, moved and scaled */
void norm_picture(const Stage *stage);

/* target_picture.c: probabilities and their targets, for cross entropy and for its
 * gradient: the gradient with respect to the scores, or the number computed from the
 * losses. push_picture draws nothing and returns false if stage->node is neither, or if
 * there is no room. */
void cross_entropy_picture(const Stage *stage);
bool push_picture(const Stage *stage);
