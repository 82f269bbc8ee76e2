/* The scene: one picture as a list of things to draw, front to back in drawing order.
 *
 * Pictures append to it, painters (screen, PNG) replay it, tests read it as text. Lengths
 * are points: the page's own unit, y downwards; a painter multiplies them by its scale.
 * Items are plain tagged structs. Strings, points and the list itself live in the frame's
 * arena given at the start; tensors shown as images are borrowed from the tape. When the
 * arena is exhausted items are left out and scene_complete tells so. Links say what lies
 * under the pointer; the last drawn wins. */
#ifndef PICTURE_SCENE_H
#define PICTURE_SCENE_H

#include "base/arena.h"
#include "tensor/tensor.h"

#include <stdint.h>
#include <stdio.h>

typedef struct Color {
    uint8_t r, g, b, a; /* straight alpha; a = 0 draws nothing */
} Color;

typedef struct Box {
    double x, y, w, h; /* left, top, width, height */
} Box;

typedef struct Point {
    double x, y;
} Point;

typedef enum FontRole {
    FONT_TEXT, /* sans serif, with Chinese; its digits all have one width */
    FONT_BOLD,
    FONT_MATH, /* the formula font */
    FONT_MONO, /* code: every letter is equally wide */
    FONT_COUNT
} FontRole;

typedef enum LinkKind {
    LINK_NONE,
    LINK_CELL,     /* cell (row, col) of tape node `index` */
    LINK_SOURCE,   /* the same cell, named in a sum: to be followed, not pointed at */
    LINK_STEP,     /* step `index` of the player's tree */
    LINK_LESSON,   /* lesson `index` of the catalogue, in list `row` */
    LINK_BLOCK,    /* block `index` of the transformer, in tower `row` its box `col` */
    LINK_COMMAND,  /* key-table entry `index` */
    LINK_TRAIL,    /* cell `index` of the way followed back */
    LINK_WORDS,    /* depth `index` of the words at the top */
    LINK_TERM,     /* term `index` of the glossary */
    LINK_TIMELINE, /* the timeline's bar as a whole, for scrubbing */
    LINK_FIELD     /* a field that is written in */
} LinkKind;

typedef struct Link {
    LinkKind kind;
    size_t index, row, col;
} Link;

/* How values become colours: see picture/scene/palette.h. */
typedef struct ColorScale ColorScale;

typedef enum SceneKind {
    SCENE_RECTANGLE,
    SCENE_LINE,
    SCENE_POLYGON,
    SCENE_TEXT,
    SCENE_IMAGE,
    SCENE_CLIP,  /* what follows is cut to box, and to the clips around it … */
    SCENE_UNCLIP /* … until here */
} SceneKind;

typedef struct SceneItem {
    SceneKind kind;
    Link link;
    size_t caption; /* which of the scene's captions it is of, from 1; 0: none … */
    size_t named;   /* … and which tape node that names; TAPE_NONE: none */
    Box box;        /* RECTANGLE, IMAGE, CLIP: itself; LINE, POLYGON: what bounds it;
                       TEXT: advance × (ascent + descent), for layout and hit tests */
    Color fill;     /* RECTANGLE, POLYGON; LINE and TEXT: their colour */
    Color stroke;   /* RECTANGLE: an outline drawn inside the box */
    double width;   /* of the stroke or line */
    double radius;  /* RECTANGLE: of the corners */
    size_t count;   /* LINE (2 or more, an open path), POLYGON (3 or more, closed) */
    const Point *points;
    const char *text; /* TEXT: never empty, never NULL */
    FontRole font;
    double size;             /* TEXT: em size, a whole number of points */
    Point origin;            /* TEXT: where the baseline begins */
    double angle;            /* TEXT: degrees counter-clockwise about origin */
    const Tensor *tensor;    /* IMAGE: one cell is one rectangle of equal size */
    const ColorScale *scale; /* IMAGE */
} SceneItem;

typedef struct Scene {
    Arena *arena;
    double width, height; /* the page, in points */
    Color background;
    size_t count, capacity;
    SceneItem *items;
    size_t clip_depth;
    Link link;                      /* what items appended now are linked to */
    size_t captions, caption_depth; /* begun so far, and within how many … */
    size_t named;                   /* … of what */
    double lines;                   /* how thick thin ones are */
} Scene;

/* An empty page. The scene uses `arena` until it is reset or destroyed. */
void scene_init(Scene *scene, Arena *arena, double width, double height,
                Color background);

/* How thick the page's thin lines and outlines are; 1: as they are asked for. */
void scene_set_lines(Scene *scene, double share);

/* What items appended from here on are linked to; LINK_NONE ends it. */
void scene_link(Scene *scene, Link link);

/* What is drawn from here to the end is one caption: the name of a tape node's table, its
 * shape, and what is said of it there. A caption within another is a part of it. */
void scene_begin_caption(Scene *scene, size_t node);
void scene_end_caption(Scene *scene);

/* A filled and outlined rectangle; corners rounded by `radius`. */
void scene_rectangle(Scene *scene, Box box, double radius, Color fill, Color stroke,
                     double width);

/* A straight line. */
void scene_line(Scene *scene, Point from, Point to, double width, Color color);

/* An open path through `count` points, which are copied. */
void scene_path(Scene *scene, const Point *points, size_t count, double width,
                Color color);

/* A filled polygon (even-odd); points are copied. */
void scene_polygon(Scene *scene, const Point *points, size_t count, Color fill);

/* Text with its baseline beginning at `origin`; text is copied, "" draws nothing.
 * `advance`, `ascent` and `descent` are the text's extents, for its box. Prefer
 * label_draw (picture/scene/label.h), which measures. */
void scene_text(Scene *scene, FontRole font, double size, Color color, Point origin,
                const char *text, double advance, double ascent, double descent);

/* A tensor as an image without numbers. Its values are borrowed until the scene has been
 * painted, the scale too; the tensor itself is copied. */
void scene_image(Scene *scene, Box box, const Tensor *tensor, const ColorScale *scale);

/* What two boxes have in common; of none an empty one. */
Box box_common(Box a, Box b);

/* Clips nest; each scene_clip needs its scene_unclip. */
void scene_clip(Scene *scene, Box box);
void scene_unclip(Scene *scene);

/* Lays the items from `first` up to `end` below those from `under` up to `first`; each
 * part has its clips whole. */
void scene_lay_below(Scene *scene, size_t under, size_t first, size_t end);

/* Whether nothing was left out for want of memory and clips balance. */
bool scene_complete(const Scene *scene);

/* The link of the last drawn thing under a point, lines within a few points of where they
 * run; a kind of LINK_NONE when there is none. */
Link scene_hit(const Scene *scene, double x, double y);

/* Where a link's items lie: the union of their boxes; false when it has none. */
bool scene_find(const Scene *scene, Link link, Box *box);

/* A 64-bit digest of everything drawn: equal scenes, equal digests. */
uint64_t scene_digest(const Scene *scene);

/* How far two points are apart. */
double point_distance(Point a, Point b);

static inline bool box_contains(Box box, double x, double y) {
    return x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h;
}

/* Whether two boxes have more in common than an edge. */
static inline bool boxes_meet(Box a, Box b) {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static inline Point box_middle(Box box) {
    return (Point){box.x + box.w / 2, box.y + box.h / 2};
}

static inline bool link_equal(Link a, Link b) {
    return a.kind == b.kind && a.index == b.index && a.row == b.row && a.col == b.col;
}

#endif
