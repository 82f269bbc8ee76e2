#include "picture/overlays/glossary_panel.h"

#include "picture/scene/theme.h"

#include <math.h>
#include <string.h>

static const double PANEL_WIDTH = 1320, PANEL_HEIGHT = 760, LIST_WIDTH = 400, PAD = 32,
                    ROW = 44, GAP = 36;
enum { TEXT_LINES = 9 };

static void draw_frame(const Canvas *canvas, Box panel) {
    Scene *scene = canvas->scene;
    Color veil = canvas->theme->page;
    veil.a = 235;
    scene_rectangle(scene, (Box){0, 0, scene->width, scene->height}, 0, veil, (Color){0},
                    0);
    scene_rectangle(scene, panel, 14, canvas->theme->bar, canvas->theme->line, 1);
}

static void draw_title(const Canvas *canvas, const GlossaryPanel *panel, Box line) {
    double baseline = line.y + 26;
    canvas_label(canvas, FONT_BOLD, 24, canvas->theme->ink, (Point){line.x, baseline},
                 LABEL_LEFT, canvas_string(canvas, "glossary.title"));
    const char *keys = canvas_string(canvas, "glossary.keys");
    double size = canvas_size(canvas, 15, keys);
    double width = canvas_text_width(canvas, FONT_TEXT, size, keys);
    canvas_link(canvas, panel->close);
    canvas_target(canvas, (Box){line.x + line.w - width, line.y, width, line.h});
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_faint,
                (Point){line.x + line.w, baseline}, LABEL_RIGHT, keys);
    canvas_unlink(canvas);
}

static void draw_search(const Canvas *canvas, const GlossaryPanel *panel, Box box) {
    const Theme *theme = canvas->theme;
    double size = canvas_size(canvas, 18, panel->search.text);
    double pad = 12;
    Point at = {box.x + pad, label_baseline(box.y + box.h / 2, size)};
    scene_rectangle(canvas->scene, box, 8, theme->page, theme->accent, 2);
    if (!panel->search.text[0])
        canvas_label(canvas, FONT_TEXT, 17, theme->ink_faint, (Point){at.x + pad, at.y},
                     LABEL_LEFT, canvas_string(canvas, "glossary.search"));
    help_draw_written(canvas, &panel->search, at, box.w - 2 * pad, size);
}

/* ---- the list ---- */

/* Draws one line in the middle of a box, fitted into it, with its names as formulas. */
static void draw_line(const Canvas *canvas, FontRole font, double units, Color ink,
                      Box box, const char *text) {
    LabelFit fit = label_fit_with(canvas->scene->arena, canvas->metrics, canvas->insets,
                                  font, canvas_size(canvas, units, text),
                                  label_min_size(text), box.w, text);
    label_draw_with(canvas->scene, canvas->metrics, canvas->insets, font, fit.size, ink,
                    (Point){box.x, label_baseline(box.y + box.h / 2, fit.size)},
                    LABEL_LEFT, fit.text);
}

static void draw_row(const Canvas *canvas, const GlossaryTerm *term, Box row,
                     bool chosen) {
    const Theme *theme = canvas->theme;
    double pad = 12;
    if (chosen)
        canvas_fill(canvas, row, 8, theme->current);
    else
        canvas_target(canvas, row);
    Color ink = chosen ? theme->current_ink : theme->ink;
    Box words = {row.x + pad, row.y, row.w - 2 * pad, row.h};
    if (strcmp(term->term, term->plain) != 0) {
        Color other = chosen ? theme->current_ink : theme->ink_faint;
        double room = words.w * 0.55;
        LabelFit fit = canvas_fit(canvas, FONT_TEXT, canvas_size(canvas, 15, term->plain),
                                  room, term->plain);
        canvas_text(
            canvas, FONT_TEXT, fit.size, other,
            (Point){words.x + words.w, label_baseline(row.y + row.h / 2, fit.size)},
            LABEL_RIGHT, fit.text);
        words.w -= room;
    }
    draw_line(canvas, chosen ? FONT_BOLD : FONT_TEXT, 17, ink, words, term->term);
}

