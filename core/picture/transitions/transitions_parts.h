/* Moving outputs of operations, and the movements of their cells, shared by the files of
 * this room; the table in transition_table.c assigns them to the kinds of transitions. */
#pragma once

#include "picture/transitions/transitions.h"

typedef struct Lesson Lesson;
typedef struct TapeNode TapeNode;
typedef struct Term Term;

/* ---- bars.c: tables whose cells are drawn as bars, which grow from their base line ----
 */

typedef enum BarsKind {
    BARS_NONE,
    BARS_UPRIGHT, /* vertical, from a base line up and down */
    BARS_ACROSS,  /* horizontal, from a base line to the right or left */
    BARS_SPREAD   /* from a column's middle to both sides, each for many cells */
} BarsKind;

typedef struct Bars {
    BarsKind kind;
    double foot; /* coordinate of the base line */
} Bars;

/* Kind and base line of the bars that a table's cells are drawn as. */
Bars bars_of(const Still *still, const StillTable *table);

/* Shows a bar, or an item in it, grown by `progress`. Items beside it fade in. */
void bars_grow(const Still *still, const Bars *bars, SceneItem *item, double progress);

/* ---- moving.c ---- */

/* A moving output. */
typedef struct Moving {
    const Still *still;
    size_t node;
    TransitionKind transition;
    PaceMoment moment;
    const TapeNode *at;
    const StillTable *out;    /* where its cells are drawn */
    Bars bars;                /* bars that the cells are drawn as */
    const StillTable *before; /* table whose bars become these; NULL: none */
    const size_t *places;     /* for each cell the number of cells drawn before it */
    size_t place_count;       /* number of all drawn cells; 0: unknown */
    const size_t *ranks;      /* for each row the number of rows drawn before it */
    size_t drawn_rows;        /* number of all drawn rows */
    const Lesson *lesson;
    size_t cursor;                   /* the player's cell; PLAYER_NONE: all cells move */
    size_t slow, slow_row, slow_col; /* cell that moves first, and slowly */
    bool orphan;                     /* its source isn't drawn: nothing flies */
    bool arcs;                       /* its cells are drawn as arcs */
    bool recipe;                     /* see recipe_is */
} Moving;

/* Finds the moving cells of a phase, without `recipe`; returns false if none is drawn. */
bool moving_find(Moving *moving, const Still *still, const Stage *stage,
                 const TransitionPhase *phase);

/* Item of an output's cell in its last drawing, or STILL_NONE. */
size_t moving_item(const Moving *moving, size_t row, size_t col);

/* Explanation of a node's cell, in the frame's arena; NULL if there is none. */
const Term *moving_term(const Moving *moving, size_t node, size_t row, size_t col);

/* Reports whether an input of the moving node is drawn, or a source of it that
 * sources_take could find. To be asked before a cell is explained for its sources, since
 * its sum may have thousands of parts. */
bool moving_input_leads_to_drawn(const Moving *moving, size_t input);

/* A cell is drawn once or twice, by itself and in a table of all: the first drawing of a
 * cell comes from the first drawing of its source. */
enum { SOURCES_MOST = 24, DRAWN_FIRST = 0, DRAWN_LAST, DRAWN_COUNT };

/* Sources: the items of a still that an output's cell is computed from, found by the
 * tape's terms. */
typedef struct Sources {
    const Moving *moving;
    size_t count, most;
    size_t items[SOURCES_MOST][DRAWN_COUNT]; /* in the still */
    bool once[STILL_TABLES_MAX]; /* tables of one cell that was taken already */
    size_t user;                 /* node whose inputs are examined */
    size_t depth;  /* depth behind the moving node through nodes that aren't drawn */
    size_t looked; /* number of cells examined */
} Sources;

/* Takes the cell of an input, or, if it isn't drawn, the cells that it is computed from;
 * for term_visit_cells, with the sources as its context. */
void sources_take(void *context, const Term *cell);

/* Sources of a cell: the cell that it copies, or one of each input (for inputs that
 * aren't drawn all of their sources); at most `most`. */
Sources sources_of(const Moving *moving, size_t row, size_t col, size_t most);

/* Shows a bar, or an item beside it, that the bar of the table before becomes. */
void bars_become(const Moving *moving, size_t index, double progress);

/* ---- flights.c ----
 *
 * Draw the sources of a drawn cell on their flight: straight, or along the threads
 * between them; of a picked cell; as text, for a cell drawn also as text, until
 * ACROSS_LANDS; from a row to a column; struck out by a relu. */
#define LANDS 0.85 /* fraction of a flight after which it has landed */
void fly_straight(const Moving *moving, size_t row, size_t col, double progress);
void fly_picked(const Moving *moving, size_t row, size_t col, double progress);
#define ACROSS_LANDS 0.7
bool is_drawn_twice(const Moving *moving, size_t row, size_t col);
void fly_across(const Moving *moving, size_t row, size_t col, double progress);
void fly_transposed(const Moving *moving, size_t row, size_t col, double progress);
void fly_struck(const Moving *moving, size_t row, size_t col, double progress);

/* Shows an item of a clock while its hand rotates; returns false if no clock is drawn. */
bool rotate_item(const Moving *moving, size_t index, double progress);

/* ---- shutter.c ----
 *
 * Scores fly; and from SHUTTER_FALLS of the whole time on the mask's shutter falls over
 * each masked cell. */
#define SHUTTER_FALLS 0.45
void fly_scores(const Moving *moving, size_t row, size_t col, double progress);
void fall_shutter(const Moving *moving, double time);

/* ---- squeeze.c ----
 *
 * A score drops into its bar; and the output's items, or the total that its row is
 * divided by, meanwhile. */
void fly_into_bar(const Moving *moving, size_t row, size_t col, double progress);
void squeeze_item(const Moving *moving, size_t index, double progress);
void squeeze_total(const Moving *moving, SceneItem *item, double progress);

/* ---- merge.c ----
 *
 * The two parts of a new subword move together; and their items meanwhile. Subwords
 * without a merge were there before. */
void fly_together(const Moving *moving, size_t row, size_t col, double progress);
void merge_item(const Moving *moving, size_t index, double progress);

/* ---- gather.c ----
 *
 * The sum of one output cell, complete at TRANSITION_EXPLAINED of its flight: part by
 * part; or quickly, all parts at once. */
void gather_cell(const Moving *moving, size_t row, size_t col, double progress);
void gather_pairs(const Moving *moving, size_t row, size_t col, double progress);

/* Reports whether a product is drawn as a weighted sum, whose slow row is explained line
 * by line; and whether an item stands before its lines and is visible at once; draw the
 * moving parts; show items without a link. */
bool recipe_is(const Moving *moving);
bool recipe_is_question(const Moving *moving, const SceneItem *item);
void recipe_draw(const Moving *moving, double progress);
void recipe_show(const Moving *moving, SceneItem *item, double progress);

/* ---- slide.c ----
 *
 * Moves an item down along its threads to a place, returns false if there are none; shows
 * items without a link between the lines as the slow row's cells pass them. */
bool slide_along_thread(const Still *still, size_t item, Box to, double progress);
void slide_between(const Moving *moving, SceneItem *item, double progress);
