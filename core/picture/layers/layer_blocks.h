/* Blocks of a layer, stacked in the order of computation from below, with one of them
 * highlighted. */
#pragma once

#include "picture/draw/signs.h"
#include "picture/stage/stage.h"

enum { LAYER_BLOCKS_MAX = 12 };

typedef struct LayerBlock {
    const char *name;
    Sign sign; /* drawn if the name has no room */
    Role role;
} LayerBlock;

typedef struct LayerBlocks {
    size_t count; /* 0: not a layer */
    LayerBlock items[LAYER_BLOCKS_MAX];
    size_t lit; /* highlighted block; LAYER_BLOCKS_MAX: all of them */
} LayerBlocks;

/* Blocks of a layer that is a step of the player's tree. */
LayerBlocks layer_blocks_of(const Stage *stage, size_t step);

/* Blocks of an encoder layer with its feed-forward network highlighted. */
LayerBlocks layer_blocks_around_network(const Canvas *canvas);

/* Width of the layer with room for its blocks' names. */
double layer_blocks_width(const Canvas *canvas, const LayerBlocks *blocks);

/* Box of the layer with a given width, with the middle of its highlighted block, or of
 * all blocks, at `middle`. */
Box layer_blocks_box(const LayerBlocks *blocks, Point middle, double width);

/* Draws the blocks into a box; a block too narrow for its name shows its sign. */
void layer_blocks_draw(const Canvas *canvas, const LayerBlocks *blocks, Box box);
