#include "picture/draw/heatmap.h"

#include "base/arena.h"
#include "lesson/content/lesson.h"
#include "picture/draw/token.h"
#include "picture/scene/theme.h"
#include "tensor/tensor.h"

#include <math.h>
#include <string.h>

/* All labels of an axis have one size and one direction. If cells are too close for
 * all of them, only the labels of the focused cell and those quoted by a question are
 * drawn. */

static const double LABEL_UNITS = 17, ROW_GAP = 12, COL_GAP = 8;
/* Fractions of a label's size: least distance of lines. */
static const double PITCH = 1.1, LOWERED_PITCH = 1.35;
/* Fraction of a label's size below its letters. */
static const double SUBSCRIPT_DROP = 0.25;
/* Factor by which labels may exceed their room rather than be cut. */
static const double RATHER_THAN_CUT = 1.8;

static double label_size(const Canvas *canvas, const char *label) {
    return canvas_size(canvas, LABEL_UNITS, label);
}

/* Insets for a label: names are formulas in labels that are sentences, "d_k = 64", or
 * numbered letters, "x_1"; any other word may be a token and is plain text. */
static const Insets *insets_of(const Canvas *canvas, const char *label) {
    size_t digits = strspn(label[0] && label[1] == '_' ? label + 2 : "", "0123456789");
    bool numbered = digits && !label[2 + digits];
    return numbered || strchr(label, ' ') ? canvas->insets : NULL;
}

/* ---- how much room they want ---- */

/* Width of the widest label. Rotated labels have no insets. The outlines of `framed`
 * labels are included, except on enlarged pages, which draw them only if there is
 * room. */
static double widest_label(const Canvas *canvas, const char *const *labels, size_t count,
                           bool turned, bool framed) {
    double widest = 0;
    framed &= !(canvas->enlarged > 1);
    for (size_t i = 0; labels && i < count; i++) {
        const Insets *insets = turned ? NULL : insets_of(canvas, labels[i]);
        double size = label_size(canvas, labels[i]);
        double pad = framed ? 2 * token_frame_pad(size, labels[i]) : 0;
        widest = fmax(
            widest,
            label_width_with(canvas->metrics, insets, FONT_BOLD, size, labels[i]) + pad);
    }
    return widest;
}

/* Length of the common beginning, such as "d_k = ", of all labels; 0 if there is none. */
static size_t common_begin(const char *const *labels, size_t count) {
    const char *equals = labels && count > 1 ? strstr(labels[0], " = ") : NULL;
    size_t length = equals ? (size_t)(equals - labels[0]) + 3 : 0;
    for (size_t i = 1; length && i < count; i++) {
        if (strncmp(labels[i], labels[0], length) != 0)
            return 0;
    }
    return length;
}

/* Returns the labels without their first `begin` bytes, in the frame's arena. */
static const char *const *without_begin(const Canvas *canvas, const char *const *labels,
                                        size_t count, size_t begin) {
    const char **rest = arena_alloc(canvas->scene->arena, count, sizeof *rest);
    for (size_t i = 0; i < count; i++)
        rest[i] = labels[i] + begin;
    return rest;
}

double heatmap_row_label_width(const Canvas *canvas, const Tensor *tensor) {
    double widest = widest_label(canvas, tensor->row_labels, tensor->rows, false, true);
    return widest > 0 ? widest + 14 : 0;
}

HeatmapColLabels heatmap_col_labels(const Canvas *canvas, const Tensor *tensor) {
    const char *const *labels = tensor->col_labels;
    size_t begin = common_begin(labels, tensor->cols);
    const char *const *rest =
        begin ? without_begin(canvas, labels, tensor->cols, begin) : NULL;
    const char *common =
        begin ? canvas_format(canvas, "%.*s", (int)begin, labels[0]) : NULL;
    return (HeatmapColLabels){
        .flat = widest_label(canvas, labels, tensor->cols, false, false),
        .turned = widest_label(canvas, labels, tensor->cols, true, true),
        .rest = widest_label(canvas, rest, tensor->cols, false, false),
        .begin = common ? widest_label(canvas, &common, 1, false, false) : 0};
}

