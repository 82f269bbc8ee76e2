#include "picture/chrome/station.h"

#include "picture/scene/theme.h"

#include <math.h>

static const double WORDS = 29;
static const double DOT = 6, DOT_PITCH = 26, BUTTON_HEIGHT = 48, BUTTON_PAD = 26;

void station_draw_words(const Canvas *canvas, const Station *station, Box area) {
    double size = canvas_size(canvas, WORDS, station->words), leading = round(size * 1.3);
    canvas_paragraph(canvas, FONT_BOLD, size, canvas->theme->ink, area, leading, 3,
                     station->words);
}

/* Draws a button with its left or right end at x; returns its box. */
static Box draw_button(const Canvas *canvas, Link link, double x, LabelAlign side,
                       double middle, const char *words, bool strong) {
    const Theme *theme = canvas->theme;
    double size = canvas_size(canvas, 18, words);
    double width =
        ceil(canvas_text_width(canvas, FONT_BOLD, size, words)) + 2 * BUTTON_PAD;
    Box box = {side == LABEL_RIGHT ? x - width : x, round(middle - BUTTON_HEIGHT / 2),
               width, BUTTON_HEIGHT};
    canvas_link(canvas, link);
    scene_rectangle(canvas->scene, box, BUTTON_HEIGHT / 2,
                    strong ? theme->current : theme->bar,
                    strong ? theme->current : theme->ink_faint, 1.5);
    canvas_text(canvas, FONT_BOLD, size, strong ? theme->current_ink : theme->ink,
                (Point){box.x + BUTTON_PAD, label_baseline(middle, size)}, LABEL_LEFT,
                words);
    canvas_unlink(canvas);
    return box;
}

void station_draw_strip(const Canvas *canvas, const Station *station, Box area) {
    const Theme *theme = canvas->theme;
    double middle = area.y + area.h / 2, pad = 40;
    double left = area.x + (area.w - DOT_PITCH * (double)(station->count - 1)) / 2;
    for (size_t i = 0; i < station->count; i++) {
        bool present = i == station->at, past = i < station->at;
        canvas_dot(canvas, (Point){left + DOT_PITCH * (double)i, middle},
                   present ? DOT * 1.5 : DOT,
                   present ? theme->accent
                   : past  ? theme->ink_soft
                           : (Color){0},
                   present ? theme->accent : theme->ink_faint, 1.5);
    }
    draw_button(canvas, station->leave, area.x + pad, LABEL_LEFT, middle,
                canvas_string(canvas, "tour.leave"), false);
    bool last = station->at + 1 == station->count;
    Box next =
        draw_button(canvas, station->next, area.x + area.w - pad, LABEL_RIGHT, middle,
                    canvas_string(canvas, last ? "tour.end" : "tour.next"), true);
    draw_button(canvas, station->at ? station->back : station->text, next.x - 14,
                LABEL_RIGHT, middle,
                canvas_string(canvas, station->at ? "tour.back" : "tour.text"), false);
}
