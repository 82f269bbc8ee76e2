/* A layer as its blocks, one above the other as rows go through them, the first one
 * below: what it is made of, and where in it something stands. */
#ifndef PICTURE_LAYER_BLOCKS_H
#define PICTURE_LAYER_BLOCKS_H

#include "picture/draw/signs.h"
#include "picture/stage/stage.h"

enum { LAYER_BLOCKS_MAX = 12 };

typedef struct LayerBlock {
    const char *name;
    Sign sign; /* in its place where there is no room for it */
    Role role;
} LayerBlock;

typedef struct LayerBlocks {
    size_t count; /* 0: it is no layer */
    LayerBlock items[LAYER_BLOCKS_MAX];
    size_t lit; /* the one it is about; LAYER_BLOCKS_MAX: all of them */
} LayerBlocks;

/* Of a layer that a step of the player's tree is. */
LayerBlocks layer_blocks_of(const Stage *stage, size_t step);

/* Of an encoder's layer around its feed-forward network. */
LayerBlocks layer_blocks_around_network(const Canvas *canvas);

/* How wide the layer is where its blocks have room for their names. */
double layer_blocks_width(const Canvas *canvas, const LayerBlocks *blocks);

/* The layer's box, so wide, whose lit block's middle lies at `middle`, or that of all. */
Box layer_blocks_box(const LayerBlocks *blocks, Point middle, double width);

/* Draws the blocks into it; one that is too narrow for its name has its sign. */
void layer_blocks_draw(const Canvas *canvas, const LayerBlocks *blocks, Box box);

#endif
