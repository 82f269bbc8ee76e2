/* The lane above the picture, the map to the left of it, the timeline below it, and the
 * architecture as towers, which home draws too. Lengths are points. */
#pragma once

#include "model/build/transformer.h"
#include "picture/draw/canvas.h"
#include "picture/stage/page_content.h"

/* ---- the map: towers.c ---- */

/* Draws a small transformer with the block of the present step highlighted; for a lesson
 * with a model, the model's architecture: the encoder on the left, the decoder on the
 * right, both read from below. Of equal layers one is drawn with its sublayers, the one
 * with the cursor; the others are folded into "5 ×". */
double map_width(const PageParts *parts);
void map_draw(const PageParts *parts, Box area);

/* ---- the lane: map_lane.c ---- */

/* Draws the same boxes in one line, from left to right, with the present one highlighted
 * and named; each leads to its step. Boxes have their names where all have room. Returns
 * the right end; draws nothing, and returns the left one, if the step's block is unknown
 * or there is no room. */
double map_lane_draw(const PageParts *parts, Box strip);

/* ---- the timeline: timeline.c ---- */

/* Draws the lesson's statements as dots, with chapter names below. */
void timeline_draw(const PageParts *parts, Box area);

/* Number of the statement at an x coordinate along the timeline. */
size_t timeline_statement_at(const Player *player, Box bar, double x);

/* Progress of the player, from 0 to 1. */
double timeline_fraction(const Player *player);

/* ---- the towers' boxes: towers_boxes.c ---- */

/* Spacing of towers. */
typedef struct TowersStyle {
    double pad;     /* around all of them */
    double gap;     /* between two */
    double pitch;   /* largest distance of boxes */
    double box;     /* fraction of the pitch for a box; the rest is the line between */
    double frame;   /* from a box to the frame around it, in pitches */
    double name;    /* of a frame's name within its upper edge, in pitches */
    double caption; /* above a tower, in pitches */
    double line;    /* thickness of the encoder output's lines */
    double apart;   /* from the middle of the keys' line to that of the values' */
    double start;   /* where they leave the encoder's top, as a fraction of its width */
    double rise;    /* how far they rise above it */
} TowersStyle;

enum { TOWER_BOXES_MAX = 32, MEMORY_POINTS = 5 };

/* One box of a tower: a part, or several in one. */
typedef struct TowerBox {
    size_t first, last; /* parts of the model; the last one gives the thumbnail */
    const char *key;    /* strings key of its name */
    size_t folded;      /* number of layers in the box; 0: no layer */
    bool in_frame;
    bool reads_memory;
    Box box;
} TowerBox;

typedef struct Tower {
    const TransformerTower *tower;
    size_t layers, layer; /* number of layers; the one drawn with its sublayers */
    size_t layer_part;    /* part of that layer */
    size_t ids;           /* node of the input IDs; TAPE_NONE: none */
    size_t count;
    TowerBox boxes[TOWER_BOXES_MAX];
    Box frame; /* around the layer's boxes */
    double top;
} Tower;

typedef struct Towers {
    /* Of a model; NULL for a shape alone. */
    const PageParts *parts;
    const Transformer *model;
    const size_t *steps; /* the player's step of each part, or PLAYER_NONE */
    size_t present;      /* part with the cursor, or PLAYER_NONE */
    size_t count;
    Tower items[TRANSFORMER_MAX_TOWERS];
    double pitch;
    const TowersStyle *style;
} Towers;

/* Finds the steps of all parts, lists the boxes and places them in the area. */
void towers_prepare(Towers *towers, const PageParts *parts, const Transformer *model,
                    Box area);

/* Lists and places the towers of a shape, NULL: the original transformer's, as boxes
 * without parts, of one layer each. `style` NULL: a map's spacing. */
void towers_prepare_shape(Towers *towers, const TransformerShape *shape,
                          const TowersStyle *style, Box area);

/* Colour of a box: that of its role. */
Color tower_box_color(const Theme *theme, const TowerBox *box);
Sign tower_box_sign(const TowerBox *box);

/* Reports whether the cursor is in a part, or behind it. */
bool towers_hold_cursor(const Towers *towers, size_t part);
bool towers_are_past(const Towers *towers, size_t part);

/* Reports whether the tower's drawn layer has a label with its number. */
bool tower_has_label(const Tower *tower);

/* Draws the line that a tower's boxes stand on; draw it before them. */
void tower_draw_trunk(const Canvas *canvas, const Tower *tower, double width,
                      Color color);

/* Sets the path of the encoder output to a box of the decoder, `aside` points beside its
 * middle: up from the encoder, across, down and into the box. */
void towers_memory_path(const Towers *towers, const TowerBox *reader, double aside,
                        Point path[MEMORY_POINTS]);

/* Draws that path to every box that reads the encoder output: keys and values, which are
 * computed from it, side by side in their colours. Nothing for a single tower. */
void towers_draw_memory(const Canvas *canvas, const Towers *towers);
