#include "paint/paint_parts.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include FT_STROKER_H
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS_MAX = 32000, /* FreeType counts an outline's points in a short */
    FAR = 16000,        /* pixels; no page reaches so far */
    CORNERS = 16,       /* kept */
    RADIUS_STEPS = 32,  /* radii are rounded to this part of a pixel */
    RADIUS_MAX = 2048,
    SUBROWS = 16,
    PART = 256,               /* of a pixel, along a row */
    OUTLINES_BYTES = 8 << 20, /* spans that are kept */
    KEPT_LEAST = -512,        /* pixels: spans of what lies within these are kept */
    KEPT_MOST = 8192
};

/* The coverage of a rounded rectangle's upper left corner, or of an outline's there, in
 * size × size bytes, and of its upper right corner behind them. */
typedef struct Corner {
    int radius; /* in 1 / RADIUS_STEPS pixels */
    int width;  /* of the outline; 0 for a filled corner */
    bool solid; /* an outline's corner that is to be filled over: nothing left out */
    int size;
    uint8_t *coverage;
} Corner;

/* Pixels side by side with one coverage. */
typedef struct Span {
    short x, y;
    unsigned short length;
    unsigned char coverage;
} Span;

/* Spans of a whole outline, wherever it is cut. */
typedef struct Spans {
    size_t count;
    Span items[];
} Spans;

struct Shapes {
    FT_Library library;
    FT_Stroker stroker;
    FT_Vector *points;
    char *tags;
    size_t capacity;
    int32_t *trace;  /* x and y of each point, in 1 / 64 pixels: the key of an outline */
    Cache *outlines; /* Spans by trace and width; most stay from frame to frame */
    Span *spans;     /* of the outline that is drawn now */
    size_t span_count, span_capacity;
    Corner corners[CORNERS];
    size_t next_corner; /* the one to be forgotten next */
    bool short_of_memory;
};

Shapes *shapes_create(void) {
    Shapes *shapes = calloc(1, sizeof *shapes);
    if (!shapes)
        return NULL;
    errno = 0; /* FreeType leaves out modules in silence, malloc says that */
    shapes->outlines = cache_create(OUTLINES_BYTES);
    if (!shapes->outlines || FT_Init_FreeType(&shapes->library) != 0 || errno == ENOMEM ||
        FT_Stroker_New(shapes->library, &shapes->stroker) != 0) {
        shapes_destroy(shapes);
        return NULL;
    }
    return shapes;
}

void shapes_destroy(Shapes *shapes) {
    if (!shapes)
        return;
    FT_Stroker_Done(shapes->stroker);
    FT_Done_FreeType(shapes->library);
    for (size_t i = 0; i < CORNERS; i++)
        free(shapes->corners[i].coverage);
    cache_destroy(shapes->outlines);
    free(shapes->spans);
    free(shapes->trace);
    free(shapes->points);
    free(shapes->tags);
    free(shapes);
}

bool shapes_were_short(Shapes *shapes) {
    bool were = shapes->short_of_memory;
    shapes->short_of_memory = false;
    return were;
}

/* Returns true if a call of FreeType succeeded; records a lack of memory. */
static bool is_done(Shapes *shapes, FT_Error error) {
    shapes->short_of_memory |= error == FT_Err_Out_Of_Memory;
    return error == 0;
}

static bool make_room(Shapes *shapes, size_t count) {
    if (count <= shapes->capacity)
        return true;
    FT_Vector *points = realloc(shapes->points, count * sizeof *points);
    if (points)
        shapes->points = points;
    char *tags = realloc(shapes->tags, count);
    if (tags)
        shapes->tags = tags;
    int32_t *trace = realloc(shapes->trace, 2 * count * sizeof *trace);
    if (trace)
        shapes->trace = trace;
    shapes->short_of_memory |= !points || !tags || !trace;
    if (!points || !tags || !trace)
        return false;
    memset(tags, FT_CURVE_TAG_ON, count);
    shapes->capacity = count;
    return true;
}

static FT_Pos coordinate(double pixels) {
    double kept = pixels < -FAR ? -FAR : pixels > FAR ? FAR : pixels;
    return (FT_Pos)floor(kept * 64 + 0.5);
}

/* FreeType's y axis points upwards, so every y changes its sign. */
static FT_Vector vector(Point point) {
    return (FT_Vector){coordinate(point.x), -coordinate(point.y)};
}

