#include "picture/page/page_parts.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "picture/animation/animation.h"
#include "picture/composites/composites.h"
#include "picture/draw/marks.h"
#include "picture/explain/explain.h"
#include "picture/overlays/overlays.h"
#include "picture/stage/panels.h"
#include "picture/tensors/views.h"

#include <math.h>

static const double SMALLEST_STAGE = 60, NOTE_STRIP = 26;

/* Reports whether a node's cells belong to the present step's shown result; on a closing
 * step, to that of the step whose picture it repeats. */
static bool is_result(const Page *page, size_t node) {
    const Player *player = page->player;
    const LessonStep *steps = player->lesson->steps;
    bool closes = steps[player_statement(player)].closes;
    const PlayerStep *at =
        closes ? &player->steps[step_picture_cover(player)] : player_step(player);
    return lesson_shows(&steps[at->statement], node) || at->node == node;
}

/* Note that fits behind the lowest trail; NULL if there is no trail, or it would take
 * more than half of that. */
static const char *note_behind_trail(const PageParts *parts, double width) {
    const Canvas *canvas = parts->canvas;
    const Page *page = parts->page;
    if (!page->note || !page->trail_count || page->trails[0]->end != FOLLOW_CONTINUES)
        return NULL;
    const char *tail = page->trails[0]->tail;
    const char *words =
        tail ? canvas_format(canvas, "%s   ·   %s", tail, page->note) : page->note;
    double wide = text_line_width(canvas, FONT_TEXT, TYPE_SMALL, words);
    return wide <= width / 2 ? words : NULL;
}

/* Draws the note in a strip of its own, which it cuts off the picture's area. */
static void draw_note(const PageParts *parts, Box *rest) {
    const Canvas *canvas = parts->canvas;
    const char *note = parts->page->note;
    if (!note || note_behind_trail(parts, rest->w))
        return;
    text_line(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink_soft,
              box_take_bottom(rest, NOTE_STRIP), LABEL_LEFT, note);
}

/* Draws the trails of links below the picture, and the title of the influence above
 * it. */
static void draw_following(const PageParts *parts, Box *rest) {
    const Canvas *canvas = parts->canvas;
    const Page *page = parts->page;
    const char *note = note_behind_trail(parts, rest->w);
    for (size_t i = 0; i < page->trail_count; i++) {
        Trail trail = *page->trails[i];
        trail.tail = i || !note ? trail.tail : note;
        trail_draw(canvas, page->player, &trail,
                   box_take_bottom(rest, trail_height(canvas, &trail)));
    }
    if (page->influence)
        influence_title(parts, box_take_top(rest, INFLUENCE_HEIGHT));
}

/* Draws the hint that the step can be opened, if a key opens it. */
static void draw_open_hint(const PageParts *parts, Box *rest) {
    const Canvas *canvas = parts->canvas;
    const Page *page = parts->page;
    if (!page->interactive || page->presents || page->note || page->station ||
        practise_panel_above(page->practise) ||
        !player_opens(page->player, page->player->step))
        return;
    text_line(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink_faint,
              box_take_bottom(rest, NOTE_STRIP), LABEL_LEFT,
              canvas_string(canvas, "page.opens"));
}

/* Number of the output's visible cells: those up to the cursor's cell, if it is on
 * one. */
static size_t visible_cells(const Player *player) {
    return player->cell == PLAYER_NONE ? (size_t)-1 : player->cell + 1;
}

/* Draws one tensor by itself. */
static void draw_lens(const Stage *stage, size_t node) {
    Stage alone = *stage;
    alone.alone = true;
    alone.node = node;
    alone.visible = (size_t)-1;
    alone.has_focus &= stage->focus_node == node;
    Panel panel = panel_of(&alone, node, NULL);
    panel.is_output = true;
    panels_show(&alone, &panel, 1);
}

