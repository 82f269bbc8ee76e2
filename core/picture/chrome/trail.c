#include "picture/chrome/chrome.h"

#include "base/arena.h"
#include "picture/scene/theme.h"

#include <math.h>

static const double CHIP = 28, PAD = 12, SIGN = 30, GAP = 10, TARGET = 44;
static const double EDGES = 2;       /* of the strip above and below its chips */
static const double CHIP_LINE = 1.5; /* least height of a chip per size of its text */

/* Height of a chip: it grows with type that is larger than usual. */
static double chip_height(const Canvas *canvas) {
    return fmax(CHIP, ceil(CHIP_LINE * canvas_size(canvas, TYPE_SMALL, "")));
}

double trail_height(const Canvas *canvas, const Trail *trail) {
    return trail ? chip_height(canvas) + EDGES : 0;
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
    double gap; /* of two chips */
} Chips;

static double words_width(const Canvas *canvas, const char *words) {
    return text_line_width(canvas, FONT_TEXT, TYPE_SMALL, words);
}

static double name_width(const Chips *chips, const TrailChip *chip) {
    CellName name = {chip->cell, false};
    return cell_name_width(chips->canvas, chips->player, &name, &chips->style);
}

static double width_of(const Chips *chips, size_t index) {
    const TrailChip *chip = &chips->trail->chips[index];
    double inside =
        chip->words ? words_width(chips->canvas, chip->words) : name_width(chips, chip);
    return fmax(ceil(inside) + 2 * PAD, TARGET);
}

/* Chooses the chips [*first, *end) that are shown besides the first one: all, or as many
 * around `at` as have room, where "…" stands in gaps. */
static void choose_chips(const Chips *chips, double room, size_t *first, size_t *end) {
    const Trail *trail = chips->trail;
    double *widths =
               arena_alloc(chips->canvas->scene->arena, trail->count, sizeof *widths),
           all = 0;
    for (size_t i = 0; i < trail->count; i++)
        all += (i ? chips->gap : 0) + (widths[i] = width_of(chips, i));
    *first = 1;
    *end = trail->count;
    if (all <= room || trail->count < 2)
        return;
    room -= widths[0] + chips->gap + 2 * (chips->gap + SIGN);
    window_around(widths + 1, trail->count - 1, trail->at ? trail->at - 1 : 0, room,
                  chips->gap, first, end);
    ++*first;
    ++*end;
}

/* ---- drawing ---- */

/* Draws words, limited by the end of the strip; returns their right end. */
static double draw_words(const Canvas *canvas, const char *words, double x, Box strip) {
    strip.w += strip.x - x;
    strip.x = x;
    return x + text_line(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink_soft, strip,
                         LABEL_LEFT, words)
                   .w;
}

/* Draws a chip, whose link extends a little above and below the strip, where nothing else
 * is linked. */
static double draw_chip(const Chips *chips, size_t index, double x, Box strip) {
    const Canvas *canvas = chips->canvas;
    const Trail *trail = chips->trail;
    const TrailChip *chip = &trail->chips[index];
    bool present = index == trail->at && !trail->away;
    double high = chip_height(canvas);
    Box box = {x, round(strip.y + (strip.h - high) / 2), width_of(chips, index), high};
    CellName name = {chip->cell, false};
    canvas_link(canvas, chip->link);
    canvas_target(canvas,
                  (Box){x, round(strip.y + (strip.h - TARGET) / 2), box.w, TARGET});
    button_begin(canvas, chip->link, box, present ? BUTTON_PRESENT : BUTTON_PLAIN);
    if (chip->words)
        text_line(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink, box, LABEL_CENTER,
                  chip->words);
    else
        cell_name_draw(canvas, chips->player, &name, &chips->style,
                       (Point){round(x + (box.w - name_width(chips, chip)) / 2),
                               label_baseline(box.y + high / 2, chips->style.size)});
    canvas_unlink(canvas);
    return x + box.w;
}

static double draw_sign(const Chips *chips, const char *sign, double width, double x,
                        Box strip) {
    if (sign)
        text_line(chips->canvas, FONT_TEXT, TYPE_SMALL, chips->canvas->theme->ink_faint,
                  (Box){x, strip.y, width, strip.h}, LABEL_CENTER, sign);
    return x + width;
}

static double draw_chips(const Chips *chips, double x, double room, Box strip) {
    const Trail *trail = chips->trail;
    size_t first, end;
    choose_chips(chips, room, &first, &end);
    x = draw_chip(chips, 0, x, strip);
    if (first > 1) {
        x = draw_sign(chips, trail->between, chips->gap, x, strip);
        x = draw_sign(chips, "…", SIGN, x, strip);
    }
    for (size_t i = first; i < end; i++) {
        x = draw_sign(chips, trail->between, chips->gap, x, strip);
        x = draw_chip(chips, i, x, strip);
    }
    return end < trail->count ? draw_sign(chips, "…", SIGN, x, strip) : x;
}

void trail_draw(const Canvas *canvas, const Player *player, const Trail *trail,
                Box strip) {
    if (!trail)
        return;
    Chips chips = {canvas, player, trail,
                   cell_style(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink),
                   trail->between ? SIGN : GAP};
    const char *tail = trail->tail ? trail->tail
                                   : trail_ending(canvas->language, trail->end,
                                                  trail->word, canvas->scene->arena);
    double x = strip.x, right = strip.x + strip.w;
    double behind = tail[0] ? words_width(canvas, tail) + PAD : 0;
    double over = fmax(round((TARGET - strip.h) / 2), 0);
    scene_clip(canvas->scene,
               (Box){strip.x, strip.y - over, strip.w, strip.h + 2 * over});
    if (trail->head)
        x = draw_words(canvas, trail->head, x, strip) + PAD;
    if (trail->count)
        x = draw_chips(&chips, x, right - x - behind, strip) + PAD;
    draw_words(canvas, tail, x, strip);
    scene_unclip(canvas->scene);
}
