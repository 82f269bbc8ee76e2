/* What moves while an operation's result comes to be: a row for every manner
 * (lesson/play/manner.h). */
#ifndef PICTURE_MANNERS_H
#define PICTURE_MANNERS_H

#include "lesson/play/manner.h"
#include "lesson/play/pace.h"
#include "picture/motion/ghost.h"

/* An output on its way. */
typedef struct Moving {
    const Still *still;
    const PaceMoment *moment;
    MannerKind manner;
    size_t node;
    const TapeNode *at;
    const StillTable *out; /* where its cells are drawn */
    size_t cursor;         /* the player's cell, or PLAYER_NONE: all of them move, … */
    size_t slow;           /* … this cell first, and slowly */
} Moving;

/* Lets the output's items be there as far as they are, and draws what is on its way. */
void manners_play(const Moving *moving);

/* Whether a manner has its row; a test asks it of all. */
bool manners_has_row(MannerKind kind);

/* gather.c: the sum of one output cell, share `sum` of it passed; and a row of a product,
 * whose left row slides over it. */
void gather_cell(const Moving *moving, size_t row, size_t col, double sum);
void gather_row(const Moving *moving, size_t row, double share);

/* How far cell `col` of a row is that `gather_row` passes. */
double gather_share(const Moving *moving, size_t col, double share);

#endif
