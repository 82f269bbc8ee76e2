/* Circuit of one attention during layout and drawing, shared by attention_circuit.c,
 * heads_circuit.c, circuit_layout.c, circuit_lanes.c, circuit_row.c and circuit_arcs.c.
 * Only they include this. */
#pragma once

#include "picture/circuits/attention_parts.h"
#include "picture/circuits/chosen_table.h"
#include "picture/draw/roles.h"

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
    ChosenTable result; /* all rows of the output; without a tensor if there is none, or
                           no room */
    /* Chosen row of the output; without a tensor if the step has no output. */
    Heatmap mixed;
    bool upright; /* labels below the probabilities are vertical */
    double words; /* height of the labels; 0: none */
    double arcs;  /* depth of the arcs below them */
} Circuit;

/* circuit_layout.c: lays out everything; of a circuit of several heads only sources and
 * weights, whose lanes' levels are known. Returns false if there is no room. */
bool circuit_layout(Circuit *circuit);
void circuit_place_weights(Circuit *circuit, double middle);
void circuit_place_sources(Circuit *circuit, double right, double column);
double circuit_weights_width(const Circuit *circuit); /* 0: there are none */
double circuit_value_level(const Circuit *circuit);   /* of the values' lane */
double circuit_numbered(const Circuit *circuit, const ChosenTable *table);
double circuit_first_labels(const Circuit *circuit);
void circuit_fit_sources(Circuit *circuit);

/* circuit_lanes.c: a lane with its table, source and weight, its source added to the
 * circuit's; and the drawing of lanes. */
CircuitLane circuit_lane(Circuit *circuit, const AttentionLane *parts, Role role);
void circuit_find_cached(Circuit *circuit); /* call it when all lanes are set */
void circuit_draw_path(const Circuit *circuit, CircuitLaneKind kind);
void circuit_draw_sources(const Circuit *circuit);
void circuit_draw_weight(const Circuit *circuit, const CircuitLane *lane);
void circuit_draw_table(const Circuit *circuit, const CircuitLane *lane);

RoleTab circuit_tab(const Circuit *circuit, const CircuitLane *lane);

/* Distance in points from a table's lower edge to the end of its name and shape. */
double circuit_name_reach(const Circuit *circuit, const ChosenTable *table);

/* Draws a name below a table. */
void circuit_draw_name(const Circuit *circuit, const ChosenTable *table, const char *name,
                       double width, bool with_shape);

/* Draws a table with its name below it, and the legend of its own scale, or its shape. */
void circuit_draw_result(const Circuit *circuit, const ChosenTable *table,
                         const char *name, double width, bool scale_apart);

/* Gives the sources and the lanes' tables one scale of at least reach `least`, and the
 * weights another one if theirs would make them pale; then come the legends of both. */
void circuit_scale(Circuit *circuit, double least);
void circuit_draw_legends(const Circuit *circuit);

/* Draws a strip in a head's colour above its columns. */
void circuit_draw_band(const Circuit *circuit, const ChosenTable *table, size_t begin,
                       size_t end, Color color);

/* Draws one head's part of the strip above a column that several heads share. */
void circuit_draw_attention_weight(const Circuit *circuit, const ChosenTable *table,
                                   size_t col, size_t part, size_t parts, Color color);

/* Height of a source's name below it. */
double circuit_caption(const Circuit *circuit);

/* attention_circuit.c: a row of a table as a tensor of its own, in the frame's arena, or
 * NULL; and the scores' name. */
const Tensor *circuit_tensor_row(const Canvas *canvas, const Tensor *all, size_t row);
const char *circuit_scores_name(const Circuit *circuit);

/* Attention weight of the chosen row for a column, as on the tape. */
double circuit_weight(const Circuit *circuit, size_t col);

/* circuit_arcs.c: tokens below the probabilities, and arcs from the chosen one to those
 * that it attends to. `circuit_measure_words` sets `words` and `upright` for a column
 * width. */
double
circuit_widest_word(const Circuit *circuit); /* column width for a horizontal label */
void circuit_measure_words(Circuit *circuit, double column);
void circuit_draw_arcs(const Circuit *circuit);

/* cache_counter.c: multiplications saved by cached rows, and those of new ones. */
#define CACHE_COUNTER 74.0 /* height */
void circuit_draw_counter(const Circuit *circuit, Box strip);

/* circuit_row.c: draws the chosen row's path, large, instead of all rows: if the step
 * computes the weighted sum, and on enlarged pages. */
void circuit_draw_row(Circuit *circuit);
