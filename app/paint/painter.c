#include "paint/paint_parts.h"

#include "picture/scene/theme.h"

#include "tensor/tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLIPS_MAX = 64, FAR = 1 << 20 };

static const double HAIRLINE = 1; /* pixels: what a line is wide at least */

struct Painter {
    Fonts *fonts;
    Shapes *shapes;
    uint32_t *row;   /* one row of an image, in pixels */
    CellRange *cols; /* columns of the image in each pixel of `row` */
    size_t row_capacity;
    /* Pixels of an image's scale by 1 + position; 0: not computed yet. */
    uint32_t shades[1 + COLOR_POSITIONS];
    bool short_of_memory; /* in the present painting */
    bool reversed;        /* red and blue change places */
};

/* State of one painting. */
typedef struct Pass {
    Painter *painter;
    Raster raster;
    double scale;
    PixelBox clips[CLIPS_MAX]; /* open clips, the present one last */
    size_t clip_count; /* number of open clips, including those beyond CLIPS_MAX */
} Pass;

Painter *painter_create(Fonts *fonts) {
    Painter *painter = calloc(1, sizeof *painter);
    if (!painter)
        return NULL;
    painter->fonts = fonts;
    painter->shapes = shapes_create();
    if (!painter->shapes) {
        free(painter);
        return NULL;
    }
    return painter;
}

void painter_destroy(Painter *painter) {
    if (!painter)
        return;
    shapes_destroy(painter->shapes);
    free(painter->row);
    free(painter->cols);
    free(painter);
}

void painter_reverse(Painter *painter, bool reversed) {
    painter->reversed = reversed;
}

/* The nearest edge between pixels; halves go right and down, so that equal steps stay
 * equal. */
static int edge(const Pass *pass, double points) {
    double pixels = floor(points * pass->scale + 0.5);
    return pixels > -FAR ? pixels < FAR ? (int)pixels : FAR : -FAR;
}

/* A box in whole pixels. What has a width or height at all is at least one pixel wide. */
static PixelBox fit_box(const Pass *pass, Box box) {
    PixelBox fitted = {edge(pass, box.x), edge(pass, box.y), edge(pass, box.x + box.w),
                       edge(pass, box.y + box.h)};
    if (box.w > 0 && fitted.right == fitted.left)
        fitted.right++;
    if (box.h > 0 && fitted.bottom == fitted.top)
        fitted.bottom++;
    return fitted;
}

static bool is_finite_box(Box box) {
    return isfinite(box.x) && isfinite(box.y) && isfinite(box.w) && isfinite(box.h);
}

/* The colour as the target's pixels have it. */
static Color ordered(const Pass *pass, Color color) {
    return pass->painter->reversed ? (Color){color.b, color.g, color.r, color.a} : color;
}

static void paint_rectangle(Pass *pass, const SceneItem *item) {
    if (!is_finite_box(item->box))
        return;
    double width = floor(item->width * pass->scale + 0.5);
    int pixels = item->width > 0 && item->stroke.a > 0 ? 1 : 0;
    if (width > pixels && item->stroke.a > 0)
        pixels = width < FAR ? (int)width : FAR;
    shapes_rectangle(pass->painter->shapes, &pass->raster, fit_box(pass, item->box),
                     item->radius * pass->scale, ordered(pass, item->fill),
                     ordered(pass, item->stroke), pixels);
}

/* Scales an item's points into `few` where they fit, else into new memory, which the
 * caller frees when it is not `few`. */
static Point *scale_points(const Pass *pass, const SceneItem *item, Point *few,
                           size_t few_count) {
    Point *points = item->count <= few_count ? few : malloc(item->count * sizeof *points);
    for (size_t i = 0; points && i < item->count; i++)
        points[i] =
            (Point){item->points[i].x * pass->scale, item->points[i].y * pass->scale};
    return points;
}

static void paint_points(Pass *pass, const SceneItem *item) {
    enum { FEW = 64 };
    Point few[FEW];
    Point *points = scale_points(pass, item, few, FEW);
    pass->painter->short_of_memory |= !points;
    if (!points)
        return;
    if (item->kind == SCENE_LINE)
        shapes_path(pass->painter->shapes, &pass->raster, points, item->count,
                    item->width > 0 ? fmax(item->width * pass->scale, HAIRLINE) : 0,
                    ordered(pass, item->fill));
    else
        shapes_polygon(pass->painter->shapes, &pass->raster, points, item->count,
                       ordered(pass, item->fill));
    if (points != few)
        free(points);
}

