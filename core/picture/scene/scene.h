/* The scene: one picture as a list of items in drawing order.
 *
 * Pictures append to it, painters (screen, PNG) replay it, tests read it as text. Lengths
 * are points: the page's own unit, y downwards; a painter multiplies them by its scale.
 * Items are plain tagged structs. Strings, points and the list itself live in the frame's
 * arena given at the start; tensors shown as images are borrowed from the tape. The arena
 * has a guard while something is drawn (base/arena.h), so no picture checks for lack of
 * memory: the first allocation that fails ends the drawing, and scene_complete returns
 * false. Links identify the item under the pointer; of several the one that was drawn
 * last counts. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Arena Arena;
typedef struct Language Language;
typedef struct Tensor Tensor;

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
    LINK_SOURCE,   /* the same cell, named in a sum: it can be followed, not pointed at */
    LINK_STEP,     /* step `index` of the player's tree */
    LINK_LESSON,   /* lesson `index` of the catalogue, in list `row` */
    LINK_BLOCK,    /* block `index` of the transformer, in tower `row` its box `col` */
    LINK_COMMAND,  /* cell `index` of the path that was followed back */
    LINK_TRAIL,    /* cell `index` of the path that was followed back */
    LINK_WORDS,    /* depth `index` of the words at the top */
    LINK_TERM,     /* term `index` of the glossary */
    LINK_TIMELINE, /* the timeline's bar as a whole, for scrubbing */
    LINK_FIELD     /* a text field */
} LinkKind;

typedef struct Link {
    LinkKind kind;
    size_t index, row, col;
} Link;

/* Mapping of values to colours: picture/scene/theme.h. */
typedef struct ColorScale ColorScale;

typedef enum SceneKind {
    SCENE_RECTANGLE,
    SCENE_LINE,
    SCENE_POLYGON,
    SCENE_TEXT,
    SCENE_IMAGE,
    SCENE_CLIP,  /* cuts the following items to its box, within the clips around it */
    SCENE_UNCLIP /* ends the innermost clip */
} SceneKind;

typedef struct SceneItem {
    SceneKind kind;
    Link link;
    size_t caption; /* number of the caption that the item belongs to, from 1; 0: none */
    size_t named;   /* tape node that the caption names; TAPE_NONE: none */
    Box box; /* RECTANGLE, IMAGE, CLIP: itself; LINE, POLYGON: bounding box; TEXT: advance
                × (ascent + descent), for layout and hit tests */
    Color fill;    /* RECTANGLE, POLYGON, LINE and TEXT: colour */
    Color stroke;  /* RECTANGLE: an outline drawn inside the box */
    double width;  /* width of the stroke or line */
    double radius; /* RECTANGLE: radius of the corners */
    size_t count;  /* points of a LINE (2 or more, an open path) or POLYGON (3 or more,
                      closed) */
    const Point *points;
    bool flows;        /* TEXT: its line goes on with a paragraph */
    const char *aloud; /* words that stand for this item and its neighbours with the same
                          pointer when they are read; NULL: its text */
    const char *text;  /* TEXT: never empty, never NULL */
    FontRole font;
    double size;             /* TEXT: em size, a whole number of points */
    Point origin;            /* TEXT: where the baseline begins */
    double angle;            /* TEXT: degrees counter-clockwise about origin */
    const Tensor *tensor;    /* IMAGE: one cell is one rectangle of equal size */
    const ColorScale *scale; /* IMAGE */
} SceneItem;

typedef struct Scene {
    Arena *arena;
    double width, height; /* of the page, in points */
    Color background;
    size_t count, capacity;
    SceneItem *items;
    size_t clip_depth;
    Link link; /* link of the items that are appended now */
    /* Captions begun so far; nesting depth of the present one. */
    size_t captions, caption_depth;
    size_t named;             /* tape node that the present caption names */
    bool flows;               /* the items appended now go on with a paragraph */
    const Language *language; /* that texts are read in; NULL: as they stand */
    const char *aloud;        /* words for the items appended now; nesting depth */
    size_t aloud_depth;
    double lines;    /* factor for the thickness of thin lines */
    Box picture;     /* area of a page that its picture is laid out in; empty: no page */
    size_t replaced; /* number of pictures so far without room, so that a simpler one was
                        drawn */
} Scene;

/* Initializes an empty page. The scene uses `arena` until it is reset or destroyed. */
void scene_init(Scene *scene, Arena *arena, double width, double height,
                Color background);

