/* Transitions: how the results of operations appear in a finished picture.
 *
 * Pictures link what they draw of a cell to it, so animation doesn't depend on any
 * picture. A still finds the cells in a finished scene; transitions change its items in
 * place and draw copies of them, behind it or in front. All are functions of a progress
 * from 0 (invisible, at the source) to 1 (visible, the still's own). */
#pragma once

#include "lesson/play/pace.h"
#include "lesson/play/transition.h"
#include "picture/scene/scene.h"

typedef struct Canvas Canvas;
typedef struct Stage Stage;
typedef struct Tape Tape;

/* ---- the still: the positions of the tape's cells in a finished scene ----
 *
 * A cell's items are one run from its ground on that is linked to it: rectangle, number,
 * hatching; or unlinked items that lie under an invisible linked rectangle. The still
 * borrows the scene. */

#define STILL_NONE ((size_t)-1)

enum { STILL_TABLES_MAX = 48 };

/* Drawn cells of a node. */
typedef struct StillTable {
    size_t node, rows, cols;
    Box box;              /* of all its cells */
    size_t *first, *last; /* for each cell the first item of its first and of its last run
                             in the scene, or STILL_NONE; NULL: none is drawn */
    size_t *under;        /* for each cell the last item under an invisible rectangle */
} StillTable;

typedef struct Still {
    const Canvas *canvas;
    const Tape *tape;
    Box area;          /* limits of moving items */
    size_t first, end; /* the still's items in the scene */
    size_t targets;    /* number of invisible rectangles examined */
    size_t table_count;
    StillTable tables[STILL_TABLES_MAX];
} Still;

/* Initializes a still with a stage's drawing: its scene's items from `first` on. */
void still_init(Still *still, const Stage *stage, size_t first);

/* Drawn cells of a node; NULL if none is drawn. */
const StillTable *still_table(const Still *still, size_t node);

/* Number of a node's leading rows that existed before: rows of a concatenation that are
 * only copied from a table that isn't drawn, followed by new ones. */
size_t still_cached_rows(const Still *still, size_t node);

/* First item of a cell's first or last run; STILL_NONE if it is not drawn by itself. */
size_t still_cell(const StillTable *table, size_t row, size_t col, bool last);

/* End of a run of items; reports whether an item is in a run, which may be
 * STILL_NONE. */
size_t still_run_end(const Still *still, size_t item);
bool still_is_in(const Still *still, size_t run, size_t item);

/* First text in a run, STILL_NONE if there is none. */
size_t still_text(const Still *still, size_t item);

/* Box of the ground of a cell's run. */
Box still_box(const Still *still, size_t item);

/* ---- motion ---- */

/* Easing of a progress with a smooth start and end; progress rescaled between two other
 * values, clamped to 0 … 1; and both. */
double motion_ease(double progress);
double motion_between(double progress, double begin, double end);
double motion_eased(double progress, double begin, double end);

Box motion_box_between(Box from, Box to, double progress);

/* Box of one box's size with the middle of another. */
Box motion_box_centred(Box size, Box in);

/* Colour with a fraction of its opacity. */
Color motion_shown(Color color, double shown);

/* Fades an item. Text appears only in the second half, so that of two texts that replace
 * each other never both are readable. */
void motion_fade(SceneItem *item, double shown);

/* Moves and stretches an item like `from` to `to`. */
void motion_move(Scene *scene, SceneItem *item, Box from, Box to);

/* Cuts a path to a fraction of its length from its beginning. */
void motion_grow(Scene *scene, SceneItem *item, double progress);

/* Draws a copy of a cell's run of items, without a link, moved and stretched so that its
 * ground lies in `to`, with `shown` of its opacity. */
void ghost_draw(const Still *still, size_t item, Box to, double shown);

/* Draws a copy on its way from its own place to another; it arrives at the progress
 * `lands` and then fades. */
void ghost_fly(const Still *still, size_t item, Box to, double progress, double lands);

/* ---- texts ---- */

/* Removes each text from item `first` on that lies under another one, or under the ground
 * of an item, if one of the two moves, so that each text is readable as a whole or
 * invisible. `moves` has an entry for each of these items. */
void readable_keep_whole(Scene *scene, size_t first, const bool *moves);

/* ---- transitions ---- */

/* A node that appears, its transition, and the moment in its own time. */
typedef struct TransitionPhase {
    size_t node;
    TransitionKind transition;
    PaceMoment moment;
    bool in_place; /* it is transposed where it stands */
    size_t before; /* TRANSITION_MORPH: the node whose bars become its own; else
                      TAPE_NONE */
} TransitionPhase;

/* Plays nodes that appear in a stage's still; its focus moves first, and slowly. */
void transitions_play(const Still *still, const Stage *stage,
                      const TransitionPhase *phases, size_t count);

/* Reports whether a kind has a row in the table of transitions; a test checks all of
 * them. */
bool transitions_has_row(TransitionKind kind);