/* The step's stage, before anything is shown in place of its numbers. */
static Stage stage_of(const PageParts *parts, Box area) {
    const Page *page = parts->page;
    Stage stage = {.canvas = parts->canvas,
                   .brief = page->station != NULL,
                   .player = page->player,
                   .tape = page->player->lesson->tape,
                   .base = page->base,
                   .step = player_words(page->player, page->player->step),
                   .visible = visible_cells(page->player),
                   .view = views_present(page->player, page->view),
                   .area = area};
    if (stage.view > LESSON_VIEW_PICTURE) /* only pictures show cells one by one */
        stage.visible = (size_t)-1;
    stage.has_focus =
        page_focus(page, &stage.focus_node, &stage.focus_row, &stage.focus_col) &&
        is_result(page, stage.focus_node);
    if (!stage.has_focus) { /* another cell is explained: keep the step's own visible */
        Page unfocused = *page;
        unfocused.has_focus = false;
        stage.has_focus =
            page_focus(&unfocused, &stage.focus_node, &stage.focus_row, &stage.focus_col);
    }
    return stage;
}

/* Draws the stage; pages far below the smallest size have none, only bar, words and
 * timeline. */
static void draw_stage(const PageParts *parts, Box area) {
    const Page *page = parts->page;
    if (area.w < SMALLEST_STAGE || area.h < SMALLEST_STAGE)
        return;
    Stage stage = stage_of(parts, area);
    Canvas canvas = *parts->canvas;
    const char *legend;
    bool hides = practise_panel_hides(page->practise, player_step(page->player)->node);
    stage.values = hides ? NULL : values_in_place(parts, &legend);
    if (stage.values) {
        canvas.legend = canvas_string(&canvas, legend);
        stage.canvas = &canvas;
    }
    if (hides) {
        canvas.without_legends = true;
        stage.canvas = &canvas;
        stage.is_question = true;
        stage.is_choice_question = practise_panel_is_choice(page->practise);
        stage.is_number_question = practise_panel_below(page->practise);
    }
    if (hides || !page->has_focus)
        stage.has_focus &= !practise_panel_hides_cell(page->practise);
    if (!hides && page->has_focus && !is_result(page, page->focus.index)) {
        /* The step's own focus stands back behind a pinned input. The scene keeps the
         * theme's palettes, so this theme lives as long. */
        Theme *dimmed = arena_alloc(canvas.scene->arena, 1, sizeof *dimmed);
        *dimmed = *canvas.theme;
        dimmed->focus = dimmed->ink_faint;
        canvas.theme = dimmed;
        stage.canvas = &canvas;
    }
    size_t first = canvas.scene->count;
    if (page->lens.kind == LINK_CELL &&
        !practise_panel_hides(page->practise, page->lens.index))
        draw_lens(&stage, page->lens.index);
    else
        step_picture(&stage);
    if (!stage.is_question)
        marks_draw(parts->canvas, stage.tape, first);
    if (!hides && page->has_focus)
        marks_draw_focus(parts->canvas, first, page->focus);
    motion_play(&stage, &page->moment, first);
    practise_panel_mark(parts->canvas, page->practise);
}

/* The page at the other end of the moment's zoom. */
static Page page_around(const Page *page, Player *player) {
    *player = *page->player;
    player->step = page->moment.around;
    player->depth = player_step(player)->depth;
    player->cell = PLAYER_NONE;
    Page around = *page;
    around.player = player;
    around.moment = (PaceMoment){0};
    around.view = LESSON_VIEW_NONE;
    around.has_focus = false;
    return around;
}

/* Draws an opened step as it grows out of the picture that contains it, or a closed one
 * as it shrinks back. */
static void draw_zoom(const PageParts *parts, Box area) {
    const Page *page = parts->page;
    bool closes = page->moment.kind == PACE_CLOSE;
    Player player;
    Page around = page_around(page, &player);
    PageParts others = {parts->canvas, &around};
    Zoom zoom = {.canvas = parts->canvas,
                 .player = page->player,
                 .inner = closes ? player.step : page->player->step,
                 .area = area,
                 .progress = closes ? 1 - page->moment.zoom : page->moment.zoom,
                 .outer_first = parts->canvas->scene->count};
    draw_stage(closes ? parts : &others, area);
    zoom_fade(&zoom);
    draw_stage(closes ? &others : parts, area);
    zoom_place(&zoom);
}

void page_stage_draw(const PageParts *parts, Box area) {
    draw_following(parts, &area);
    draw_note(parts, &area);
    draw_open_hint(parts, &area);
    if (parts->page->moment.kind != PACE_REST && parts->page->moment.zoom < 1)
        draw_zoom(parts, area);
    else
        draw_stage(parts, area);
}
