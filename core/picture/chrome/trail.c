#include "picture/chrome/trail.h"

#include "base/arena.h"
#include "picture/explain/explain.h"
#include "picture/scene/theme.h"

#include <math.h>
#include <string.h>

static const double STRIP_UNITS = 30, CHIP_UNITS = 28, TEXT_UNITS = 14, NAME_UNITS = 16,
                    PAD_UNITS = 12, SIGN_UNITS = 30, GAP_UNITS = 10, TARGET_UNITS = 44;

double trail_height(const Trail *trail) {
    return trail ? STRIP_UNITS : 0;
}

const char *trail_ending(const Language *language, FollowEnd end, const char *word,
                         Arena *arena) {
    const char *name = follow_end_name(end);
    if (!name[0])
        return "";
    const char *key = arena_format(arena, "follow.%s", name);
    return key ? language_sentence(language, key, 1, &word, arena) : "";
}

/* ---- choice of chips ---- */

typedef struct Chips {
    const Canvas *canvas;
    const Player *player;
    const Trail *trail;
    CellStyle style;
    /* Points: gap of two chips; width of "…"; least width of a chip. */
    double pad, gap, more, least;
} Chips;

static double words_width(const Chips *chips, const char *words) {
    return canvas_text_width(chips->canvas, FONT_TEXT,
                             canvas_size(chips->canvas, TEXT_UNITS, words), words);
}

static double chip_width(const Chips *chips, size_t index) {
    const TrailChip *chip = &chips->trail->chips[index];
    CellName name = {chip->cell, false};
    double inside =
        chip->words ? words_width(chips, chip->words)
                    : cell_name_width(chips->canvas, chips->player, &name, &chips->style);
    return fmax(ceil(inside) + 2 * chips->pad, chips->least);
}

/* Chips shown besides the first one: [first, end). */
typedef struct Shown {
    size_t first, end;
} Shown;

/* Chooses as many chips around `at` as have room: first those behind it, then those
 * before it; "…" stands in a gap. */
static Shown choose_chips(const Chips *chips, double room) {
    size_t count = chips->trail->count, at = chips->trail->at;
    Shown shown = {at ? at : 1, at + 1};
    double used = chip_width(chips, 0), more, gap = chips->gap + chips->more;
    used += at ? chips->gap + chip_width(chips, at) : 0;
    while (shown.end < count && (more = chips->gap + chip_width(chips, shown.end),
                                 used + more + (shown.end + 1 < count ? gap : 0) +
                                         (shown.first > 1 ? gap : 0) <=
                                     room)) {
        used += more;
        shown.end++;
    }
    used += shown.end < count ? gap : 0;
    while (shown.first > 1 && (more = chips->gap + chip_width(chips, shown.first - 1),
                               used + more + (shown.first > 2 ? gap : 0) <= room)) {
        used += more;
        shown.first--;
    }
    return shown;
}

/* ---- drawing ---- */

static double draw_words(const Chips *chips, const char *words, double x, Box strip) {
    const Canvas *canvas = chips->canvas;
    double size = canvas_size(canvas, TEXT_UNITS, words);
    Box drawn =
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){x, round(strip.y + strip.h * 0.63)}, LABEL_LEFT, words);
    return drawn.x + drawn.w;
}

/* Draws a chip, whose link extends a little above and below the strip, where nothing else
 * is linked. */
static double draw_chip(const Chips *chips, size_t index, double x, Box strip) {
    const Canvas *canvas = chips->canvas;
    const Theme *theme = canvas->theme;
    const Trail *trail = chips->trail;
    const TrailChip *chip = &trail->chips[index];
    bool present = index == trail->at && !trail->away;
    Box box = {x, round(strip.y + (strip.h - CHIP_UNITS) / 2), chip_width(chips, index),
               CHIP_UNITS};
    CellName name = {chip->cell, false};
    canvas_link(canvas, chip->link);
    canvas_target(canvas, (Box){x, round(strip.y + (strip.h - TARGET_UNITS) / 2), box.w,
                                TARGET_UNITS});
    scene_rectangle(canvas->scene, box, CHIP_UNITS / 2, theme->bar,
                    present ? theme->accent : theme->line, present ? 2 : 1);
    if (chip->words)
        draw_words(chips, chip->words, x + chips->pad, strip);
    else
        cell_name_draw(canvas, chips->player, &name, &chips->style,
                       (Point){round(x + (box.w - cell_name_width(canvas, chips->player,
                                                                  &name, &chips->style)) /
                                             2),
                               round(box.y + CHIP_UNITS * 0.68)});
    canvas_unlink(canvas);
    return x + box.w;
}

static double draw_sign(const Chips *chips, const char *sign, double width, double x,
                        Box strip) {
    if (sign)
        canvas_label(
            chips->canvas, FONT_TEXT, TEXT_UNITS, chips->canvas->theme->ink_faint,
            (Point){x + width / 2, round(strip.y + strip.h * 0.63)}, LABEL_CENTER, sign);
    return x + width;
}

static double draw_chips(const Chips *chips, double x, double room, Box strip) {
    const Trail *trail = chips->trail;
    Shown shown = choose_chips(chips, room);
    x = draw_chip(chips, 0, x, strip);
    if (shown.first > 1) {
        x = draw_sign(chips, trail->between, chips->gap, x, strip);
        x = draw_sign(chips, "…", chips->more, x, strip);
    }
    for (size_t i = shown.first; i < shown.end; i++) {
        x = draw_sign(chips, trail->between, chips->gap, x, strip);
        x = draw_chip(chips, i, x, strip);
    }
    return shown.end < trail->count ? draw_sign(chips, "…", chips->more, x, strip) : x;
}

void trail_draw(const Canvas *canvas, const Player *player, const Trail *trail,
                Box strip) {
    if (!trail)
        return;
    Chips chips = {.canvas = canvas,
                   .player = player,
                   .trail = trail,
                   .style = {FONT_TEXT, canvas->theme->ink,
                             canvas_size(canvas, TEXT_UNITS, "一"),
                             canvas_size(canvas, NAME_UNITS, "")},
                   .pad = PAD_UNITS,
                   .gap = trail->between ? SIGN_UNITS : GAP_UNITS,
                   .more = SIGN_UNITS,
                   .least = TARGET_UNITS};
    const char *tail = trail->tail ? trail->tail
                                   : trail_ending(canvas->language, trail->end,
                                                  trail->word, canvas->scene->arena);
    double x = strip.x, right = strip.x + strip.w;
    double behind = tail[0] ? words_width(&chips, tail) + chips.pad : 0;
    double over = round((TARGET_UNITS - STRIP_UNITS) / 2);
    scene_clip(canvas->scene,
               (Box){strip.x, strip.y - over, strip.w, strip.h + 2 * over});
    if (trail->head)
        x = draw_words(&chips, trail->head, x, strip) + chips.pad;
    if (trail->count)
        x = draw_chips(&chips, x, right - x - behind, strip) + chips.pad;
    draw_words(&chips, tail, x, strip);
    scene_unclip(canvas->scene);
}
