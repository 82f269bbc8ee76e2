/* Parts of this room's pictures: tables with a chosen row, and the circuit that they
 * form. Lengths are points. Only this room includes this. */
#pragma once

#include "picture/circuits/circuits.h"
#include "picture/draw/roles.h"
#include "picture/stage/ruler.h"

/* ---- chosen_table.c: a table with a chosen row, which is taller and framed and has
 * numbers; the others show their colours, or numbers, too (in_numbers) ---- */

/* A table. Its picture sets the left top and the width of `cells`; their height results
 * from the rows. Every cell is linked to its node. */
typedef struct ChosenTable {
    const Tensor *tensor; /* NULL: there is no table */
    size_t node;
    HeatmapColors colors;
    double reach;         /* number with the strongest colour */
    const Tensor *hidden; /* tensor of the same shape: cells that it masks are hatched */
    size_t row;           /* chosen row; PLAYER_NONE: none */
    double row_height, chosen_height;
    Box cells;
    double label_room; /* width of row labels; 0: none */
    bool in_numbers;   /* all rows have numbers, if they fit */
    bool in_colours;   /* not even the chosen row has numbers */
    double digits;     /* largest size of the chosen row's digits; 0: as fits */
    size_t visible;    /* number of computed cells, in reading order */
} ChosenTable;

/* Table of a node: probabilities have reach 1, other tables their largest number. Without
 * a tensor for TAPE_NONE. */
ChosenTable chosen_table_of(const Stage *stage, size_t node, size_t row);

/* Number of columns and rows; 0 without a tensor. */
double chosen_cols(const ChosenTable *table);
double chosen_rows(const ChosenTable *table);

/* Sets both heights so that the table is no taller than `height`, its rows no taller than
 * `most`, and the chosen row, if there is room, at least `chosen`. */
void chosen_table_fit(ChosenTable *table, double height, double most, double chosen);

/* Places the table's left top corner at `at`, with columns of the given width; sets
 * cells.h. */
void chosen_table_place(ChosenTable *table, Point at, double column);

/* Height of all rows. */
double chosen_table_height(const ChosenTable *table);

/* Box of a row, and of a cell. */
Box chosen_table_row(const ChosenTable *table, size_t row);
Box chosen_table_cell(const ChosenTable *table, size_t row, size_t col);

/* Middle of the chosen row at its left and right end; of all rows if none is chosen. */
Point chosen_table_left(const ChosenTable *table);
Point chosen_table_right(const ChosenTable *table);

/* Rows [begin, end) of a tensor as a tensor, in the frame's arena; NULL for NULL. */
const Tensor *chosen_table_part(const Canvas *canvas, const Tensor *all, size_t begin,
                                size_t end);

/* Size of the chosen row's digits; 0: it has no numbers. */
double chosen_table_digits(const Stage *stage, const ChosenTable *table);

/* Draws labels and cells, and a frame around the stage's focused cell if it is in the
 * chosen row, else around that row; none if no row is chosen. */
void chosen_table_draw(const Stage *stage, const ChosenTable *table);

/* ---- circuit.c: lanes, their tables, sources and weights ---- */

typedef enum CircuitLaneKind {
    CIRCUIT_QUERY,
    CIRCUIT_KEY,
    CIRCUIT_VALUE,
    CIRCUIT_LANES
} CircuitLaneKind;

/* One of the three lanes, from its source to its table. */
typedef struct CircuitLane {
    const AttentionLane *parts;
    Role role;
    ChosenTable table;        /* Q, K or V; without a tensor if not in this step */
    size_t source;            /* index in the circuit's sources; PLAYER_NONE: none */
    bool from_cache;          /* computed from the source by an earlier step */
    ChosenTable weight, bias; /* drawn on the lane; without a tensor if there is none */
    double level;             /* y of the straight part, on which the weight lies */
} CircuitLane;

typedef struct Circuit {
    const Stage *stage;
    const AttentionParts *parts;
    Box area;            /* above the legends */
    size_t row;          /* chosen row, a query's */
    size_t cached_rows;  /* number of leading rows of keys and values from a cache */
    double reach;        /* reach of all tables except probabilities */
    double weight_reach; /* reach of the weights on the lanes, if it differs; else 0 */
    Color band;          /* colour of the head's columns in its sources */
    CircuitLane lanes[CIRCUIT_LANES];
    size_t source_count;
    ChosenTable sources[CIRCUIT_LANES];
    /* Scaled and masked scores; without a tensor if there is no room. */
    ChosenTable scores;
    bool scores_apart; /* the scores have a scale and a legend of their own */
    ChosenTable probabilities;
    bool in_bars;       /* the probabilities are drawn as bars without a legend */
    ChosenTable result; /* all rows of the output; without a tensor if there is none */
    /* Chosen row of the output; without a tensor if the step has no output. */
    Heatmap mixed;
    bool upright; /* labels below the probabilities are vertical */
    double words; /* height of the labels; 0: none */
    double arcs;  /* depth of the arcs below them */
} Circuit;

/* Sets the lanes from sources to Q, K and V, with their tables and weights. */
void circuit_set_lanes(Circuit *circuit, const AttentionLane *query,
                       const AttentionLane *key, const AttentionLane *value);

