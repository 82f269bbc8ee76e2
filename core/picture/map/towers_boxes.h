/* Boxes of a model's map: the towers' boxes, their layout, and the steps they lead to.
 * Shared by towers.c and home, which draws the same boxes. */
#pragma once

#include "model/build/transformer.h"
#include "picture/draw/canvas.h"
#include "picture/stage/page_content.h"

/* Distances, relative to the distance of boxes. */
#define TOWERS_CAPTION_PITCH 0.8

/* Spacing of towers in units. */
typedef struct TowersStyle {
    double pad;     /* around all of them */
    double gap;     /* between two */
    double pitch;   /* largest distance of boxes */
    double box;     /* fraction of the pitch for a box; the rest is the line between */
    double frame;   /* from a box to the frame around it, in pitches */
    double name;    /* of a frame's name within its upper edge, in pitches */
    double caption; /* above a tower, in pitches */
} TowersStyle;

/* Gap between two towers of a map. */
#define TOWERS_GAP 28.0

enum { TOWER_BOXES_MAX = 32 };

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
    const PageParts *parts;
    const Transformer *model;
    const size_t *steps; /* the player's step of each part, or PLAYER_NONE */
    size_t present;      /* part with the cursor, or PLAYER_NONE */
    size_t count;
    Tower items[TRANSFORMER_MAX_TOWERS];
    double pitch;
    const TowersStyle *transition;
} Towers;

/* Finds the steps of all parts, lists the boxes and places them in the area. Returns
 * false when the frame's arena is exhausted. */
bool towers_prepare(Towers *towers, const PageParts *parts, const Transformer *model,
                    Box area);

/* Lists and places the towers of a shape, NULL: the original transformer's, as boxes
 * without parts, of one layer each. `manner` NULL: a map's spacing. */
void towers_prepare_shape(Towers *towers, const PageParts *parts,
                          const TransformerShape *shape, const TowersStyle *transition,
                          Box area);

/* Colour of a box: that of its role. */
Color tower_box_color(const Theme *theme, const TowerBox *box);
Sign tower_box_sign(const TowerBox *box);

/* Reports whether the cursor is in a part, or behind it. */
bool towers_hold_cursor(const Towers *towers, size_t part);
bool towers_are_past(const Towers *towers, size_t part);

/* Reports whether the tower's drawn layer has a label with its number. */
bool tower_has_label(const Tower *tower);
