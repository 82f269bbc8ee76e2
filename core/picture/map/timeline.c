#include "picture/map/timeline.h"

#include "picture/stage/stage.h"

#include <math.h>

static const double PAD = 28, LEFTWARDS = 0.06; /* of the bar, how far names may move */

/* The bar's ends; dots lie between them, both included. */
static Box bar_of(const Canvas *canvas, Box area) {
    double pad = canvas_length(canvas, PAD);
    return (Box){area.x + pad, area.y + canvas_length(canvas, 18), area.w - 2 * pad,
                 canvas_length(canvas, 5)};
}

static double dot_x(const Player *player, Box bar, double position) {
    double last = (double)player_statement_count(player) - 1;
    return last > 0 ? bar.x + bar.w * position / last : bar.x;
}

size_t timeline_statement_at(const Player *player, Box bar, double x) {
    double last = (double)player_statement_count(player) - 1;
    double position = round((x - bar.x) / fmax(bar.w, 1) * last);
    return (size_t)fmin(fmax(position, 0), last);
}

/* The statement's number, plus how far the cursor has come inside it. */
static double position_of(const Player *player) {
    size_t statement = player_statement(player);
    size_t first = player_statement_step(player, statement);
    const PlayerStep *whole = &player->steps[first];
    double steps = (double)(whole->next - first);
    double inside = (double)(player->step - first) / steps;
    if (player->cell != PLAYER_NONE) {
        const PlayerStep *at = player_step(player);
        const Tensor *tensor = &tape_node(player->lesson->tape, at->node)->output;
        inside += (double)(player->cell + 1) / (double)(tensor_cells(tensor) + 1) / steps;
    }
    bool last = statement + 1 == player_statement_count(player);
    return (double)statement + (last ? 0 : inside);
}

/* Through the dot of a step that is muted, or has a muted one within. */
static void draw_strike(const Canvas *canvas, Point centre) {
    double reach = canvas_length(canvas, 9);
    scene_line(canvas->scene, (Point){centre.x - reach, centre.y + reach},
               (Point){centre.x + reach, centre.y - reach},
               fmax(canvas_length(canvas, 2.4), 1.5), canvas->theme->bad_ink);
}

static void draw_dots(const PageParts *parts, Box bar, double present) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Player *player = parts->page->player;
    size_t count = player_statement_count(player);
    double pitch = count > 1 ? bar.w / (double)(count - 1) : bar.w;
    double middle = bar.y + bar.h / 2;
    double radius = fmin(canvas_length(canvas, 7), fmax(pitch * 0.3, 1));
    for (size_t i = 0; i < count; i++) {
        bool done = (double)i <= present;
        bool chapter = !text_is_empty(&player->lesson->steps[i].chapter);
        canvas_link(canvas, (Link){LINK_STEP, player_statement_step(player, i), 0, 0});
        canvas_dot(canvas, (Point){dot_x(player, bar, (double)i), middle},
                   chapter || i == 0 ? radius : radius * 0.75,
                   done ? theme->ink : theme->line, (Color){0}, 0);
        if (player_muted(player, player_statement_step(player, i)))
            draw_strike(canvas, (Point){dot_x(player, bar, (double)i), middle});
    }
    canvas_unlink(canvas);
    double large = canvas_length(canvas, 10);
    canvas_dot(canvas, (Point){dot_x(player, bar, present), middle}, large, theme->accent,
               theme->bar, canvas_length(canvas, 2));
}

/* Draws a chapter's name from its first dot on, or as far left as its end must not pass
 * `limit`, the last one's any distance; gives back where it begins. */
static double draw_chapter(const PageParts *parts, Box bar, size_t statement,
                           bool present, double limit, bool may_move) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Player *player = parts->page->player;
    const char *words =
        text_in(&player->lesson->steps[statement].chapter, canvas->language);
    double left = dot_x(player, bar, (double)statement);
    left -= statement ? canvas_length(canvas, 7) : 0;
    FontRole font = present ? FONT_BOLD : FONT_TEXT;
    double moved = statement ? fmax(left - LEFTWARDS * bar.w, bar.x) : left;
    double room = may_move ? bar.w * 0.2 : limit - moved;
    LabelFit fit = label_fit_with(canvas->scene->arena, canvas->metrics, canvas->insets,
                                  font, canvas_size(canvas, 13.5, words),
                                  label_min_size(words), room, words);
    double width =
        label_width_with(canvas->metrics, canvas->insets, font, fit.size, fit.text);
    left = fmin(left, fmax(limit - width, bar.x));
    canvas_link(canvas,
                (Link){LINK_STEP, player_statement_step(player, statement), 0, 0});
    label_draw_with(canvas->scene, canvas->metrics, canvas->insets, font, fit.size,
                    present ? theme->ink : theme->ink_soft,
                    (Point){left, bar.y + canvas_length(canvas, 38)}, LABEL_LEFT,
                    fit.text);
    canvas_unlink(canvas);
    return left;
}

/* Chapter names under their first dots, from the last one back: it may move left to end
 * with the bar, the others a little to end where the next begins; then they are
 * shortened.
 */
static void draw_chapters(const PageParts *parts, Box bar) {
    const Player *player = parts->page->player;
    size_t count = player_statement_count(player), current = player_statement(player);
    double limit = bar.x + bar.w, gap = canvas_length(parts->canvas, 16);
    size_t next = count;
    for (size_t i = count; i > 0; i--) {
        size_t statement = i - 1;
        if (text_is_empty(&player->lesson->steps[statement].chapter))
            continue;
        bool present = current >= statement && current < next;
        limit = draw_chapter(parts, bar, statement, present, limit, next == count) - gap;
        next = statement;
    }
}

void timeline_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Player *player = parts->page->player;
    Box bar = bar_of(canvas, area);
    double present = position_of(player);
    double reach = canvas_length(canvas, 14);
    canvas_link(canvas, (Link){LINK_TIMELINE, 0, 0, 0});
    canvas_fill(canvas, (Box){bar.x, bar.y + bar.h / 2 - reach, bar.w, 2 * reach}, 0,
                theme->bar);
    canvas_unlink(canvas);
    canvas_fill(canvas, bar, bar.h / 2, theme->line);
    double done = dot_x(player, bar, present) - bar.x;
    if (done > bar.h)
        canvas_fill(canvas, (Box){bar.x, bar.y, done, bar.h}, bar.h / 2, theme->ink);
    draw_dots(parts, bar, present);
    draw_chapters(parts, bar);
}