/* Sets the source of lanes without one whose tables an earlier step computed from a
 * source. */
void circuit_find_cached(Circuit *circuit);

/* Gives the sources, the lanes' tables and `table` one scale of at least reach `least`,
 * and the weights another one if the common scale would make them pale. Returns true if
 * the table would make the others pale, so that it keeps its own. */
bool circuit_scale_with(Circuit *circuit, ChosenTable *table, double least);

/* Attention weight of the chosen row for a column, as on the tape. */
double circuit_weight(const Circuit *circuit, size_t col);

/* Name of the scores; a description where a formula computes them without a name. */
const char *circuit_scores_name(const Circuit *circuit);

/* Tracks of a circuit from left to right; those of a picture follow. */
enum {
    CIRCUIT_LABELS, /* tokens beside the first tables */
    CIRCUIT_SOURCES,
    CIRCUIT_FORK, /* between sources and what follows */
    CIRCUIT_WEIGHTS,
    CIRCUIT_BEHIND, /* gap before the tables' cells, with their frame's margin */
    CIRCUIT_TABLES, /* cells of Q, K and V */
    CIRCUIT_OWN
};

/* Track of a gap, which is narrower or wider as there is room, behind a fixed length. */
Track circuit_gap(double fixed, double length);

/* Sets the tracks before CIRCUIT_TABLES. */
void circuit_set_tracks(const Circuit *circuit, Track *across);

/* Width of the weights and the gap behind them; 0: there are none. */
double circuit_weights_width(const Circuit *circuit);

/* Adds the weights' track and widens the gap behind them. */
void circuit_add_weights(const Circuit *circuit, Track *across);

/* Divides the area's width; returns false if not even the least widths have room. */
bool circuit_share(const Circuit *circuit, Track *across, size_t count);

/* Widens gaps, and centres everything in the area. */
void circuit_spread(const Circuit *circuit, Track *across, size_t count);

/* Leaves out the weights and, if `sources`, the sources. */
void circuit_leave_out(Circuit *circuit, bool sources);

/* Places weights and sources at the levels of the lanes, which are set. */
void circuit_place(Circuit *circuit, const Track *across);

/* Places the tables of the first `count` lanes below each other, with rows no taller than
 * `most` and chosen rows of at least `chosen`, and sets the lanes' levels to their
 * middles. The fewer rows there are, the taller they may be. */
void circuit_place_stack(Circuit *circuit, const Track *column, int count, double most,
                         double chosen);

/* Width of a lane's weight with its frame. */
double circuit_weight_width(const Circuit *circuit, const ChosenTable *weight);

/* Places a lane's weight and bias at the lane's level, but not above `highest`; returns
 * their lower end. */
double circuit_place_weight(const Circuit *circuit, CircuitLane *lane, double middle,
                            double highest);

/* y of the values' lane, at which its weight ends at the area's lower edge. */
double circuit_value_level(const Circuit *circuit);

/* Column width with room for a table's numbers; 0 without a table. */
double circuit_numbered(const Circuit *circuit, const ChosenTable *table);

/* Tab of a lane's table; height of such tabs. */
RoleTab circuit_tab(const Circuit *circuit, const CircuitLane *lane);
double circuit_tab_height(const Circuit *circuit);

/* Draws the lanes from the sources to their tables. */
void circuit_draw_paths(const Circuit *circuit);

/* Draws the tables from which the lanes start. */
void circuit_draw_sources(const Circuit *circuit);

/* Draws a lane's weight and bias on it, and its table with its tab. */
void circuit_draw_weight(const Circuit *circuit, const CircuitLane *lane);
void circuit_draw_table(const Circuit *circuit, const CircuitLane *lane);

/* Draws a table with its name below it, and the legend of its own scale, or its shape. */
void circuit_draw_result(const Circuit *circuit, const ChosenTable *table,
                         const char *name, double width, bool scale_apart);

/* Draws a strip in a head's colour above its columns of a table, from `begin` to `end`,
 * which may be fractions of a column. */
void circuit_draw_band(const Circuit *circuit, const ChosenTable *table, double begin,
                       double end, Color color);

/* Draws the legends of the scales, and the key of the roles. */
void circuit_draw_legends(const Circuit *circuit);

/* ---- circuit_arcs.c: tokens below the probabilities, and arcs from the chosen one to
 * those that it attends to ---- */

double circuit_widest_word(const Circuit *circuit); /* column for a horizontal label */

/* Sets `words` and `upright` for a column width. */
void circuit_measure_words(Circuit *circuit, double column);

/* Draws the tokens, and an arc to each, as thick as its attention weight. */
void circuit_draw_arcs(const Circuit *circuit);

/* ---- pictures ---- */

/* row_circuit.c: draws the chosen row's path, large, instead of all rows. */
void circuit_draw_row(Circuit *circuit);

/* cache_counter.c: multiplications saved by cached rows, and those of new ones. */
#define CACHE_COUNTER 74.0 /* height */
void circuit_draw_counter(const Circuit *circuit, Box strip);
