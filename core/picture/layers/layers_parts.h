/* Parts of this room's pictures: a lane taken apart, and what is drawn along lanes.
 * Lengths are points. Only this room includes this. */
#pragma once

#include "picture/charts/charts.h"
#include "picture/draw/canvas.h"
#include "picture/draw/lanes.h"
#include "picture/layers/layers.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/stage/ruler.h"
#include "tensor/tape/tape.h"

/* ---- lane_marks.c: what is drawn along lanes ---- */

/* A part of a model as a rounded box with its name. */
typedef struct LaneBlock {
    const char *name; /* "": only the sign is drawn, in the edge's colour */
    Sign sign;        /* drawn if the name has no room; SIGN_NONE: the name always is */
    Role role;
    FontRole font;
    double units; /* size of the name */
    Color fill, edge, ink;
} LaneBlock;

/* Block of a sublayer's topic, "feed_forward" or an attention; the caller sets font and
 * units. */
LaneBlock lane_block_of(const Canvas *canvas, const char *topic);

/* Reports whether a block's name has room in a box, in one line or two. */
bool lane_block_fits(const Canvas *canvas, const LaneBlock *block, Box box);

/* Draws the box, and in it the name, or the sign if the name has no room. */
void lane_block_draw(const Canvas *canvas, const LaneBlock *block, Box box);

/* Distance of a block's lines, relative to their size. */
#define LANE_LEADING 1.15

/* Tables of one shape on a lane. */
typedef struct LaneTables {
    const Stage *stage;
    double labels;        /* width of the tokens beside the first table */
    double width, height; /* of each table's cells */
    double reach;         /* of their colours */
    double digits;        /* size of the numbers; 0: they have no room */
    bool without_shapes;  /* captions are names alone */
} LaneTables;

/* Sets the size of the digits with which all tables have room for numbers. */
void lane_tables_measure(LaneTables *tables, const size_t *nodes, size_t count);

/* Draws a node's table with its caption below, or above if `above`; outlines the focused
 * cell unless the colour's a is 0. */
void lane_table_draw(const LaneTables *tables, size_t node, Box cells, bool labels,
                     bool above, Color outline);

/* Own name of a node as a formula; "position" or "embedding" if it has none. */
const char *lane_table_name(const Stage *stage, size_t node);

/* Draws the frame of a table on a lane. */
void lane_frame(const Canvas *canvas, Box cells);

/* Draws a ring with a question mark on a lane. */
void lane_question(const Canvas *canvas, Point centre, double radius);

/* Draws the numbers of a normalized row as dots across a norm's gate at height `y`;
 * larger if `chosen`. Each is linked to its cell. */
void lane_norm_dots(const Stage *stage, size_t node, size_t row, Box gate, double y,
                    bool chosen);

/* Draws a rounded box on a lane, its edge in a role's colour. */
void lane_box(const Canvas *canvas, Box box, Role role);

/* ---- lane_parts.c: a composite step taken apart into its input and side loops, which
 * leave the lane and come back at a sum. A layer is such a step, and so is a lesson's own
 * `layer_norm(X + feed_forward(X, …))` ---- */

enum { LANE_LOOPS_MAX = 4 };

/* One sublayer with its sum and norm. Steps are numbers of the player's tree. */
typedef struct LaneLoop {
    size_t step, node;    /* the sublayer and its result */
    size_t memory;        /* node that it attends to besides its input; TAPE_NONE: none */
    size_t sum_step, sum; /* the residual sum after it */
    size_t norm_step, norm; /* PLAYER_NONE and TAPE_NONE: there is none */
    bool norm_first;        /* the norm lies on the loop, not behind the sum */
    size_t in, out;         /* nodes on the lane before and behind it */
} LaneLoop;

typedef struct LaneParts {
    size_t count;
    LaneLoop loops[LANE_LOOPS_MAX];
} LaneParts;

/* Takes a step of the player's tree apart; returns false if it has another structure. */
bool lane_parts(LaneParts *parts, const Stage *stage, size_t step);

/* Player's step that computes a node as a statement's result; PLAYER_NONE: none. */
size_t lane_maker(const Stage *stage, size_t node);

/* Reports whether a step reads a node: an operation as an input, a composite with any
 * sub-step. */
bool lane_reads(const Stage *stage, size_t step, size_t node);

/* Block of a sublayer; its name is "sublayer" if it has none. */
LaneBlock lane_loop_block(const Stage *stage, const LaneLoop *loop);

/* ---- network.c ---- */

/* Finds the parts of a feed-forward network, x W_1 + b_1, an activation, times W_2 + b_2,
 * that a step of the player's tree computes, and their inputs; returns false if it
 * computes anything else, or in another order. */
bool network_find(Network *network, const Stage *stage, size_t step);

/* ---- loop_box.c, loop_network.c ---- */

/* Draws a sublayer for row `row` into the box on its side loop: an attention as arcs from
 * the chosen token to those it attends to, a feed-forward network as bands through its
 * gate; nothing if it is neither, or has no room. */
void loop_box_draw(const Stage *stage, const LaneLoop *loop, size_t row, Box box);

/* Draws a feed-forward network, all six parts, for row `row` into a box: one token's
 * vector is projected to the hidden units, the activation is applied to each unit,
 * and a second projection returns to the model dimension. A unit's band is as wide as its
 * contribution. */
void loop_network_draw(const Stage *stage, const Network *network, size_t row, Box box);
