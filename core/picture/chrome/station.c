#include "picture/chrome/chrome.h"

#include "picture/scene/theme.h"

static const double DOT = 6, DOT_PITCH = 26, MARGIN = 40;
enum { WORDS_LINES = 3 };

void station_draw_words(const Canvas *canvas, const Station *station, Box area) {
    TextBlock words = text_block(canvas, FONT_BOLD, TYPE_TITLE, canvas->theme->ink,
                                 WORDS_LINES, station->words);
    text_block_draw(canvas, &words, area);
}

void station_draw_strip(const Canvas *canvas, const Station *station, Box area) {
    const Theme *theme = canvas->theme;
    double middle = area.y + area.h / 2, top = middle - BUTTON_HEIGHT / 2;
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
    const Button leave = {station->leave, "tour.leave", false};
    buttons_draw(canvas, &leave, 1, (Point){area.x + MARGIN, top}, LABEL_LEFT);
    bool first = !station->at, last = station->at + 1 == station->count;
    const Button moves[] = {
        {first ? station->text : station->back, first ? "tour.text" : "tour.back", false},
        {station->next, last ? "tour.end" : "tour.next", true}};
    buttons_draw(canvas, moves, 2, (Point){area.x + area.w - MARGIN, top}, LABEL_RIGHT);
}
