/* Picture of the whole model during layout and drawing, shared by whole_model.c,
 * whole_layer.c and whole_end.c. Only they include this. */
#pragma once

#include "model/build/model.h"
#include "picture/stage/stage.h"

#define WHOLE_LABEL 18.0 /* units: size of words, its minimum, height of a caption */
#define WHOLE_CAPTION 28.0
#define WHOLE_GAP 16.0

enum { WHOLE_LAYERS_MOST = 3 };

typedef struct Tower {
    const TransformerTower *tower;
    size_t rows, positions; /* parts: the embeddings, the positional encodings */
    size_t count, all;      /* layers with a box, and all layers */
    size_t layers[WHOLE_LAYERS_MOST]; /* parts */
    double line, height; /* y of the lane on the page; height of the tables */
    Box boxes[WHOLE_LAYERS_MOST];
} Tower;

typedef struct Whole {
    const Stage *stage;
    const Transformer *model;
    Box area;
    double labels; /* width of the tokens on the left */
    bool named;    /* the upper tower's tokens have room for their name */
    bool crowded;  /* no token has room */
    size_t count;
    Tower towers[TRANSFORMER_MAX_TOWERS];
} Whole;

/* whole_model.c: a part, a link to its step, and whether it is computed at the present
 * step. */
const TransformerPart *whole_part(const Whole *whole, size_t part);
void whole_link(const Whole *whole, const TransformerPart *part);
bool whole_is_there(const Whole *whole, size_t node);

/* whole_layer.c: draws a layer's box on its tower's lane; its height above the lane, at
 * most and to be readable; and the point where it reads the encoder output. */
void whole_draw_layer(const Whole *whole, const Tower *tower, size_t index);
const char *whole_tower_name(const Whole *whole, const Tower *tower);
double whole_layer_rise(void);
double whole_layer_least(void);
double whole_reads_at(const Whole *whole, size_t layer);

/* whole_end.c: draws linear, softmax, and the last row's probabilities as bars; their
 * width, and their depth below the tower's lane. */
void whole_draw_end(const Whole *whole, const Tower *tower);
double whole_end_width(const Whole *whole);
double whole_end_depth(const Whole *whole);