static void paint_text(Pass *pass, const SceneItem *item) {
    if (item->fill.a == 0 || !isfinite(item->origin.x) || !isfinite(item->origin.y) ||
        !isfinite(item->angle))
        return;
    const TextMask *mask = fonts_mask(pass->painter->fonts, item->font,
                                      fonts_em(item->size, pass->scale), item->text);
    if (!mask)
        return;
    int x = edge(pass, item->origin.x), y = edge(pass, item->origin.y);
    Color color = ordered(pass, item->fill);
    if (item->angle == 0)
        raster_mask(&pass->raster, x + mask->left, y + mask->top, mask->width,
                    mask->height, mask->coverage, mask->width, color);
    else
        raster_mask_turned(&pass->raster, x, y, item->angle, mask->left, mask->top,
                           mask->width, mask->height, mask->coverage, color);
}

static bool range_equal(CellRange a, CellRange b) {
    return a.first == b.first && a.end == b.end;
}

static bool row_has_room(Painter *painter, size_t count) {
    if (count > painter->row_capacity) {
        free(painter->row);
        free(painter->cols);
        painter->row = malloc(count * sizeof *painter->row);
        painter->cols = malloc(count * sizeof *painter->cols);
        painter->row_capacity = painter->row && painter->cols ? count : 0;
    }
    painter->short_of_memory |= count > painter->row_capacity;
    return count <= painter->row_capacity;
}

/* Pixel of a value on an image's scale. */
static uint32_t shade_at(const Pass *pass, const ColorScale *scale, double value) {
    int position = color_scale_position(scale, value);
    uint32_t *shade = &pass->painter->shades[1 + position];
    if (!*shade)
        *shade = raster_pixel(ordered(pass, color_scale_color(scale, position)));
    return *shade;
}

/* Colours `count` pixels of an image that show cells of these rows. */
static void color_row(const Pass *pass, const SceneItem *item, CellRange rows,
                      size_t count) {
    Painter *painter = pass->painter;
    for (size_t x = 0; x < count; x++) {
        bool same = x > 0 && range_equal(painter->cols[x], painter->cols[x - 1]);
        painter->row[x] =
            same ? painter->row[x - 1]
                 : shade_at(pass, item->scale, image_value(item, rows, painter->cols[x]));
    }
}

static void paint_image(Pass *pass, const SceneItem *item) {
    if (!is_finite_box(item->box) || tensor_cells(item->tensor) == 0)
        return;
    Painter *painter = pass->painter;
    PixelBox box = fit_box(pass, item->box);
    PixelBox seen = pixel_box_cut(box, pass->raster.clip);
    if (seen.left >= seen.right || seen.top >= seen.bottom ||
        !row_has_room(painter, (size_t)(seen.right - seen.left)))
        return;
    for (int x = seen.left; x < seen.right; x++)
        painter->cols[x - seen.left] = image_cells(
            (size_t)(x - box.left), (size_t)(box.right - box.left), item->tensor->cols);
    CellRange shown = {0};
    memset(painter->shades, 0, sizeof painter->shades);
    for (int y = seen.top; y < seen.bottom; y++) {
        CellRange rows = image_cells((size_t)(y - box.top),
                                     (size_t)(box.bottom - box.top), item->tensor->rows);
        if (!range_equal(rows, shown))
            color_row(pass, item, rows, (size_t)(seen.right - seen.left));
        shown = rows;
        raster_copy(&pass->raster, seen.left, y, painter->row, seen.right - seen.left);
    }
}

static void begin_clip(Pass *pass, const SceneItem *item) {
    if (pass->clip_count < CLIPS_MAX)
        pass->clips[pass->clip_count] = pass->raster.clip;
    pass->clip_count++;
    PixelBox box = is_finite_box(item->box) ? fit_box(pass, item->box) : (PixelBox){0};
    pass->raster.clip = pixel_box_cut(pass->raster.clip, box);
}