/* Reports whether the labels' common beginning is drawn once, before the first. */
static bool begins_once(HeatmapColLabels labels, double cell_width) {
    return labels.flat > cell_width && labels.rest > 0 && labels.rest <= cell_width;
}

double heatmap_col_labels_before(HeatmapColLabels labels, double cell_width) {
    return begins_once(labels, cell_width) ? labels.begin : 0;
}

double heatmap_col_labels_height(const Canvas *canvas, HeatmapColLabels labels,
                                 double cell_width, double most) {
    if (labels.flat == 0)
        return 0;
    double flat = 30, gap = 10;
    if (labels.flat <= cell_width || begins_once(labels, cell_width))
        return flat;
    double widest = labels.turned;
    double least =
        widest * canvas_least(canvas, "") / canvas_size(canvas, LABEL_UNITS, "");
    most = fmax(most, fmin(least * 1.1 + gap, most * RATHER_THAN_CUT));
    return fmax(fmin(widest + gap, most), flat);
}

double heatmap_col_label_height(const Canvas *canvas, const Tensor *tensor,
                                double cell_width, double most) {
    return heatmap_col_labels_height(canvas, heatmap_col_labels(canvas, tensor),
                                     cell_width, most);
}

/* ---- drawing ---- */

/* Largest label size at which neighbours don't touch; 0 if one of them would be
 * unreadable. */
static double size_for_pitch(const Canvas *canvas, const char *const *labels,
                             size_t count, double pitch) {
    bool lowered = false; /* subscripts need more room below */
    for (size_t i = 0; i < count; i++)
        lowered |= insets_of(canvas, labels[i]) && strchr(labels[i], '_');
    double size = floor(pitch / (lowered ? LOWERED_PITCH : PITCH));
    for (size_t i = 0; i < count; i++) {
        if (canvas_least(canvas, labels[i]) > size)
            return 0;
    }
    return size;
}

/* One axis while its labels are drawn. */
typedef struct Axis {
    const Canvas *canvas;
    const Heatmap *heatmap;
    bool rows; /* labels of the rows, left of them; else of the columns, above them */
    const char *const *labels;
    size_t count;
    double pitch;   /* distance of neighbours */
    bool turned;    /* labels read upwards */
    bool crowded;   /* no room for the labels of neighbours */
    double largest; /* largest size that there is room for */
    double room;    /* largest length of a label */
} Axis;

static bool is_focus(const Axis *axis, size_t i) {
    const Heatmap *heatmap = axis->heatmap;
    return heatmap->has_focus &&
           i == (axis->rows ? heatmap->focus_row : heatmap->focus_col);
}

/* Sets `crowded` and `largest`. Labels of rows and labels that are turned lie side by
 * side, one line each, instead of along the axis. */
static void fit_axis(Axis *axis) {
    const Canvas *canvas = axis->canvas;
    bool across = axis->rows || axis->turned;
    double widest = widest_label(canvas, axis->labels, axis->count, axis->turned, across);
    axis->largest = canvas_size(canvas, LABEL_UNITS, "一");
    if (widest > axis->room)
        axis->largest = floor(axis->largest * axis->room / widest);
    double most = size_for_pitch(canvas, axis->labels, axis->count, axis->pitch);
    axis->crowded = across && most == 0;
    if (across && most > 0)
        axis->largest = fmin(axis->largest, most);
}