static bool all_finite(const Point *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(points[i].x) || !isfinite(points[i].y))
            return false;
    }
    return true;
}

/* Sets every step-th point, and the trace; false without memory. */
static bool set_points(Shapes *shapes, const Point *points, size_t count, size_t step) {
    if (!make_room(shapes, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        FT_Vector at = vector(points[i * step]);
        shapes->points[i] = at;
        shapes->trace[2 * i] = (int32_t)at.x;
        shapes->trace[2 * i + 1] = (int32_t)at.y;
    }
    return true;
}

/* ---- spans ---- */

/* An outline's key in the cache: its trace, and a number for the width of a path. */
typedef struct OutlineKey {
    uint32_t number;
    const char *bytes;
    size_t length;
    bool is_kept; /* all of it lies near the page */
} OutlineKey;

/* Returns the key of an outline of `count` points; `width` is that of a path, in 1 / 64
 * pixels, 0 for a polygon. */
static OutlineKey outline_key(const Shapes *shapes, size_t count, FT_Pos width,
                              bool closed) {
    OutlineKey key = {(uint32_t)width * 2 + closed, (const char *)shapes->trace,
                      2 * count * sizeof *shapes->trace, true};
    for (size_t i = 0; i < count; i++) {
        FT_Pos x = shapes->points[i].x, y = -shapes->points[i].y;
        FT_Pos least = KEPT_LEAST * 64 + width, most = KEPT_MOST * 64 - width;
        key.is_kept &= x >= least && x <= most && y >= least && y <= most;
    }
    return key;
}

static void take_spans(int y, int count, const FT_Span *spans, void *context) {
    Shapes *shapes = context;
    size_t needed = shapes->span_count + (size_t)count;
    if (needed > shapes->span_capacity) {
        Span *more = realloc(shapes->spans, 2 * needed * sizeof *more);
        shapes->short_of_memory |= !more;
        if (!more)
            return;
        shapes->spans = more;
        shapes->span_capacity = 2 * needed;
    }
    for (int i = 0; i < count; i++)
        shapes->spans[shapes->span_count++] =
            (Span){spans[i].x, (short)(-y - 1), spans[i].len, spans[i].coverage};
}

static void paint_spans(const Raster *raster, const Span *spans, size_t count,
                        Color color) {
    for (size_t i = 0; i < count; i++) {
        if (spans[i].y >= raster->clip.top && spans[i].y < raster->clip.bottom)
            raster_span(raster, spans[i].y, spans[i].x, spans[i].x + spans[i].length,
                        color, spans[i].coverage);
    }
}

/* Paints an outline whose spans are kept; false when they aren't. */
static bool paint_kept(Shapes *shapes, const Raster *raster, const OutlineKey *key,
                       Color color) {
    const Spans *kept =
        key->is_kept ? cache_find(shapes->outlines, key->number, key->bytes, key->length)
                     : NULL;
    if (kept)
        paint_spans(raster, kept->items, kept->count, color);
    return kept;
}

/* Paints an outline, and keeps its spans if it lies near the page. */
static void paint_outline(Shapes *shapes, const Raster *raster, FT_Outline *outline,
                          const OutlineKey *key, Color color) {
    FT_BBox around;
    FT_Outline_Get_CBox(outline, &around);
    PixelBox clip = {(int)(around.xMin >> 6), (int)-((around.yMax + 63) >> 6),
                     (int)((around.xMax + 63) >> 6), (int)-(around.yMin >> 6)};
    if (!key->is_kept)
        clip = pixel_box_cut(clip, raster->clip);
    if (clip.left >= clip.right || clip.top >= clip.bottom)
        return;
    FT_Raster_Params params = {
        .flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP,
        .gray_spans = take_spans,
        .user = shapes,
        .clip_box = {clip.left, -clip.bottom, clip.right, -clip.top},
    };
    shapes->span_count = 0;
    bool done = is_done(shapes, FT_Outline_Render(shapes->library, outline, &params));
    paint_spans(raster, shapes->spans, shapes->span_count, color);
    size_t bytes = shapes->span_count * sizeof *shapes->spans;
    Spans *kept = done && key->is_kept && !shapes->short_of_memory
                      ? cache_add(shapes->outlines, key->number, key->bytes, key->length,
                                  sizeof *kept + bytes)
                      : NULL;
    if (kept && bytes) {
        kept->count = shapes->span_count;
        memcpy(kept->items, shapes->spans, bytes);
    }
}

void shapes_polygon(Shapes *shapes, const Raster *raster, const Point *points,
                    size_t count, Color color) {
    size_t step = count / POINTS_MAX + 1; /* of very many points, every step-th */
    size_t taken = (count + step - 1) / step;
    if (count < 3 || color.a == 0 || !all_finite(points, count) ||
        !set_points(shapes, points, taken, step))
        return;
    OutlineKey key = outline_key(shapes, taken, 0, true);
    if (paint_kept(shapes, raster, &key, color))
        return;
    short end = (short)(taken - 1);
    FT_Outline outline = {
        1, (short)taken, shapes->points, shapes->tags, &end, FT_OUTLINE_EVEN_ODD_FILL};
    paint_outline(shapes, raster, &outline, &key, color);
}

/* The pixels a line along an axis takes: [first, last) across its direction. */
static void fit_across(double middle, double width, int *first, int *last) {
    double thick = floor(width + 0.5) < 1 ? 1 : floor(width + 0.5);
    double from = floor(middle - thick / 2 + 0.5);
    from = from < -FAR ? -FAR : from > FAR ? FAR : from;
    *first = (int)from;
    *last = (int)from + (int)(thick < FAR ? thick : FAR);
}

static void fit_along(double a, double b, int *first, int *last) {
    double from = floor((a < b ? a : b) + 0.5), to = floor((a < b ? b : a) + 0.5);
    *first = (int)(from < -FAR ? -FAR : from > FAR ? FAR : from);
    *last = (int)(to < -FAR ? -FAR : to > FAR ? FAR : to);
}

static void paint_line(Shapes *shapes, const Raster *raster, Point a, Point b,
                       double width, Color color) {
    PixelBox box;
    if (a.x == b.x) {
        fit_across(a.x, width, &box.left, &box.right);
        fit_along(a.y, b.y, &box.top, &box.bottom);
        raster_fill(raster, box, color);
        return;
    }
    if (a.y == b.y) {
        fit_across(a.y, width, &box.top, &box.bottom);
        fit_along(a.x, b.x, &box.left, &box.right);
        raster_fill(raster, box, color);
        return;
    }
    double dx = b.x - a.x, dy = b.y - a.y;
    double share = width / 2 / sqrt(dx * dx + dy * dy);
    double nx = -dy * share, ny = dx * share; /* across, half the width long */
    Point corners[4] = {{a.x + nx, a.y + ny},
                        {b.x + nx, b.y + ny},
                        {b.x - nx, b.y - ny},
                        {a.x - nx, a.y - ny}};
    shapes_polygon(shapes, raster, corners, 4, color);
}

/* Fits FreeType's outline of what the stroker has walked into our points. */
static void paint_stroke(Shapes *shapes, const Raster *raster, const OutlineKey *key,
                         Color color) {
    FT_UInt points = 0, contours = 0;
    FT_Outline outline;
    if (!is_done(shapes, FT_Stroker_GetCounts(shapes->stroker, &points, &contours)) ||
        points == 0 || points > POINTS_MAX || contours > POINTS_MAX)
        return;
    if (!is_done(shapes,
                 FT_Outline_New(shapes->library, points, (FT_Int)contours, &outline)))
        return;
    outline.n_points = outline.n_contours = 0;
    FT_Stroker_Export(shapes->stroker, &outline);
    paint_outline(shapes, raster, &outline, key, color);
    FT_Outline_Done(shapes->library, &outline);
}

/* Walks the stroker along the points; false when they all lie in one place, which it must
 * not be asked to end a path at. */
static bool walk(Shapes *shapes, size_t count, bool closed) {
    FT_Stroker stroker = shapes->stroker;
    FT_Vector at = shapes->points[0];
    bool moved = false;
    FT_Stroker_Rewind(stroker);
    if (!is_done(shapes, FT_Stroker_BeginSubPath(stroker, &at, !closed)))
        return false;
    for (size_t i = 1; i < count; i++) {
        FT_Vector next = shapes->points[i];
        if (next.x == at.x && next.y == at.y)
            continue;
        moved = true;
        at = next;
        if (!is_done(shapes, FT_Stroker_LineTo(stroker, &next)))
            return false;
    }
    return moved && is_done(shapes, FT_Stroker_EndSubPath(stroker));
}

void shapes_path(Shapes *shapes, const Raster *raster, const Point *points, size_t count,
                 double width, Color color) {
    enum { PIECE = 2000 }; /* points at a time, so that an outline can hold them */
    if (count < 2 || color.a == 0 || !(width > 0) || !all_finite(points, count))
        return;
    if (count == 2) {
        paint_line(shapes, raster, points[0], points[1], width, color);
        return;
    }
    bool closed = count <= PIECE && points[0].x == points[count - 1].x &&
                  points[0].y == points[count - 1].y;
    FT_Pos half = coordinate(width / 2);
    FT_Stroker_Set(shapes->stroker, (FT_Fixed)half, FT_STROKER_LINECAP_BUTT,
                   FT_STROKER_LINEJOIN_ROUND, 0);
    for (size_t first = 0; first + 1 < count; first += PIECE) {
        size_t piece = count - first > PIECE ? PIECE + 1 : count - first;
        if (!set_points(shapes, points + first, piece, 1))
            return;
        OutlineKey key = outline_key(shapes, piece, half, closed);
        if (!paint_kept(shapes, raster, &key, color) && walk(shapes, piece, closed))
            paint_stroke(shapes, raster, &key, color);
    }
}

/* The integer square root. Source: Newton's method, from above. */
static uint64_t square_root(uint64_t value) {
    if (value < 2)
        return value;
    int bits = 64 - __builtin_clzll(value);
    uint64_t root = (uint64_t)1 << (bits + 1) / 2, next = (root + value / root) / 2;
    while (next < root) {
        root = next;
        next = (root + value / root) / 2;
    }
    return root;
}

/* Where a corner's edge crosses SUBROWS lines through a row of pixels, from the left in
 * 1 / PART pixels. It falls from the first line to the last. */
static void cross_row(int radius_steps, int y, int64_t edges[SUBROWS]) {
    enum { UNIT = PART / RADIUS_STEPS, STEP = RADIUS_STEPS / SUBROWS };
    int64_t radius = radius_steps;
    for (int s = 0; s < SUBROWS; s++) {
        int64_t down = (int64_t)y * RADIUS_STEPS + s * STEP + STEP / 2;
        int64_t dy = down < radius ? radius - down : 0;
        uint64_t square = (uint64_t)(radius * radius - dy * dy);
        edges[s] = radius * UNIT - (int64_t)square_root(square * UNIT * UNIT);
    }
}

/* How much of pixel x of that row lies right of the edge: 0 to 255. */
static int covered_right(const int64_t edges[SUBROWS], int x) {
    int64_t left = (int64_t)x * PART, right = left + PART, sum = 0;
    if (right <= edges[SUBROWS - 1])
        return 0;
    if (left >= edges[0])
        return 255;
    for (int s = 0; s < SUBROWS; s++) {
        int64_t inside = right - edges[s];
        sum += inside < 0 ? 0 : inside > PART ? PART : inside;
    }
    return (int)((sum * 255 + SUBROWS * PART / 2) / (SUBROWS * PART));
}

static void cover_corner(Corner *corner) {
    int size = corner->size, inset = corner->width;
    int inner = corner->radius - inset * RADIUS_STEPS;
    for (int y = 0; y < size; y++) {
        int64_t outer_edges[SUBROWS], inner_edges[SUBROWS];
        bool hollow = inset > 0 && !corner->solid && y >= inset;
        cross_row(corner->radius, y, outer_edges);
        if (hollow)
            cross_row(inner > 0 ? inner : 0, y - inset, inner_edges);
        for (int x = 0; x < size; x++) {
            int covered = covered_right(outer_edges, x);
            if (hollow && x >= inset)
                covered -= covered_right(inner_edges, x - inset);
            uint8_t byte = (uint8_t)(covered > 0 ? covered : 0);
            corner->coverage[y * size + x] = byte;
            corner->coverage[(size + y) * size + size - 1 - x] = byte;
        }
    }
}

static const Corner *corner_of(Shapes *shapes, int radius, int width, bool solid) {
    for (size_t i = 0; i < CORNERS; i++) {
        const Corner *corner = &shapes->corners[i];
        if (corner->coverage && corner->radius == radius && corner->width == width &&
            corner->solid == solid)
            return corner;
    }
    int size = (radius + RADIUS_STEPS - 1) / RADIUS_STEPS;
    size = size > width ? size : width;
    uint8_t *coverage = malloc((size_t)size * (size_t)size * 2);
    shapes->short_of_memory |= !coverage;
    if (!coverage)
        return NULL;
    Corner *corner = &shapes->corners[shapes->next_corner];
    shapes->next_corner = (shapes->next_corner + 1) % CORNERS;
    free(corner->coverage);
    *corner = (Corner){radius, width, solid, size, coverage};
    cover_corner(corner);
    return corner;
}

/* All four corners. In a box of odd width or height and the largest radius the corners
 * share a column or row, which is painted once. */
static void paint_corners(const Raster *raster, PixelBox box, const Corner *corner,
                          Color color) {
    int size = corner->size, width = box.right - box.left, height = box.bottom - box.top;
    int right = width < 2 * size ? width - size : size;
    int lower = height < 2 * size ? height - size : size;
    const uint8_t *left_corner = corner->coverage;
    const uint8_t *right_corner = left_corner + size * size + size - right;
    ptrdiff_t last = (ptrdiff_t)(lower - 1) * size;
    raster_mask(raster, box.left, box.top, size, size, left_corner, size, color);
    raster_mask(raster, box.right - right, box.top, right, size, right_corner, size,
                color);
    if (lower == 0)
        return;
    raster_mask(raster, box.left, box.bottom - lower, size, lower, left_corner + last,
                -size, color);
    raster_mask(raster, box.right - right, box.bottom - lower, right, lower,
                right_corner + last, -size, color);
}

static void fill_rounded(Shapes *shapes, const Raster *raster, PixelBox box, int radius,
                         Color color) {
    const Corner *corner = radius > 0 ? corner_of(shapes, radius, 0, true) : NULL;
    if (!corner) {
        raster_fill(raster, box, color);
        return;
    }
    int size = corner->size;
    PixelBox upper = {box.left + size, box.top, box.right - size, box.top + size};
    PixelBox middle = {box.left, box.top + size, box.right, box.bottom - size};
    PixelBox lower = {upper.left,
                      box.bottom - size > upper.bottom ? box.bottom - size : upper.bottom,
                      upper.right, box.bottom};
    raster_fill(raster, upper, color);
    raster_fill(raster, middle, color);
    raster_fill(raster, lower, color);
    paint_corners(raster, box, corner, color);
}

static void outline_rounded(Shapes *shapes, const Raster *raster, PixelBox box,
                            int radius, int width, bool solid, Color color) {
    const Corner *corner = corner_of(shapes, radius, width, solid);
    if (!corner)
        return;
    int size = corner->size;
    PixelBox sides[] = {
        {box.left + size, box.top, box.right - size, box.top + width},
        {box.left + size, box.bottom - width, box.right - size, box.bottom},
        {box.left, box.top + size, box.left + width, box.bottom - size},
        {box.right - width, box.top + size, box.right, box.bottom - size},
    };
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        raster_fill(raster, sides[i], color);
    paint_corners(raster, box, corner, color);
}

void shapes_rectangle(Shapes *shapes, const Raster *raster, PixelBox box, double radius,
                      Color fill, Color stroke, int width) {
    int side = box.right - box.left < box.bottom - box.top ? box.right - box.left
                                                           : box.bottom - box.top;
    if (side <= 0 || (width <= 0 && fill.a == 0) || !isfinite(radius))
        return;
    double most = side / 2.0 < RADIUS_MAX ? side / 2.0 : RADIUS_MAX;
    double kept = radius < 0 ? 0 : radius < most ? radius : most;
    int steps = (int)floor(kept * RADIUS_STEPS + 0.5);
    bool outlined = width > 0 && stroke.a > 0;
    if (outlined && 2 * width >= side) {
        fill_rounded(shapes, raster, box, steps, stroke);
        return;
    }
    if (!outlined) {
        fill_rounded(shapes, raster, box, steps, fill);
        return;
    }
    PixelBox inner = {box.left + width, box.top + width, box.right - width,
                      box.bottom - width};
    int within = steps > width * RADIUS_STEPS ? steps - width * RADIUS_STEPS : 0;
    /* Two colours that hide what is under them: the outline's corners are painted whole
     * and filled over, so that nothing shines through where the two meet. */
    bool solid = fill.a == 255 && stroke.a == 255;
    if (solid)
        outline_rounded(shapes, raster, box, steps, width, true, stroke);
    if (fill.a > 0)
        fill_rounded(shapes, raster, inner, within, fill);
    if (!solid)
        outline_rounded(shapes, raster, box, steps, width, false, stroke);
}
