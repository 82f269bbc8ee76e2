#include "picture/help.h"

#include "base/utf8.h"

#include <math.h>
#include <string.h>

static const double PANEL_WIDTH = 900, LINE_HEIGHT = 34, KEYS_WIDTH = 190, PAD = 44;

static void draw_line(const Canvas *canvas, Box line, const char *keys,
                      const char *words) {
    double baseline = line.y + line.h * 0.7;
    canvas_label(canvas, FONT_BOLD, 16, canvas->theme->ink, (Point){line.x, baseline},
                 LABEL_LEFT, keys);
    double left = line.x + canvas_length(canvas, KEYS_WIDTH);
    double size = canvas_size(canvas, 16, words);
    LabelFit fit = label_fit(canvas->scene->arena, canvas->metrics, FONT_TEXT, size,
                             label_min_size(words), line.x + line.w - left, words);
    label_draw(canvas->scene, canvas->metrics, FONT_TEXT, fit.size,
               canvas->theme->ink_soft, (Point){left, baseline}, LABEL_LEFT, fit.text);
}

void help_draw(const Canvas *canvas, const HelpEntry *entries, size_t count) {
    static const char *const mouse[] = {"help.mouse_hover", "help.mouse_click",
                                        "help.mouse_drag"};
    enum { MOUSE_COUNT = sizeof mouse / sizeof *mouse };
    Scene *scene = canvas->scene;
    const Theme *theme = canvas->theme;
    Color veil = theme->page;
    veil.a = 235;
    scene_rectangle(scene, (Box){0, 0, scene->width, scene->height}, 0, veil, (Color){0},
                    0);
    double pad = canvas_length(canvas, PAD);
    double lines = (double)(count + MOUSE_COUNT) + 3.2;
    double line =
        fmin(canvas_length(canvas, LINE_HEIGHT), (scene->height - 3 * pad) / lines);
    double width = fmin(canvas_length(canvas, PANEL_WIDTH), scene->width - pad);
    double height = lines * line + 2 * pad;
    Box panel = {round((scene->width - width) / 2), round((scene->height - height) / 2),
                 width, round(height)};
    scene_rectangle(scene, panel, canvas_length(canvas, 14), theme->bar, theme->line, 1);
    Box inner = box_inset(panel, pad);
    canvas_label(canvas, FONT_BOLD, 24, theme->ink,
                 (Point){inner.x, inner.y + canvas_length(canvas, 12)}, LABEL_LEFT,
                 canvas_string(canvas, "help.title"));
    canvas_label(canvas, FONT_TEXT, 14, theme->ink_faint,
                 (Point){inner.x + inner.w, inner.y + canvas_length(canvas, 12)},
                 LABEL_RIGHT, canvas_string(canvas, "help.close"));
    box_take_top(&inner, line * 1.6);
    for (size_t i = 0; i < count; i++)
        draw_line(canvas, box_take_top(&inner, line), entries[i].keys,
                  canvas_string(canvas, entries[i].words));
    box_take_top(&inner, line * 0.6);
    for (size_t i = 0; i < MOUSE_COUNT; i++)
        draw_line(canvas, box_take_top(&inner, line),
                  i ? "" : canvas_string(canvas, "help.mouse"),
                  canvas_string(canvas, mouse[i]));
}

/* The end of a text that is no wider than `room`. */
static const char *tail_of(const Canvas *canvas, double size, double room,
                           const char *text) {
    size_t length = strlen(text), offset = 0;
    while (offset < length &&
           label_width(canvas->metrics, FONT_TEXT, size, text + offset) > room)
        utf8_next(text, length, &offset);
    return text + offset;
}

void help_draw_field(const Canvas *canvas, const char *typed) {
    Scene *scene = canvas->scene;
    const Theme *theme = canvas->theme;
    double pad = canvas_length(canvas, 28), width = canvas_length(canvas, PANEL_WIDTH);
    width = fmin(width, scene->width - 2 * pad);
    double height = canvas_length(canvas, 150);
    Box panel = {round((scene->width - width) / 2), round((scene->height - height) * 0.4),
                 width, height};
    scene_rectangle(scene, panel, canvas_length(canvas, 14), theme->bar, theme->accent,
                    fmax(canvas_length(canvas, 3), 2));
    Box inner = box_inset(panel, pad);
    canvas_label(canvas, FONT_BOLD, 18, theme->ink,
                 (Point){inner.x, inner.y + canvas_length(canvas, 12)}, LABEL_LEFT,
                 canvas_string(canvas, "text.title"));
    double size = canvas_size(canvas, 24, typed);
    const char *shown = tail_of(canvas, size, inner.w - pad, typed);
    double baseline = inner.y + canvas_length(canvas, 56);
    Box words = label_draw(scene, canvas->metrics, FONT_TEXT, size, theme->ink,
                           (Point){inner.x, baseline}, LABEL_LEFT, shown);
    scene_rectangle(scene,
                    (Box){words.x + words.w + 2, baseline - size * 0.85,
                          fmax(canvas_length(canvas, 2), 1), size * 1.1},
                    0, theme->accent, (Color){0}, 0);
    canvas_label(canvas, FONT_TEXT, 14, theme->ink_faint,
                 (Point){inner.x, inner.y + inner.h}, LABEL_LEFT,
                 canvas_string(canvas, "text.keys"));
}
