/* The circuit of one attention, while it is laid out and drawn: what attention_circuit.c,
 * heads_circuit.c, circuit_layout.c, circuit_lanes.c, circuit_row.c and circuit_arcs.c
 * agree on. Only they include this. */
#ifndef PICTURE_CIRCUIT_H
#define PICTURE_CIRCUIT_H

#include "picture/circuits/attention_parts.h"
#include "picture/circuits/chosen_table.h"
#include "picture/draw/roles.h"

typedef enum CircuitLaneKind {
    CIRCUIT_QUERY,
    CIRCUIT_KEY,
    CIRCUIT_VALUE,
    CIRCUIT_LANES
} CircuitLaneKind;

/* One of the three lanes, from what it is made of to its table. */
typedef struct CircuitLane {
    const AttentionLane *parts;
    Role role;
    ChosenTable table;        /* Q, K or V; no tensor: not in this step */
    size_t source;            /* of the circuit's sources; PLAYER_NONE: none */
    bool kept;                /* an earlier step has made it of that */
    ChosenTable weight, bias; /* that lie on it; no tensor: none */
    double level;             /* of its straight part, where the weight lies */
} CircuitLane;

typedef struct Circuit {
    const Stage *stage;
    const AttentionParts *parts;
    Box area;            /* above the legends */
    size_t row;          /* the chosen one: a query's */
    size_t kept;         /* rows of keys and values, the first, that a cache has kept */
    double reach;        /* of all tables that are no shares … */
    double weight_reach; /* … of the weights on the lanes, where it differs; else 0 */
    Color band;          /* of the head's columns within its sources */
    CircuitLane lanes[CIRCUIT_LANES];
    size_t source_count;
    ChosenTable sources[CIRCUIT_LANES];
    ChosenTable scores; /* of the last ones, masked; no tensor: they have no room */
    bool scores_apart;  /* they have a scale, and a legend, of their own */
    ChosenTable probabilities;
    bool in_bars;       /* they are drawn as bars, which need no legend */
    ChosenTable result; /* all rows of the output; no tensor: none, or no room */
    Heatmap mixed;      /* its chosen row; no tensor: the step has no output */
    bool upright;       /* words below the shares */
    double words;       /* how tall they are; 0: there are none */
    double arcs;        /* how low the arcs below them hang */
} Circuit;

/* circuit_layout.c: gives everything its place; or, for a circuit of several heads, no
 * more than sources and weights, whose lanes' levels are known. */
bool circuit_layout(Circuit *circuit);
void circuit_place_weights(Circuit *circuit, double middle);
void circuit_place_sources(Circuit *circuit, double right, double column);
double circuit_weights_width(const Circuit *circuit); /* 0: there are none */
double circuit_value_level(const Circuit *circuit);   /* of the values' lane */
double circuit_numbered(const Circuit *circuit, const ChosenTable *table);
double circuit_first_labels(const Circuit *circuit);
void circuit_fit_sources(Circuit *circuit);

/* circuit_lanes.c: a lane with its table, its source and weight, the source added to the
 * circuit's; and how all of it is drawn. */
CircuitLane circuit_lane(Circuit *circuit, const AttentionLane *parts, Role role);
void circuit_find_cached(Circuit *circuit); /* once all lanes are there */
void circuit_draw_path(const Circuit *circuit, CircuitLaneKind kind);
void circuit_draw_sources(const Circuit *circuit);
void circuit_draw_weight(const Circuit *circuit, const CircuitLane *lane);
void circuit_draw_table(const Circuit *circuit, const CircuitLane *lane);

RoleTab circuit_tab(const Circuit *circuit, const CircuitLane *lane);

/* How far below a table the name of its tensor and the shape reach, in points. */
double circuit_name_reach(const Circuit *circuit, const ChosenTable *table);

/* A name below a table. */
void circuit_draw_name(const Circuit *circuit, const ChosenTable *table, const char *name,
                       double width, bool with_shape);

/* A table with its name below it, and the legend of a scale that is its own, or its
 * shape. */
void circuit_draw_result(const Circuit *circuit, const ChosenTable *table,
                         const char *name, double width, bool scale_apart);

/* Gives the sources and the lanes' tables one scale, that reaches at least so far, and
 * the weights another one where that would bleach them; and the legends of both. */
void circuit_scale(Circuit *circuit, double least);
void circuit_draw_legends(const Circuit *circuit);

/* A strip in a head's colour above columns that are its own. */
void circuit_draw_band(const Circuit *circuit, const ChosenTable *table, size_t begin,
                       size_t end, Color color);

/* The same above one column that several heads share: the part of one of them. */
void circuit_draw_attention_weight(const Circuit *circuit, const ChosenTable *table,
                                   size_t col, size_t part, size_t parts, Color color);

/* How much room the name of a source has below it. */
double circuit_caption(const Circuit *circuit);

/* attention_circuit.c: a row of a table as one of its own, in the frame's arena, or NULL;
 * what the last scores are called. */
const Tensor *circuit_tensor_row(const Canvas *canvas, const Tensor *all, size_t row);
const char *circuit_scores_name(const Circuit *circuit);

/* A row's share of a column, as the tape has it. */
double circuit_weight(const Circuit *circuit, size_t col);

/* circuit_arcs.c: the words below the shares, and arcs from the chosen one to those that
 * it reads. `circuit_measure_words` sets `words` and `upright`, for columns that wide. */
double circuit_widest_word(const Circuit *circuit); /* a column that it lies flat in */
void circuit_measure_words(Circuit *circuit, double column);
void circuit_draw_arcs(const Circuit *circuit);

/* cache_counter.c: what kept rows save, and new ones cost. */
#define CACHE_COUNTER 74.0 /* how tall */
void circuit_draw_counter(const Circuit *circuit, Box strip);

/* circuit_row.c: in place of all rows the chosen one's way, large: where its values are
 * mixed, and where type is large. */
void circuit_draw_row(Circuit *circuit);

#endif
