/* Moving: an operation's output on its way, and the parts of what then moves, told here
 * by file; the table of manners says which manner has which. */
#ifndef PICTURE_MOVING_H
#define PICTURE_MOVING_H

#include "lesson/play/pace.h"
#include "lesson/play/transition.h"
#include "picture/transitions/bars.h"

/* An output on its way. */
typedef struct Moving {
    const Still *still;
    PaceMoment moment;
    TransitionKind transition;
    size_t node;
    const TapeNode *at;
    const StillTable *out;    /* where its cells are drawn */
    Bars bars;                /* what they are drawn as */
    const StillTable *before; /* whose bars these were; NULL: nothing is */
    size_t turn, turns;       /* shown as one of several */
    const size_t *places;     /* by cell: how many before it are drawn … */
    size_t place_count;       /* … of all; 0: unknown */
    const Lesson *lesson;
    size_t cursor; /* the player's cell, or PLAYER_NONE: all of them move, … */
    size_t slow;   /* … this cell first, and slowly */
    bool orphan;   /* what it comes from isn't drawn: nothing is on its way */
    bool arcs;     /* its cells are drawn as arcs */
    bool recipe;   /* see recipe_is */
} Moving;

/* flights.c: what is on its way to a cell at a share of its flight: what it comes from,
 * straight, or if it is picked; its text, of a cell that is drawn as one and once more,
 * to be there at ACROSS_LANDS; a row that turns into a
 * column; a slow row along its lines; and, of a relu, with what is struck out. */
void fly_straight(const Moving *moving, size_t row, size_t col, double progress);
void fly_picked(const Moving *moving, size_t row, size_t col, double progress);
#define ACROSS_LANDS 0.7
bool is_drawn_twice(const Moving *moving, size_t row, size_t col);
void fly_across(const Moving *moving, size_t row, size_t col, double progress);
void fly_transposed(const Moving *moving, size_t row, size_t col, double progress);
void fly_along(const Moving *moving, size_t row, size_t col, double progress);
void fly_struck(const Moving *moving, size_t row, size_t col, double progress);

/* shutter.c: scores land; and from SHUTTER_FALLS of the whole time on each masked cell is
 * covered as far as the shutter is down. */
#define SHUTTER_FALLS 0.45
void fly_scores(const Moving *moving, size_t row, size_t col, double progress);
void fall_shutter(const Moving *moving, double time);

/* squeeze.c: a score drops into its bar; and how an item of the output's cell is there
 * meanwhile, or the total that its row is divided by. */
void fly_into_bar(const Moving *moving, size_t row, size_t col, double progress);
void squeeze_item(const Moving *moving, size_t index, double progress);
void squeeze_total(const Moving *moving, SceneItem *item, double progress);

/* merge.c: the two pieces that a new one is joined from go together; and how an item of
 * theirs is there meanwhile. What is no new piece was there before. */
void fly_together(const Moving *moving, size_t row, size_t col, double progress);
void merge_item(const Moving *moving, size_t index, double progress);

/* gather.c: the sum of one output cell, whole at TRANSITION_EXPLAINED of its flight, part
 * by part; or quickly, all parts abreast. */
void gather_cell(const Moving *moving, size_t row, size_t col, double progress);
void gather_pairs(const Moving *moving, size_t row, size_t col, double progress);

/* A product's number in the digits of an item's, on a ground of its own; and a sum so far
 * without one. */
void gather_product(const Moving *moving, size_t item, Box box, double value,
                    double shown);
void gather_sum(const Moving *moving, size_t item, Box box, double value);

/* recipe.c: whether a product is drawn as a recipe, whose slow row is told line by line;
 * whether an item stands before its lines and is there at once; what is on its way
 * there; and how what is linked to nothing is. */
bool recipe_is(const Moving *moving);
bool recipe_is_question(const Moving *moving, const SceneItem *item);
void recipe_draw(const Moving *moving, double progress);
void recipe_show(const Moving *moving, SceneItem *item, double progress);

/* rotate.c: how an item of a clock is while its hand turns; false where none is drawn. */
bool rotate_item(const Moving *moving, size_t index, double progress);

/* slide.c: an item slides down the threads that lead from it to a place, false where none
 * do; a cell of the slow row slides from line to line, false where there are none, and it
 * goes as others do. What stands between the lines without a link comes as it
 * passes. */
bool slide_along_thread(const Still *still, size_t item, Box to, double progress);
bool slide_cell(const Moving *moving, size_t row, size_t col, double progress);
void slide_between(const Moving *moving, SceneItem *item, double progress);

#endif