static void draw_label(const Axis *axis, size_t i) {
    const Canvas *canvas = axis->canvas;
    const char *label = axis->labels[i];
    FontRole font = is_focus(axis, i) ? FONT_BOLD : FONT_TEXT;
    Color color = is_focus(axis, i) ? canvas->theme->ink : canvas->theme->ink_soft;
    const Insets *insets = axis->turned ? NULL : insets_of(canvas, label);
    double wanted = fmin(label_size(canvas, label), axis->largest);
    LabelFit fit = label_fit_with(canvas->scene->arena, canvas->metrics, insets, font,
                                  wanted, canvas_least(canvas, label), axis->room, label);
    Box cell = axis->rows ? heatmap_cells(axis->heatmap, i, i + 1, 0, 1)
                          : heatmap_cells(axis->heatmap, 0, 1, i, i + 1);
    bool flat = !axis->rows && !axis->turned;
    double pad = token_frame_in(canvas, font, &fit, label, flat ? cell.w : axis->room,
                                flat ? INFINITY : axis->pitch);
    Box cells = axis->heatmap->cells;
    Point at = {cell.x + cell.w / 2, cells.y - COL_GAP};
    LabelAlign align = LABEL_CENTER;
    if (axis->rows) {
        at = (Point){cells.x - ROW_GAP - pad,
                     label_baseline(cell.y + cell.h / 2, fit.size)};
        align = LABEL_RIGHT;
    } else if (insets) {
        at.y -= fit.size * SUBSCRIPT_DROP;
    }
    Box drawn =
        axis->turned
            ? label_draw_upright(canvas->scene, canvas->metrics, font, fit.size, color,
                                 (Point){at.x, at.y - pad}, LABEL_LEFT, fit.text)
            : label_draw_with(canvas->scene, canvas->metrics, insets, font, fit.size,
                              color, at, align, fit.text);
    if (pad > 0)
        token_frame(canvas, drawn, fit.size, label);
}

static void draw_axis(Axis axis) {
    const char *quoting = axis.heatmap->quoting;
    fit_axis(&axis);
    for (size_t i = 0; i < axis.count; i++) {
        if (!axis.crowded || is_focus(&axis, i) ||
            (quoting && lesson_quotes(quoting, axis.labels[i])))
            draw_label(&axis, i);
    }
}

/* Draws the common beginning of all columns' labels once, before the first. */
static void draw_begin(const Canvas *canvas, const Heatmap *heatmap, size_t begin) {
    const char *label = heatmap->tensor->col_labels[0];
    const char *text = canvas_format(canvas, "%.*s", (int)begin, label);
    Box first = heatmap_cells(heatmap, 0, 1, 0, 1);
    double size = label_size(canvas, text);
    label_draw_with(canvas->scene, canvas->metrics, insets_of(canvas, text), FONT_TEXT,
                    size, canvas->theme->ink_soft,
                    (Point){first.x, heatmap->cells.y - COL_GAP}, LABEL_RIGHT, text);
}

static void draw_col_labels(const Canvas *canvas, const Heatmap *heatmap) {
    const Tensor *tensor = heatmap->tensor;
    HeatmapColLabels wide = heatmap_col_labels(canvas, tensor);
    Axis axis = {.canvas = canvas,
                 .heatmap = heatmap,
                 .labels = tensor->col_labels,
                 .count = tensor->cols,
                 .pitch = heatmap->cells.w / (double)tensor->cols,
                 .room = INFINITY};
    axis.turned = wide.flat > axis.pitch;
    if (begins_once(wide, axis.pitch)) {
        size_t begin = common_begin(axis.labels, axis.count);
        draw_begin(canvas, heatmap, begin);
        axis.labels = without_begin(canvas, axis.labels, axis.count, begin);
        axis.turned = false;
    }
    if (axis.turned && heatmap->col_label_room > 0)
        axis.room = heatmap->col_label_room - COL_GAP;
    draw_axis(axis);
}

void heatmap_draw_labels(const Canvas *canvas, const Heatmap *heatmap) {
    const Tensor *tensor = heatmap->tensor;
    if (heatmap->row_labels && tensor->row_labels)
        draw_axis((Axis){.canvas = canvas,
                         .heatmap = heatmap,
                         .rows = true,
                         .labels = tensor->row_labels,
                         .count = tensor->rows,
                         .pitch = heatmap->cells.h / (double)tensor->rows,
                         .room = heatmap->label_room - ROW_GAP});
    if (heatmap->col_labels && tensor->col_labels)
        draw_col_labels(canvas, heatmap);
}
