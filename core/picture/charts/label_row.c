#include "picture/charts/charts.h"
#include "picture/draw/token.h"
#include "picture/scene/theme.h"

#include <math.h>

/* Fraction of their size; smaller labels stand upright. */
static const double SMALLEST = 0.66;
/* Factor by which upright labels may exceed their room rather than be cut. */
static const double RATHER_THAN_CUT = 1.5;
/* Width of an upright label, and with an outline, relative to its size. */
static const double UPRIGHT = 1.15, FRAMED = 1.45;
/* Points: beside a label; reach of the first and last label beyond the columns; above and
 * below horizontal labels together. */
static const double PAD = 4, OVERHANG = 9, AROUND = 18;

static double width_of(const LabelRow *row, size_t index, double size) {
    const char *text = token_text(row->canvas, row->label(row->list, index));
    return canvas_text_width(row->canvas, FONT_BOLD, canvas_size(row->canvas, size, text),
                             text);
}

/* Reports whether horizontal labels keep apart. */
static bool lie_flat(const LabelRow *row, double size) {
    double before = 0;
    for (size_t i = 0; i < row->count; i++) {
        double half = width_of(row, i, size) / 2;
        if (half + before + 2 * PAD > (i ? row->pitch : row->pitch / 2 + OVERHANG))
            return false;
        before = half;
    }
    return before + PAD <= row->pitch / 2 + OVERHANG;
}

/* Height of the longest upright label, with its outline if that has room. */
static double upright_height(const LabelRow *row) {
    double longest = 0;
    for (size_t i = 0; i < row->count; i++) {
        double frame = token_frame_pad(row->size, row->label(row->list, i));
        longest = fmax(longest, width_of(row, i, row->size) +
                                    (row->pitch > row->size * FRAMED ? 2 * frame : 0));
    }
    return ceil(longest) + 2 * PAD;
}

void label_row_measure(LabelRow *row, double room) {
    const Canvas *canvas = row->canvas;
    double wanted = canvas_size(canvas, row->units, ""), least = canvas_least(canvas, "");
    row->every = 1;
    row->size = wanted;
    row->height = wanted + AROUND;
    if (row->is_counts) { /* the last number is the widest */
        double widest = width_of(row, row->count - 1, wanted) + 2 * PAD;
        row->every = plot_stride(fmax(widest / row->pitch, 1));
        return;
    }
    double smallest = fmax(round(wanted * SMALLEST), least);
    while (row->size > smallest && !lie_flat(row, row->size))
        row->size--;
    row->upright = !lie_flat(row, row->size);
    if (!row->upright)
        return;
    row->size = wanted;
    while (row->size > least && upright_height(row) > room)
        row->size--;
    row->height = fmin(upright_height(row), room * RATHER_THAN_CUT);
    row->is_crowded = row->pitch < row->size * UPRIGHT;
}

double label_row_x(const LabelRow *row, size_t index) {
    return round(row->left + row->pitch * ((double)index + 0.5));
}

double label_row_width(const LabelRow *row, size_t index) {
    return row->upright ? row->size * UPRIGHT : width_of(row, index, row->size);
}

void label_row_draw(LabelRow *row, size_t index, double top, LabelAlign align,
                    bool strong) {
    const Canvas *canvas = row->canvas;
    const char *label = row->label(row->list, index), *text = token_text(canvas, label);
    FontRole font = strong ? FONT_BOLD : FONT_TEXT;
    Color color = strong ? canvas->theme->ink : canvas->theme->ink_soft;
    double size = canvas_size(canvas, row->size, text), x = label_row_x(row, index);
    double width = label_row_width(row, index), middle = top + row->height / 2;
    double room = row->upright ? row->height - 2 * PAD + 0.1 : INFINITY;
    if (!taken_add(&row->taken, (Box){x - width / 2, top, width, row->height}))
        return;
    LabelFit fit =
        label_fit(canvas->scene->arena, canvas->metrics, font, size, size, room, text);
    double pad = token_frame_in(canvas, font, &fit, label,
                                row->upright ? room : row->pitch + 2 * OVERHANG,
                                row->upright ? row->pitch : INFINITY);
    Point at = {x, align == LABEL_CENTER ? middle : top + PAD + pad};
    Box drawn = row->upright ? label_draw_upright(canvas->scene, canvas->metrics, font,
                                                  fit.size, color, at, align, fit.text)
                             : canvas_text(canvas, font, fit.size, color,
                                           (Point){x, label_baseline(middle, fit.size)},
                                           LABEL_CENTER, fit.text);
    if (pad > 0)
        token_frame(canvas, drawn, fit.size, label);
}
