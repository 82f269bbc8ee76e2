/* Captions: a tensor's name with its shape below, beside or under its heatmap; a query, a
 * key or a value wears its own as a tab instead. */
#ifndef PICTURE_CAPTION_H
#define PICTURE_CAPTION_H

#include "picture/draw/roles.h"
#include "picture/stage/stage.h"

typedef struct Caption {
    size_t node;         /* whose; TAPE_NONE: no node's */
    const char *name;    /* a formula; "" where none has room */
    double units;        /* it is set in */
    double above, below; /* how far the name reaches from its axis, in points */
    const char *shape;   /* "3 × 2" */
    double width;        /* of the wider of the two */
} Caption;

/* A caption no wider than `width`: the name at `units` or somewhat smaller, else, and
 * where it would be a mean written out, what the node's operation is called, else the
 * shape alone. `node` may be TAPE_NONE. */
Caption caption_fit(const Stage *stage, const char *formula, size_t node,
                    const Tensor *tensor, double units, double width);

/* That of a node by its name. */
Caption caption_of(const Stage *stage, size_t node, double units, double width);

/* The same, and no taller than `height`: of a fraction what its operation is called. */
Caption caption_low(const Stage *stage, const char *formula, size_t node,
                    const Tensor *tensor, double units, double width, double height);

/* The tab of a tensor whose role wears one; its name is NULL where a caption is to stand.
 * `node` may be TAPE_NONE: then none. */
RoleTab caption_tab(const Stage *stage, const char *formula, size_t node);

/* The same of a role that is known already: of a `weight`, or of what one makes. */
RoleTab caption_tab_of(const Stage *stage, const char *formula, size_t node, Role role,
                       bool weight);

/* A shape with how the table's numbers are to be read behind it: their power of ten where
 * they have one, and, where `told`, which number has the last colour. `shape` may be
 * NULL, which then may come back. */
const char *caption_scaled_shape(const Canvas *canvas, const char *shape,
                                 HeatmapColors colors, double reach, bool told);

/* The same in a caption. */
void caption_show_scale(const Canvas *canvas, Caption *caption, HeatmapColors colors,
                        double reach, bool told);

/* How far below the name's axis a shape's line lies whose name reaches `below`. */
double caption_shape_drop(const Canvas *canvas, double below);

/* Draws its name alone, if it has one, with its axis at `axis`. */
void caption_draw_name(const Stage *stage, const Caption *caption, Point axis,
                       LabelAlign align);

/* Draws it with the name's axis at `axis` and the shape `drop` below it. */
void caption_draw(const Stage *stage, const Caption *caption, Point axis, double drop,
                  LabelAlign align);

#endif
