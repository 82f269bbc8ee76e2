#include "picture/bar/trail.h"

#include "picture/explain/cell_name.h"

#include <math.h>
#include <string.h>

static const double STRIP_UNITS = 38, CHIP_UNITS = 28, TEXT_UNITS = 14, NAME_UNITS = 16,
                    PAD_UNITS = 10, ARROW_UNITS = 30;

double trail_height(const Canvas *canvas, const Trail *trail) {
    return trail && trail->count > 1 ? canvas_length(canvas, STRIP_UNITS) : 0;
}

const char *trail_ending(const Language *language, FollowEnd end, const char *word,
                         Arena *arena) {
    const char *name = follow_end_name(end);
    if (!name[0])
        return "";
    const char *key = arena_format(arena, "follow.%s", name);
    return key ? language_sentence(language, key, 1, &word, arena) : "";
}

/* ---- which chips have room ---- */

typedef struct Chips {
    const Canvas *canvas;
    const Player *player;
    const Trail *trail;
    CellStyle style;
    double pad, arrow; /* points */
} Chips;

static double chip_width(const Chips *chips, size_t index) {
    CellName name = {chips->trail->cells[index], false};
    return cell_name_width(chips->canvas, chips->player, &name, &chips->style) +
           2 * chips->pad;
}

/* The first chip behind the gap: 1 where all have room beside `ending`. The first and the
 * last one stay. */
static size_t first_behind_gap(const Chips *chips, double room) {
    size_t last = chips->trail->count - 1, first = last;
    double used = chip_width(chips, 0) + chips->arrow + chip_width(chips, last);
    while (first > 1) {
        double more = chip_width(chips, first - 1) + chips->arrow;
        double gap = first - 1 > 1 ? 2 * chips->arrow : 0; /* "…" and its arrow */
        if (used + more + gap > room)
            break;
        used += more;
        first--;
    }
    return first;
}

/* ---- drawing ---- */

static double draw_chip(const Chips *chips, size_t index, double x, Box strip) {
    const Canvas *canvas = chips->canvas;
    const Theme *theme = canvas->theme;
    const Trail *trail = chips->trail;
    bool present = index + 1 == trail->count && !trail->away;
    double height = canvas_length(canvas, CHIP_UNITS);
    Box box = {x, round(strip.y + (strip.h - height) / 2), chip_width(chips, index),
               height};
    CellName name = {trail->cells[index], false};
    canvas_link(canvas, (Link){LINK_TRAIL, index, 0, 0});
    scene_rectangle(canvas->scene, box, height / 2, theme->bar,
                    present ? theme->accent : theme->line, present ? 2 : 1);
    cell_name_draw(canvas, chips->player, &name, &chips->style,
                   (Point){x + chips->pad, round(box.y + height * 0.68)});
    canvas_unlink(canvas);
    return x + box.w;
}

static double draw_sign(const Chips *chips, const char *sign, double x, Box strip) {
    canvas_label(chips->canvas, FONT_TEXT, TEXT_UNITS, chips->canvas->theme->ink_faint,
                 (Point){x + chips->arrow / 2, round(strip.y + strip.h * 0.63)},
                 LABEL_CENTER, sign);
    return x + chips->arrow;
}

void trail_draw(const Canvas *canvas, const Player *player, const Trail *trail,
                Box strip) {
    if (!trail || trail->count < 2)
        return;
    Chips chips = {.canvas = canvas,
                   .player = player,
                   .trail = trail,
                   .style = {FONT_TEXT, canvas->theme->ink,
                             canvas_size(canvas, TEXT_UNITS, "一"),
                             canvas_size(canvas, NAME_UNITS, "")},
                   .pad = canvas_length(canvas, PAD_UNITS),
                   .arrow = canvas_length(canvas, ARROW_UNITS)};
    const char *ending =
        trail_ending(canvas->language, trail->end, trail->word, canvas->scene->arena);
    double size = canvas_size(canvas, TEXT_UNITS, ending);
    double tail = canvas_text_width(canvas, FONT_TEXT, size, ending);
    double room = strip.w - (ending[0] ? tail + chips.arrow : 0);
    size_t first = first_behind_gap(&chips, room);
    scene_clip(canvas->scene, strip);
    double x = draw_chip(&chips, 0, strip.x, strip);
    if (first > 1) {
        x = draw_sign(&chips, "←", x, strip);
        x = draw_sign(&chips, "…", x, strip);
    }
    for (size_t i = first; i < trail->count; i++) {
        x = draw_sign(&chips, "←", x, strip);
        x = draw_chip(&chips, i, x, strip);
    }
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                (Point){x + chips.pad, round(strip.y + strip.h * 0.63)}, LABEL_LEFT,
                ending);
    scene_unclip(canvas->scene);
}