static void end_clip(Pass *pass) {
    if (pass->clip_count == 0)
        return;
    pass->clip_count--;
    if (pass->clip_count < CLIPS_MAX)
        pass->raster.clip = pass->clips[pass->clip_count];
}

static void paint_item(Pass *pass, const SceneItem *item) {
    switch (item->kind) {
    case SCENE_RECTANGLE:
        paint_rectangle(pass, item);
        break;
    case SCENE_LINE:
    case SCENE_POLYGON:
        paint_points(pass, item);
        break;
    case SCENE_TEXT:
        paint_text(pass, item);
        break;
    case SCENE_IMAGE:
        paint_image(pass, item);
        break;
    case SCENE_CLIP:
        begin_clip(pass, item);
        break;
    case SCENE_UNCLIP:
        end_clip(pass);
        break;
    }
}

/* Returns true if an item may reach into rows within the clip; it isn't always exact. */
static bool is_near(const Pass *pass, const SceneItem *item) {
    double top = -HUGE_VAL, bottom = HUGE_VAL;
    int pixels;
    switch (item->kind) {
    case SCENE_RECTANGLE:
    case SCENE_IMAGE:
        top = item->box.y * pass->scale;
        bottom = (item->box.y + item->box.h) * pass->scale;
        break;
    case SCENE_TEXT: /* largest extent of a mask */
        if (item->angle != 0)
            break;
        pixels = fonts_em(item->size, pass->scale) / EM_PARTS + 1;
        top = item->origin.y * pass->scale - 2 * pixels;
        bottom = item->origin.y * pass->scale + pixels + 2;
        break;
    case SCENE_LINE:
    case SCENE_POLYGON:
        top = HUGE_VAL;
        bottom = -HUGE_VAL;
        for (size_t i = 0; i < item->count; i++) {
            top = fmin(top, item->points[i].y);
            bottom = fmax(bottom, item->points[i].y);
        }
        top = (top - item->width) * pass->scale - HAIRLINE;
        bottom = (bottom + item->width) * pass->scale + HAIRLINE;
        break;
    case SCENE_CLIP:
    case SCENE_UNCLIP:
        break;
    }
    const PixelBox *clip = &pass->raster.clip;
    return !(top > clip->bottom + 2) && !(bottom < clip->top - 2);
}

bool painter_paint_rows(Painter *painter, const Scene *scene, PainterTarget target,
                        size_t top) {
    top = top < FAR ? top : FAR;
    size_t height = target.height < FAR ? target.height : FAR;
    PixelBox all = {0, (int)top, target.width < FAR ? (int)target.width : FAR,
                    (int)(top + height)};
    Pass pass = {.painter = painter,
                 .raster = {target.pixels, target.stride, all, (int)top},
                 .scale = target.scale};
    Color background = ordered(&pass, scene->background);
    background.a = 255;
    painter->short_of_memory = false;
    raster_fill(&pass.raster, all, background);
    for (size_t i = 0; i < scene->count; i++) {
        bool moves_clip =
            scene->items[i].kind == SCENE_CLIP || scene->items[i].kind == SCENE_UNCLIP;
        if (moves_clip || is_near(&pass, &scene->items[i]))
            paint_item(&pass, &scene->items[i]);
    }
    bool shapes = shapes_were_short(painter->shapes);
    bool fonts = fonts_were_short(painter->fonts);
    return !painter->short_of_memory && !shapes && !fonts;
}

/* Painting within an empty clip makes all that is kept and no pixel. */
bool painter_prepare(Painter *painter, const Scene *scene, double scale,
                     bool (*enough)(void *context), void *context) {
    Pass pass = {.painter = painter, .scale = scale};
    size_t i = 0;
    for (; i < scene->count && !enough(context); i++) {
        SceneKind kind = scene->items[i].kind;
        if (kind == SCENE_TEXT || kind == SCENE_LINE || kind == SCENE_POLYGON)
            paint_item(&pass, &scene->items[i]);
    }
    bool shapes = shapes_were_short(painter->shapes);
    bool fonts = fonts_were_short(painter->fonts);
    return i == scene->count || shapes || fonts;
}

bool painter_paint(Painter *painter, const Scene *scene, PainterTarget target) {
    return painter_paint_rows(painter, scene, target, 0);
}
