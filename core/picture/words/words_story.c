#include "picture/words/words_parts.h"

static const double SAY_UNITS = 17.5, LEADING = 1.5, WIDEST_UNITS = 1100;

/* Lines that are too long are hard to read. */
static Box readable(const PageParts *parts, Box area) {
    double widest = canvas_length(parts->canvas, WIDEST_UNITS);
    area.w = area.w < widest ? area.w : widest;
    return area;
}

double words_story(const PageParts *parts, Box area, bool draw) {
    const Theme *theme = parts->canvas->theme;
    bool own;
    WordsText text = {.font = FONT_TEXT,
                      .units = SAY_UNITS,
                      .leading = LEADING,
                      .lines = 3,
                      .color = theme->ink_soft,
                      .text = words_said(parts, "say", &own)};
    Box rest = readable(parts, area);
    const Player *player = parts->page->player;
    const LessonStep *step = &player->lesson->steps[player_statement(player)];
    if (own)
        box_take_top(&rest, words_text(parts, &text, rest, draw) +
                                canvas_length(parts->canvas, 6));
    if (own && step->shown_count) /* nothing is done in it that could be told */
        return rest.y - area.y;
    text.text = words_general(parts, "story");
    text.color = theme->ink;
    return rest.y - area.y + words_text(parts, &text, rest, draw);
}