static void draw_list(const Canvas *canvas, const GlossaryPanel *panel, Box area) {
    size_t fits = (size_t)fmax(floor(area.h / ROW), 1);
    size_t first = panel->chosen >= fits / 2 ? panel->chosen - fits / 2 : 0;
    if (first + fits > panel->count)
        first = panel->count > fits ? panel->count - fits : 0;
    for (size_t i = first; i < panel->count && i < first + fits; i++) {
        Box box = {area.x, area.y + (double)(i - first) * ROW, area.w, ROW};
        canvas_link(canvas, (Link){LINK_TERM, panel->found[i], 0, 0});
        draw_row(canvas, &panel->glossary->terms[panel->found[i]], box,
                 i == panel->chosen);
        canvas_unlink(canvas);
    }
    if (!panel->count)
        canvas_label(canvas, FONT_TEXT, 17, canvas->theme->ink_soft,
                     (Point){area.x, area.y + ROW / 2}, LABEL_LEFT,
                     canvas_string(canvas, "glossary.none"));
    double fraction = (double)fits / (double)panel->count;
    if (panel->count > fits) /* scroll position in the list */
        canvas_fill(canvas,
                    (Box){area.x + area.w + 6,
                          area.y + area.h * (double)first / (double)panel->count, 4,
                          area.h * fraction},
                    2, canvas->theme->line);
}

/* ---- the entry ---- */

static void draw_place(const Canvas *canvas, const GlossaryPlace *place, Box row,
                       bool chosen) {
    const Theme *theme = canvas->theme;
    Box words = row;
    canvas_link(canvas, place->link);
    canvas_target(canvas, row);
    if (chosen)
        canvas_outline(canvas, row, 8, theme->focus, 2);
    box_take_left(&words, 14);
    draw_line(canvas, FONT_TEXT, 18, theme->ink, words, place->words);
    canvas_unlink(canvas);
}

static void draw_entry(const Canvas *canvas, const GlossaryPanel *panel, Box area) {
    const Theme *theme = canvas->theme;
    const GlossaryTerm *term = &panel->glossary->terms[panel->found[panel->chosen]];
    double title = canvas_size(canvas, 34, term->term);
    Box box = label_draw_with(canvas->scene, canvas->metrics, canvas->insets, FONT_BOLD,
                              title, theme->ink, (Point){area.x, area.y + title},
                              LABEL_LEFT, term->term);
    if (strcmp(term->term, term->plain) != 0)
        canvas_label(canvas, FONT_TEXT, 20, theme->ink_faint,
                     (Point){box.x + box.w + 16, area.y + title}, LABEL_LEFT,
                     term->plain);
    box_take_top(&area, title + 26);
    double size = canvas_size(canvas, 22, term->say), leading = round(size * 1.55);
    double height =
        paragraph_draw_with(canvas->scene, canvas->metrics, canvas->insets, FONT_TEXT,
                            size, theme->ink, area, leading, TEXT_LINES, term->say);
    box_take_top(&area, height + 28);
    if (panel->place_count)
        canvas_label(canvas, FONT_BOLD, 16, theme->ink_soft, (Point){area.x, area.y + 12},
                     LABEL_LEFT, canvas_string(canvas, "glossary.see"));
    box_take_top(&area, 24);
    for (size_t i = 0; i < panel->place_count; i++)
        draw_place(canvas, &panel->places[i], box_take_top(&area, ROW),
                   i == panel->place);
}

void glossary_panel_draw(const Canvas *canvas, const GlossaryPanel *panel) {
    const Scene *scene = canvas->scene;
    double width = fmin(PANEL_WIDTH, scene->width - PAD);
    double height = fmin(PANEL_HEIGHT, scene->height - PAD);
    Box box = {round((scene->width - width) / 2), round((scene->height - height) / 2),
               width, height};
    draw_frame(canvas, box);
    Box inner = box_inset(box, PAD);
    draw_title(canvas, panel, box_take_top(&inner, 40));
    box_take_top(&inner, 16);
    Box list = box_take_left(&inner, LIST_WIDTH);
    box_take_left(&inner, GAP);
    draw_search(canvas, panel, box_take_top(&list, 46));
    box_take_top(&list, 12);
    draw_list(canvas, panel, list);
    if (panel->count)
        draw_entry(canvas, panel, inner);
}