/* Sets the factor by which thin lines and outlines are thicker; 1: as requested. */
void scene_set_lines(Scene *scene, double factor);

/* Sets the language that the page's texts are read in; borrowed. */
void scene_set_language(Scene *scene, const Language *language);

/* Begin and end items that are read as the words `aloud`, which are copied: a formula, a
 * sum. Within others, which have their words already, these change nothing. */
void scene_begin_aloud(Scene *scene, const char *aloud);
void scene_end_aloud(Scene *scene);

/* Links the items appended from here on; LINK_NONE ends it. */
void scene_link(Scene *scene, Link link);

/* Begin and end a caption: the name of a tape node's table, its shape and remarks on it.
 * A caption within another one is part of it. */
void scene_begin_caption(Scene *scene, size_t node);
void scene_end_caption(Scene *scene);

/* Appends a filled and outlined rectangle with corners rounded by `radius`. */
void scene_rectangle(Scene *scene, Box box, double radius, Color fill, Color stroke,
                     double width);

/* Appends a straight line. */
void scene_line(Scene *scene, Point from, Point to, double width, Color color);

/* Appends an open path through `count` points, which are copied. */
void scene_path(Scene *scene, const Point *points, size_t count, double width,
                Color color);

/* Appends a filled polygon (even-odd); its points are copied. */
void scene_polygon(Scene *scene, const Point *points, size_t count, Color fill);

/* Appends text with its baseline beginning at `origin`; text is copied, "" draws nothing.
 * `advance`, `ascent` and `descent` are the text's extents, for its box. Prefer
 * label_draw (picture/scene/label.h), which measures. */
void scene_text(Scene *scene, FontRole font, double size, Color color, Point origin,
                const char *text, double advance, double ascent, double descent);

/* Appends a tensor as an image without numbers. Its values and the scale are borrowed
 * until the scene has been painted; the tensor itself is copied. */
void scene_image(Scene *scene, Box box, const Tensor *tensor, const ColorScale *scale);

/* Intersection of two boxes; an empty box if they don't overlap. */
Box box_common(Box a, Box b);

/* Smallest box that contains two boxes. */
Box box_join(Box a, Box b);

/* Begin and end a clip. Clips nest; each scene_clip needs its scene_unclip. */
void scene_clip(Scene *scene, Box box);
void scene_unclip(Scene *scene);

/* Moves the items [first, end) below the items [under, first). Each range must contain
 * its clips whole. */
void scene_lay_below(Scene *scene, size_t under, size_t first, size_t end);

/* Reports whether the scene was drawn completely, so that all clips are closed. */
bool scene_complete(const Scene *scene);

/* Link of the last drawn item under a point, within a few points of it for lines;
 * LINK_NONE if there is none. */
Link scene_hit(const Scene *scene, double x, double y);

/* Sets *box to the union of the boxes of a link's items; returns false if it has none. */
bool scene_find(const Scene *scene, Link link, Box *box);

/* Digest of 64 bits of everything drawn: equal scenes have equal digests. */
uint64_t scene_digest(const Scene *scene);

/* All texts in drawing order as they are heard, for screen readers: signs in words,
 * except in code; texts beside each other form one line. New in the arena. */
const char *scene_read(const Scene *scene, Arena *arena);

/* Enlarges the items from `first` on by `factor`; the page's upper left corner moves to
 * `corner`. Presented pages are laid out in a smaller area and enlarged. */
void scene_scale(Scene *scene, size_t first, double factor, Point corner);

/* Number of problems in the items from `first` on that make texts unreadable: texts that
 * overlap, are covered, lie on a shape's edge or on another's cell, are cut short by "…",
 * or leave `area` unclipped; shapes that leave the page; and tables that are too small to
 * see as a whole. Of several layouts the one with the fewest problems is taken. */
size_t scene_troubles(const Scene *scene, size_t first, Box area);

/* Number of the tables from item `first` on that are too small to see. */
size_t scene_specks(const Scene *scene, size_t first);

/* Distance of two points. */
double point_distance(Point a, Point b);

static inline bool box_contains(Box box, double x, double y) {
    return x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h;
}

/* Reports whether two boxes overlap by more than an edge. */
static inline bool boxes_meet(Box a, Box b) {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static inline Point box_middle(Box box) {
    return (Point){box.x + box.w / 2, box.y + box.h / 2};
}

static inline bool link_equal(Link a, Link b) {
    return a.kind == b.kind && a.index == b.index && a.row == b.row && a.col == b.col;
}
