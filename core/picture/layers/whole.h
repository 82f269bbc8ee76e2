/* The whole model on one page, while it is laid out and drawn: what whole_model.c,
 * whole_layer.c and whole_end.c agree on. Only they include this. */
#ifndef PICTURE_WHOLE_H
#define PICTURE_WHOLE_H

#include "picture/stage/stage.h"

#define WHOLE_LABEL 18.0 /* the words' size, units, the least; a caption's room */
#define WHOLE_CAPTION 28.0
#define WHOLE_GAP 16.0

enum { WHOLE_LAYERS_MOST = 3 };

typedef struct Tower {
    const TransformerTower *tower;
    size_t rows, positions;           /* parts: the embeddings' rows, the positions' */
    size_t count, all;                /* layers that have a box, of how many */
    size_t layers[WHOLE_LAYERS_MOST]; /* parts */
    double line, height;              /* the lane's height on the page; the tables' */
    Box boxes[WHOLE_LAYERS_MOST];
} Tower;

typedef struct Whole {
    const Stage *stage;
    const Transformer *model;
    Box area;
    double labels; /* how wide the words at the left are */
    bool named;    /* the upper tower's words have room for what they are called */
    bool crowded;  /* no words have room */
    size_t count;
    Tower towers[TRANSFORMER_MAX_TOWERS];
} Whole;

/* whole_model.c: a part, a link to its step, and whether it is computed where the present
 * step is. */
const TransformerPart *whole_part(const Whole *whole, size_t part);
void whole_link(const Whole *whole, const TransformerPart *part);
bool whole_is_there(const Whole *whole, size_t node);

/* whole_layer.c: a layer's box on its tower's lane, how far above that it reaches, at
 * most and to be read, and where it reads the memory. */
void whole_draw_layer(const Whole *whole, const Tower *tower, size_t index);
const char *whole_tower_name(const Whole *whole, const Tower *tower);
double whole_layer_rise(void);
double whole_layer_least(void);
double whole_reads_at(const Whole *whole, size_t layer);

/* whole_end.c: linear, softmax, and the last row's shares as bars; how wide all that is,
 * and how far below the tower's line it reaches. */
void whole_draw_end(const Whole *whole, const Tower *tower);
double whole_end_width(const Whole *whole);
double whole_end_depth(const Whole *whole);

#endif
