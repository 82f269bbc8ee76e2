/* Moving outputs of operations, and the movements of their cells, listed by file; the
 * table in transitions.c assigns them to the kinds of transitions. */
#pragma once

#include "lesson/play/pace.h"
#include "lesson/play/transition.h"
#include "picture/transitions/bars.h"

typedef struct TapeNode TapeNode;

/* A moving output. */
typedef struct Moving {
    const Still *still;
    PaceMoment moment;
    TransitionKind transition;
    size_t node;
    const TapeNode *at;
    const StillTable *out;    /* where its cells are drawn */
    Bars bars;                /* bars that the cells are drawn as */
    const StillTable *before; /* table whose bars become these; NULL: none */
    size_t index, count; /* index among several tensors shown in turn, and their number */
    const size_t *places; /* for each cell the number of cells drawn before it */
    size_t place_count;   /* number of all drawn cells; 0: unknown */
    const Lesson *lesson;
    size_t cursor; /* the player's cell; PLAYER_NONE: all cells move */
    size_t slow;   /* cell that moves first, and slowly */
    bool orphan;   /* its source isn't drawn: nothing flies */
    bool arcs;     /* its cells are drawn as arcs */
    bool recipe;   /* see recipe_is */
} Moving;

/* flights.c: draw a cell's sources on their flight: straight; of a picked cell; as text,
 * for a cell drawn also as text, until ACROSS_LANDS; from a row to a column; of a slow
 * row along its lines; struck out by a relu. */
void fly_straight(const Moving *moving, size_t row, size_t col, double progress);
void fly_picked(const Moving *moving, size_t row, size_t col, double progress);
#define ACROSS_LANDS 0.7
bool is_drawn_twice(const Moving *moving, size_t row, size_t col);
void fly_across(const Moving *moving, size_t row, size_t col, double progress);
void fly_transposed(const Moving *moving, size_t row, size_t col, double progress);
void fly_along(const Moving *moving, size_t row, size_t col, double progress);
void fly_struck(const Moving *moving, size_t row, size_t col, double progress);

/* shutter.c: scores fly; and from SHUTTER_FALLS of the whole time on the mask's shutter
 * falls over each masked cell. */
#define SHUTTER_FALLS 0.45
void fly_scores(const Moving *moving, size_t row, size_t col, double progress);
void fall_shutter(const Moving *moving, double time);

/* squeeze.c: a score drops into its bar; and the output's items, or the total that its
 * row is divided by, meanwhile. */
void fly_into_bar(const Moving *moving, size_t row, size_t col, double progress);
void squeeze_item(const Moving *moving, size_t index, double progress);
void squeeze_total(const Moving *moving, SceneItem *item, double progress);

/* merge.c: the two parts of a new subword move together; and their items meanwhile.
 * Subwords without a merge were there before. */
void fly_together(const Moving *moving, size_t row, size_t col, double progress);
void merge_item(const Moving *moving, size_t index, double progress);

/* gather.c: the sum of one output cell, complete at TRANSITION_EXPLAINED of its flight:
 * part by part; or quickly, all parts at once. */
void gather_cell(const Moving *moving, size_t row, size_t col, double progress);
void gather_pairs(const Moving *moving, size_t row, size_t col, double progress);

/* Draw a product's number in the digits of an item's, on a ground of its own; and a
 * partial sum without a ground. */
void gather_product(const Moving *moving, size_t item, Box box, double value,
                    double shown);
void gather_sum(const Moving *moving, size_t item, Box box, double value);

/* recipe.c: report whether a product is drawn as a weighted sum, whose slow row is
 * explained line by line; and whether an item stands before its lines and is visible at
 * once; draw the moving parts; show items without a link. */
bool recipe_is(const Moving *moving);
bool recipe_is_question(const Moving *moving, const SceneItem *item);
void recipe_draw(const Moving *moving, double progress);
void recipe_show(const Moving *moving, SceneItem *item, double progress);

/* rotate.c: shows an item of a clock while its hand rotates; returns false if no clock is
 * drawn. */
bool rotate_item(const Moving *moving, size_t index, double progress);

/* slide.c: moves an item down along its threads to a place, returns false if there are
 * none; moves a cell of the slow row from line to line, returns false if there are no
 * lines; shows items without a link between the lines as the cells pass them. */
bool slide_along_thread(const Still *still, size_t item, Box to, double progress);
bool slide_cell(const Moving *moving, size_t row, size_t col, double progress);
void slide_between(const Moving *moving, SceneItem *item, double progress);
