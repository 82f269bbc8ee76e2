/* Captions: a tensor's name with its shape below, drawn below or beside its heatmap.
 * Queries, keys and values have a tab instead. */
#pragma once

#include "picture/draw/roles.h"
#include "picture/scene/label.h"
#include "picture/stage/stage.h"

typedef struct Caption {
    size_t node;         /* node of the tensor; TAPE_NONE: it has none */
    const char *name;    /* formula; "" if no name has room */
    double units;        /* font size of the name in units */
    double above, below; /* extent of the name above and below its axis, in points */
    const char *shape;   /* "3 × 2" */
    double width;        /* width of the wider of name and shape, in points */
} Caption;

/* Returns a caption no wider than `width` points. Its name is set in `units` or somewhat
 * smaller. If it doesn't fit, or if it is a mean written out as a sum, the node's
 * operation is named instead; if that doesn't fit either, the shape stands alone. `node`
 * may be TAPE_NONE. */
Caption caption_fit(const Stage *stage, const char *formula, size_t node,
                    const Tensor *tensor, double units, double width);

/* Gives a caption another name, in `units` or somewhat smaller, no wider than `width`
 * points; returns false, and leaves the name out, if it doesn't fit. */
bool caption_rename(const Canvas *canvas, Caption *caption, const char *name,
                    double units, double width);

/* Returns the caption of a node with the node's own name. */
Caption caption_of(const Stage *stage, size_t node, double units, double width);

/* Like caption_fit, but no taller than `height`: a tensor's name that is too tall is made
 * smaller, the formula of a tensor without one is replaced by its operation's name. */
Caption caption_low(const Stage *stage, const char *formula, size_t node,
                    const Tensor *tensor, double units, double width, double height);

/* Returns the tab of a tensor whose role has one; its name is NULL if a caption stands
 * instead. `node` may be TAPE_NONE, which has no tab. */
RoleTab caption_tab(const Stage *stage, const char *formula, size_t node);

/* Like caption_tab for a role that is already known; `weight`: the tensor is the role's
 * weight matrix, not the result computed with it. */
RoleTab caption_tab_of(const Stage *stage, const char *formula, size_t node, Role role,
                       bool weight);

/* Appends to a shape how to read the table's numbers: their power of ten, if they have
 * one, and, if `told`, the value that has the last colour. `shape` may be NULL; so may
 * the result then. */
const char *caption_scaled_shape(const Canvas *canvas, const char *shape,
                                 HeatmapColors colors, double reach, bool told);

/* Appends the same to the shape of a caption. */
void caption_show_scale(const Canvas *canvas, Caption *caption, HeatmapColors colors,
                        double reach, bool told);

/* Returns the distance from the axis of a name that reaches `below` points below it down
 * to the line of its shape. */
double caption_shape_drop(const Canvas *canvas, double below);

/* Draws the name alone, if there is one, with its axis at `axis`. */
void caption_draw_name(const Stage *stage, const Caption *caption, Point axis,
                       LabelAlign align);

/* Draws name and shape: the name's axis at `axis`, the shape `drop` points below it. */
void caption_draw(const Stage *stage, const Caption *caption, Point axis, double drop,
                  LabelAlign align);
