#include "picture/draw/canvas.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/strings/language.h"
#include "picture/formula/formula.h"
#include "tensor/tensor.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Half the width of an arrow's head, as a fraction of its length. */
static const double HEAD_HALF = 0.6;
static const double LEAST_ARROW = 2; /* points */

double canvas_least(const Canvas *canvas, const char *text) {
    return fmax(canvas->least, label_min_size(text));
}

double canvas_size(const Canvas *canvas, double units, const char *text) {
    return fmax(round(units), canvas_least(canvas, text));
}

const char *canvas_string(const Canvas *canvas, const char *key) {
    return language_words(canvas->language, key);
}

const char *canvas_words(const Canvas *canvas, const char *key, ...) {
    const char *texts[CANVAS_WORDS_MAX];
    size_t count = 0;
    va_list arguments;
    va_start(arguments, key);
    for (const char *text; (text = va_arg(arguments, const char *)) != NULL;) {
        assert(count < CANVAS_WORDS_MAX);
        texts[count++] = text;
    }
    va_end(arguments);
    return language_sentence(canvas->language, key, count, texts, canvas->scene->arena);
}

const char *canvas_format(const Canvas *canvas, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return "";
    char *text = arena_alloc(canvas->scene->arena, (size_t)length + 1, 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

Tensor *canvas_tensor(const Canvas *canvas, size_t rows, size_t cols) {
    Arena *arena = canvas->scene->arena;
    Tensor *tensor = arena_alloc(arena, 1, sizeof *tensor);
    double *values = arena_alloc(arena, rows * cols, sizeof *values);
    *tensor = (Tensor){.rows = rows, .cols = cols, .values = values};
    return tensor;
}

Tensor *canvas_tensor_like(const Canvas *canvas, const Tensor *like) {
    Tensor *tensor = canvas_tensor(canvas, like->rows, like->cols);
    tensor->row_labels = like->row_labels;
    tensor->col_labels = like->col_labels;
    return tensor;
}

Tensor *canvas_row(const Canvas *canvas, const Tensor *tensor, size_t row) {
    Tensor *out = arena_alloc(canvas->scene->arena, 1, sizeof *out);
    *out = *tensor;
    out->rows = 1;
    out->row_labels = tensor->row_labels ? tensor->row_labels + row : NULL;
    out->values += row * tensor->cols;
    return out;
}

const char *canvas_place(const Canvas *canvas, const char *const *labels, size_t count,
                         size_t index) {
    return tensor_position_name(labels, count, index, canvas->scene->arena);
}

const char *canvas_count(const Canvas *canvas, size_t number) {
    return canvas_format(canvas, "%zu", number);
}

const char *canvas_thousands(const Canvas *canvas, size_t number) {
    const char *text = "";
    for (; number >= 1000; number /= 1000)
        text = canvas_format(canvas, ",%03zu%s", number % 1000, text);
    return canvas_format(canvas, "%zu%s", number, text);
}

const char *canvas_amount(const Canvas *canvas, double size, int decimals) {
    char text[NUMBER_SIZE];
    if (size >= 0 && size < 1e15 && !(size > floor(size)))
        return canvas_thousands(canvas, (size_t)size);
    return canvas_format(canvas, "%s", number_format_short(text, size, decimals));
}

const char *canvas_number(const Canvas *canvas, double value, int decimals) {
    char text[NUMBER_SIZE];
    return canvas_format(canvas, "%s", number_format_shortest(text, value, decimals));
}

void canvas_link(const Canvas *canvas, Link link) {
    scene_link(canvas->scene, link);
}

void canvas_link_cell(const Canvas *canvas, size_t node, size_t row, size_t col) {
    scene_link(canvas->scene, (Link){LINK_CELL, node, row, col});
}

void canvas_unlink(const Canvas *canvas) {
    scene_link(canvas->scene, (Link){0});
}

void canvas_fill(const Canvas *canvas, Box box, double radius, Color fill) {
    scene_rectangle(canvas->scene, box, radius, fill, (Color){0}, 0);
}

void canvas_outline(const Canvas *canvas, Box box, double radius, Color color,
                    double width) {
    scene_rectangle(canvas->scene, box, radius, (Color){0}, color, width);
}

void canvas_target(const Canvas *canvas, Box box) {
    scene_rectangle(canvas->scene, box, 0, (Color){0}, (Color){0}, 0);
}

void canvas_dot(const Canvas *canvas, Point at, double radius, Color fill, Color edge,
                double width) {
    scene_rectangle(canvas->scene,
                    (Box){at.x - radius, at.y - radius, 2 * radius, 2 * radius}, radius,
                    fill, edge, width);
}

/* Point where an arrow's head of a given length meets its shaft. */
static Point neck_of(Point from, Point to, double head) {
    double fraction = head / fmax(point_distance(from, to), head);
    return (Point){to.x + (from.x - to.x) * fraction, to.y + (from.y - to.y) * fraction};
}

void canvas_arrow_head(const Canvas *canvas, Point from, Point to, double head,
                       Color color) {
    Point neck = neck_of(from, to, head);
    double across = (neck.y - to.y) * HEAD_HALF, down = (to.x - neck.x) * HEAD_HALF;
    const Point corners[] = {
        {neck.x - across, neck.y - down}, to, {neck.x + across, neck.y + down}};
    scene_polygon(canvas->scene, corners, 3, color);
}

void canvas_arrow(const Canvas *canvas, Point from, Point to, double width, double head,
                  Color color) {
    if (point_distance(from, to) < LEAST_ARROW)
        return;
    scene_line(canvas->scene, from, neck_of(from, to, head), width, color);
    canvas_arrow_head(canvas, from, to, head, color);
}

Box canvas_dialog(const Canvas *canvas, double width, double height) {
    const Scene *scene = canvas->scene;
    Box box = {round((scene->width - width) / 2), round((scene->height - height) * 0.4),
               width, round(height)};
    scene_rectangle(canvas->scene, box, 14, canvas->theme->bar, canvas->theme->accent, 3);
    return box;
}

/* Insets for a font; none in code. */
static const Insets *insets_in(const Canvas *canvas, FontRole font) {
    return font == FONT_MONO ? NULL : canvas->insets;
}

Box canvas_text(const Canvas *canvas, FontRole font, double size, Color color,
                Point baseline, LabelAlign align, const char *text) {
    return label_draw_with(canvas->scene, canvas->metrics, insets_in(canvas, font), font,
                           size, color, baseline, align, text);
}

double canvas_text_width(const Canvas *canvas, FontRole font, double size,
                         const char *text) {
    return label_width_with(canvas->metrics, insets_in(canvas, font), font, size, text);
}

LabelFit canvas_fit(const Canvas *canvas, FontRole font, double size, double width,
                    const char *text) {
    return label_fit_with(canvas->scene->arena, canvas->metrics, insets_in(canvas, font),
                          font, size, canvas_least(canvas, text), width, text);
}

void canvas_text_within(const Canvas *canvas, FontRole font, double size, double width,
                        Color color, Point baseline, LabelAlign align, const char *text) {
    LabelFit fit = canvas_fit(canvas, font, size, width, text);
    canvas_text(canvas, font, fit.size, color, baseline, align, fit.text);
}

void canvas_row_label(const Canvas *canvas, double size, double width, bool focus,
                      Point end, const char *text) {
    FontRole font = focus ? FONT_BOLD : FONT_TEXT;
    LabelFit fit = canvas_fit(canvas, font, size, width, text);
    canvas_text(canvas, font, fit.size,
                focus ? canvas->theme->ink : canvas->theme->ink_soft,
                (Point){end.x, label_baseline(end.y, fit.size)}, LABEL_RIGHT, fit.text);
}

double canvas_paragraph(const Canvas *canvas, FontRole font, double size, Color color,
                        Box area, double leading, size_t max_lines, const char *text) {
    return paragraph_draw_with(canvas->scene, canvas->metrics, insets_in(canvas, font),
                               font, size, color, area, leading, max_lines, text);
}

Box canvas_label(const Canvas *canvas, FontRole font, double units, Color color,
                 Point baseline, LabelAlign align, const char *text) {
    return canvas_text(canvas, font, canvas_size(canvas, units, text), color, baseline,
                       align, text);
}

Box canvas_label_at(const Canvas *canvas, FontRole font, double units, Color color,
                    Point middle, LabelAlign align, const char *text) {
    double size = canvas_size(canvas, units, text);
    return canvas_text(canvas, font, size, color,
                       (Point){middle.x, label_baseline(middle.y, size)}, align, text);
}

void canvas_line(const Canvas *canvas, FontRole font, double units, Color color, Box box,
                 const char *text) {
    LabelFit fit =
        canvas_fit(canvas, font, canvas_size(canvas, units, text), box.w, text);
    canvas_text(canvas, font, fit.size, color,
                (Point){box.x, label_baseline(box.y + box.h / 2, fit.size)}, LABEL_LEFT,
                fit.text);
}

FormulaExtent canvas_formula_extent(const Canvas *canvas, const char *source,
                                    double size) {
    return formula_sizes_measure(canvas->sizes, canvas->scene->arena, canvas->metrics,
                                 canvas->theme, source, size);
}

FormulaExtent canvas_formula_fit(const Canvas *canvas, const char *source,
                                 double smallest, double width, double *size) {
    for (;;) {
        FormulaExtent extent = canvas_formula_extent(canvas, source, *size);
        if (extent.width <= width || *size <= smallest)
            return extent;
        *size = fmax(fmin(floor(*size * width / extent.width), *size - 1), smallest);
    }
}

Box canvas_formula(const Canvas *canvas, const char *source, double units, Point centre,
                   LabelAlign align) {
    double size = canvas_size(canvas, units, "");
    FormulaExtent extent = canvas_formula_extent(canvas, source, size);
    double left = align == LABEL_LEFT     ? centre.x
                  : align == LABEL_CENTER ? centre.x - extent.width / 2
                                          : centre.x - extent.width;
    double baseline = centre.y + canvas->metrics->math.axis_height * size;
    formula_draw(canvas->scene, canvas->metrics, canvas->theme, source, size,
                 (Point){left, baseline});
    return (Box){left, baseline - extent.ascent, extent.width,
                 extent.ascent + extent.descent};
}

static const double PILL_UNITS = 14, PILL_PAD = 16, PILL_HEIGHT = 2.1,
                    MESSAGE_LEADING = 1.4;

bool canvas_pill_fits(const Canvas *canvas, double max_width, const char *text) {
    double room = max_width - 2 * PILL_PAD;
    double size = canvas_size(canvas, PILL_UNITS, text);
    return canvas_text_width(canvas, FONT_TEXT, size, text) <= room;
}

Box canvas_pill(const Canvas *canvas, double right, double middle, double max_width,
                Color fill, Color ink, const char *text) {
    double size = canvas_size(canvas, PILL_UNITS, text);
    LabelFit fit = canvas_fit(canvas, FONT_TEXT, size, max_width - 2 * PILL_PAD, text);
    double width =
        canvas_text_width(canvas, FONT_TEXT, fit.size, fit.text) + 2 * PILL_PAD;
    double height = round(size * PILL_HEIGHT);
    Box box = {right - width, round(middle - height / 2), width, height};
    canvas_fill(canvas, box, height / 2, fill);
    canvas_text(canvas, FONT_TEXT, fit.size, ink,
                (Point){box.x + PILL_PAD, label_baseline(middle, fit.size)}, LABEL_LEFT,
                fit.text);
    return box;
}

double canvas_message_width(const Canvas *canvas, double most, const char *text) {
    double size = canvas_size(canvas, PILL_UNITS, text);
    double words = canvas_text_width(canvas, FONT_TEXT, size, text);
    return fmin(words + 2 * PILL_PAD + 1, most);
}

enum { MESSAGE_LINES = 6 };

Box canvas_message(const Canvas *canvas, double right, double bottom, double max_width,
                   Color fill, Color ink, const char *text) {
    double size = canvas_size(canvas, PILL_UNITS, text), high = round(size * PILL_HEIGHT);
    if (canvas_pill_fits(canvas, max_width, text))
        return canvas_pill(canvas, right, bottom - high / 2, max_width, fill, ink, text);
    double leading = round(size * MESSAGE_LEADING);
    double words = paragraph_measure_with(canvas->metrics, insets_in(canvas, FONT_TEXT),
                                          FONT_TEXT, size, max_width - 2 * PILL_PAD,
                                          leading, MESSAGE_LINES, text, NULL);
    double height = words + round(size * (PILL_HEIGHT - MESSAGE_LEADING));
    Box box = {right - max_width, bottom - height, max_width, height};
    canvas_fill(canvas, box, high / 2, fill);
    canvas_paragraph(canvas, FONT_TEXT, size, ink,
                     (Box){box.x + PILL_PAD, box.y + (height - words) / 2,
                           max_width - 2 * PILL_PAD, words},
                     leading, MESSAGE_LINES, text);
    return box;
}

static const double CROSSED_STEP = 1.6;

void canvas_hatch(const Canvas *canvas, Box box, double first, double step) {
    scene_clip(canvas->scene, box);
    if (canvas->theme->patterns)
        step *= CROSSED_STEP;
    for (double at = first; at < box.w + box.h; at += step)
        scene_line(canvas->scene, (Point){box.x + at, box.y},
                   (Point){box.x + at - box.h, box.y + box.h}, 1, canvas->theme->hatch);
    /* in themes of patterns, parallel lines mean a negative number, so masked cells are
     * cross-hatched more widely */
    for (double at = first; canvas->theme->patterns && at < box.w + box.h; at += step)
        scene_line(canvas->scene, (Point){box.x + box.w - at, box.y},
                   (Point){box.x + box.w - at + box.h, box.y + box.h}, 1,
                   canvas->theme->hatch);
    scene_unclip(canvas->scene);
}

void canvas_masked(const Canvas *canvas, Box box) {
    canvas_fill(canvas, box, 0, canvas->theme->masked);
    canvas_hatch(canvas, box, 0, 5);
}

Box canvas_shrunk(const Canvas *canvas, Box box) {
    double scale = canvas->enlarged > 0 ? canvas->enlarged : 1;
    return (Box){box.x / scale, box.y / scale, box.w / scale, box.h / scale};
}

Box box_inset(Box box, double margin) {
    return (Box){box.x + margin, box.y + margin, fmax(box.w - 2 * margin, 0),
                 fmax(box.h - 2 * margin, 0)};
}

Box box_take_top(Box *box, double height) {
    height = fmin(height, box->h);
    Box strip = {box->x, box->y, box->w, height};
    box->y += height;
    box->h -= height;
    return strip;
}

Box box_take_bottom(Box *box, double height) {
    height = fmin(height, box->h);
    box->h -= height;
    return (Box){box->x, box->y + box->h, box->w, height};
}

Box box_take_left(Box *box, double width) {
    width = fmin(width, box->w);
    Box strip = {box->x, box->y, width, box->h};
    box->x += width;
    box->w -= width;
    return strip;
}

Box box_take_right(Box *box, double width) {
    width = fmin(width, box->w);
    box->w -= width;
    return (Box){box->x + box->w, box->y, width, box->h};
}

/* ---- curves ---- */

void curve_points(Point from, Point to, bool upright, Point points[CURVE_POINTS]) {
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double t = (double)i / (CURVE_POINTS - 1), s = t * t * (3 - 2 * t);
        points[i] = (Point){from.x + (to.x - from.x) * (upright ? s : t),
                            from.y + (to.y - from.y) * (upright ? t : s)};
    }
}

void curve_draw(const Canvas *canvas, Point from, Point to, double width, Color color) {
    Point points[CURVE_POINTS];
    curve_points(from, to, false, points);
    scene_path(canvas->scene, points, CURVE_POINTS, width, color);
}

void curve_band(const Canvas *canvas, Box from, Box to, bool upright, Color color) {
    Point points[2 * CURVE_POINTS], corner = {from.x + from.w, from.y + from.h};
    curve_points(upright ? (Point){from.x, corner.y} : (Point){corner.x, from.y},
                 (Point){to.x, to.y}, upright, points);
    curve_points(upright ? (Point){to.x + to.w, to.y} : (Point){to.x, to.y + to.h},
                 corner, upright, points + CURVE_POINTS);
    scene_polygon(canvas->scene, points, 2 * CURVE_POINTS, color);
}

/* ---- emphasis ---- */

static const double WEDGE = 14, SHARE = 0.45; /* units; largest fraction of the box */
static const double LEAST = 4;                /* points */
enum {
    GROUND = 34,
    FAR = 80
}; /* of 256: mix of the bar's colour with ink; mix with the page */

Color emphasis_ground(const Theme *theme) {
    return palette_mix(theme->bar, theme->ink, GROUND);
}

Color emphasis_bar(const Theme *theme, bool largest) {
    return theme->sequential.stops[largest ? theme->sequential.count - 1 : 3];
}

void emphasis_largest(const Canvas *canvas, Box box, Color ground) {
    double width = fmin(WEDGE, box.w * SHARE);
    double height = width * 0.7, middle = box.x + box.w / 2;
    double top = box.y + 2;
    if (width < LEAST || box.h < 2 * height)
        return;
    const Point wedge[] = {
        {middle - width / 2, top}, {middle + width / 2, top}, {middle, top + height}};
    scene_polygon(
        canvas->scene, wedge, 3,
        palette_ink(ground, canvas->theme->cell_dark, canvas->theme->cell_light));
}

static void mix_into_page(const Theme *theme, Color *color) {
    uint8_t alpha = color->a;
    *color = palette_mix(theme->page, *color, FAR);
    color->a = alpha;
}

void emphasis_far_back(const Canvas *canvas, size_t first) {
    const Theme *theme = canvas->theme;
    for (size_t i = first; i < canvas->scene->count; i++) {
        SceneItem *item = &canvas->scene->items[i];
        if (item->kind == SCENE_TEXT) {
            item->fill = theme->ink_faint;
            continue;
        }
        mix_into_page(theme, &item->fill);
        mix_into_page(theme, &item->stroke);
    }
}
