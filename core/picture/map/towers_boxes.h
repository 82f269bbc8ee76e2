/* What a model's map consists of: which boxes its towers have, where they lie, and which
 * steps they lead to. Who draws towers includes this: towers.c, and home, which is drawn
 * of the same boxes. */
#ifndef PICTURE_TOWERS_BOXES_H
#define PICTURE_TOWERS_BOXES_H

#include "model/build/transformer.h"
#include "picture/draw/signs.h"
#include "picture/stage/page_content.h"

/* Distances in pitches, from one box to the next. */
#define TOWERS_CAPTION_PITCH 0.8

/* How towers are spaced, in units. */
typedef struct TowersStyle {
    double pad;     /* around them all */
    double gap;     /* between two */
    double pitch;   /* from one box to the next, at most */
    double box;     /* a box's share of that; the rest is the line between */
    double frame;   /* from a box to the frame around it, in pitches */
    double name;    /* of a frame, within its upper edge, in pitches */
    double caption; /* above a tower, in pitches */
} TowersStyle;

/* Between two towers of a map. */
#define TOWERS_GAP 28.0

enum { TOWER_BOXES_MAX = 32 };

/* One box of a tower: a part, or several that are shown as one. */
typedef struct TowerBox {
    size_t first, last; /* parts of the model, the last gives the thumbnail */
    const char *key;    /* strings key of its name */
    size_t folded;      /* how many layers it stands for; 0: it is no layer */
    bool in_frame;
    bool reads_memory;
    Box box;
} TowerBox;

typedef struct Tower {
    const TransformerTower *tower;
    size_t layers, layer; /* how many; the one that is drawn with its sublayers */
    size_t layer_part;    /* that one, as a part */
    size_t ids;           /* node, TAPE_NONE: none */
    size_t count;
    TowerBox boxes[TOWER_BOXES_MAX];
    Box frame; /* around the layer's boxes */
    double top;
} Tower;

typedef struct Towers {
    const PageParts *parts;
    const Transformer *model;
    const size_t *steps; /* of the player, one for each part, or PLAYER_NONE */
    size_t present;      /* the part that the cursor is in, or PLAYER_NONE */
    size_t count;
    Tower items[TRANSFORMER_MAX_TOWERS];
    double pitch;
    const TowersStyle *transition;
} Towers;

/* Finds the steps of all parts, lists the boxes and places them in the area. False when
 * the frame's arena is exhausted. */
bool towers_prepare(Towers *towers, const PageParts *parts, const Transformer *model,
                    Box area);

/* The towers of a shape, NULL: of the usual transformer: boxes that stand for no part, of
 * one layer each. `manner` NULL: a map's. */
void towers_prepare_shape(Towers *towers, const PageParts *parts,
                          const TransformerShape *shape, const TowersStyle *transition,
                          Box area);

/* What a box does, told by the colour of its role. */
Color tower_box_color(const Theme *theme, const TowerBox *box);
Sign tower_box_sign(const TowerBox *box);

/* Whether the cursor is in a part, or has come past it. */
bool towers_hold_cursor(const Towers *towers, size_t part);
bool towers_are_past(const Towers *towers, size_t part);

/* Whether the tower's drawn layer says which of several it is. */
bool tower_has_label(const Tower *tower);

#endif
