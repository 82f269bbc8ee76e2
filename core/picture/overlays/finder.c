#include "picture/overlays/finder.h"

#include "picture/chrome/tools.h"
#include "picture/scene/theme.h"

#include <math.h>

static const double WIDTH = 900, ROW = 42, FIELD = 60, FOOT = 40, PAD = 14, KIND = 120,
                    TOP = 90, UNITS = 16, FIELD_UNITS = 20, BAR = 5;

static void draw_field(const Canvas *canvas, const Finder *finder, Box line) {
    const Theme *theme = canvas->theme;
    Box close = box_take_right(&line, line.h);
    Box whole = line;
    Box sign = box_take_left(&line, line.h);
    canvas_link(canvas, (Link){LINK_FIELD, 0, 0, 0});
    canvas_target(canvas, whole);
    tool_draw(canvas, TOOL_FIND, box_inset(sign, line.h * 0.33), theme->ink_soft);
    double size = canvas_size(canvas, FIELD_UNITS, finder->field.text);
    Point at = {line.x, label_baseline(line.y + line.h / 2, size)};
    if (!finder->field.text[0])
        canvas_text(canvas, FONT_TEXT, size, theme->ink_faint, (Point){at.x + 6, at.y},
                    LABEL_LEFT, canvas_string(canvas, finder->field.title));
    help_draw_written(canvas, &finder->field, at, line.w - PAD, size);
    canvas_unlink(canvas);
    tool_draw_button(canvas, TOOL_LEAVE, finder->close, close, theme->ink_soft);
}

static void draw_row(const Canvas *canvas, const Finder *finder, size_t index, Box line) {
    const Theme *theme = canvas->theme;
    const FinderRow *row = &finder->rows[index];
    size_t place = finder->first + index;
    bool chosen = place == finder->chosen;
    Link link = finder->link;
    link.row = place + 1;
    double pad = PAD;
    canvas_link(canvas, link);
    canvas_fill(canvas, line, 6,
                chosen ? palette_mix(theme->bar, theme->accent, 38) : theme->bar);
    Box inner = {line.x + pad, line.y, line.w - 2 * pad, line.h};
    Box kind = box_take_left(&inner, KIND);
    canvas_line(canvas, FONT_TEXT, UNITS - 1, theme->ink_faint, kind, row->kind);
    double size = canvas_size(canvas, UNITS - 1, row->detail);
    double wide = canvas_text_width(canvas, FONT_TEXT, size, row->detail);
    double words = canvas_text_width(canvas, chosen ? FONT_BOLD : FONT_TEXT,
                                     canvas_size(canvas, UNITS, row->words), row->words);
    double room = fmax(inner.w - words - 2 * pad, inner.w * 0.3);
    LabelFit fit = canvas_fit(canvas, FONT_TEXT, size, fmin(wide, room) + 1, row->detail);
    double used = row->detail[0]
                      ? canvas_text_width(canvas, FONT_TEXT, fit.size, fit.text) + pad
                      : 0;
    canvas_text(canvas, FONT_TEXT, fit.size, theme->ink_faint,
                (Point){inner.x + inner.w, round(line.y + line.h * 0.63)}, LABEL_RIGHT,
                fit.text);
    inner.w -= used;
    canvas_line(canvas, chosen ? FONT_BOLD : FONT_TEXT, UNITS,
                row->can ? theme->ink : theme->ink_faint, inner, row->words);
    canvas_unlink(canvas);
}

/* Draws a scroll bar for the rows. */
static void draw_scroll(const Canvas *canvas, const Finder *finder, Box rows) {
    if (finder->found <= finder->shown)
        return;
    double all = (double)finder->found;
    double height = fmax(rows.h * (double)finder->shown / all, 3 * BAR);
    double fraction = (double)finder->first / (all - (double)finder->shown);
    canvas_fill(
        canvas,
        (Box){rows.x + rows.w - BAR, rows.y + fraction * (rows.h - height), BAR, height},
        BAR / 2, canvas->theme->line);
}

/* Upper edge of the panel; the page's edge if there is little room. */
static double top_of(const Canvas *canvas) {
    return canvas->enlarged > 1 ? PAD : TOP;
}

size_t finder_rows(const Canvas *canvas) {
    double room = canvas->scene->height - top_of(canvas) - (FIELD + FOOT + PAD);
    double rows = floor(room / ROW);
    return (size_t)fmin(fmax(rows, 1), FINDER_ROWS);
}

void finder_draw(const Canvas *canvas, const Finder *finder) {
    const Theme *theme = canvas->theme;
    const Scene *scene = canvas->scene;
    double pad = PAD;
    double width = fmin(WIDTH, scene->width - 2 * pad);
    Box panel = {round((scene->width - width) / 2), top_of(canvas), width,
                 FIELD + (double)finder_rows(canvas) * ROW + FOOT};
    canvas_link(canvas, finder->link); /* the rest of it does nothing */
    scene_rectangle(canvas->scene, panel, 12, theme->bar, theme->line, 2);
    canvas_unlink(canvas);
    Box rest = panel;
    draw_field(canvas, finder, box_take_top(&rest, FIELD));
    canvas_fill(canvas, (Box){panel.x, rest.y - 1, panel.w, 1}, 0, theme->line);
    Box rows = {rest.x + pad / 2, rest.y + 4, rest.w - pad,
                (double)finder_rows(canvas) * ROW};
    Box left = rows;
    left.w -= 2 * BAR;
    for (size_t i = 0; i < finder->shown; i++)
        draw_row(canvas, finder, i, box_take_top(&left, ROW));
    draw_scroll(canvas, finder, rows);
    Box last = box_take_bottom(&rest, FOOT - 4);
    last.x += pad;
    last.w -= 2 * pad;
    bool nothing = !finder->found, tells = finder->told && finder->told[0];
    const char *words =
        finder->field.problem[0] ? finder->field.problem
        : tells                  ? finder->told
                : canvas_string(canvas, nothing ? "finder.nothing" : finder->field.keys);
    canvas_line(canvas, FONT_TEXT, UNITS - 1,
                finder->field.problem[0] ? theme->bad_ink : theme->ink_faint, last,
                words);
}
