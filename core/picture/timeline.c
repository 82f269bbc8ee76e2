#include "picture/page.h"

#include "picture/stage.h"

#include <math.h>

static const double PAD = 28;

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

static void draw_dot(const Canvas *canvas, Point centre, double radius, Color fill,
                     Color stroke, double width) {
    scene_rectangle(canvas->scene,
                    (Box){centre.x - radius, centre.y - radius, 2 * radius, 2 * radius},
                    radius, fill, stroke, width);
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
        scene_link(canvas->scene,
                   (Link){LINK_STEP, player_statement_step(player, i), 0, 0});
        draw_dot(canvas, (Point){dot_x(player, bar, (double)i), middle},
                 chapter || i == 0 ? radius : radius * 0.75,
                 done ? theme->ink : theme->line, (Color){0}, 0);
    }
    scene_link(canvas->scene, (Link){0});
    double large = canvas_length(canvas, 10);
    draw_dot(canvas, (Point){dot_x(player, bar, present), middle}, large, theme->accent,
             theme->bar, canvas_length(canvas, 2));
}

/* Chapter names under their first dots; one that has no room before the next is
 * shortened, and the last one ends at the bar's end. */
static void draw_chapters(const PageParts *parts, Box bar) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Player *player = parts->page->player;
    size_t count = player_statement_count(player), current = player_statement(player);
    double gap = canvas_length(canvas, 16), right_edge = bar.x + bar.w;
    double baseline = bar.y + canvas_length(canvas, 38);
    for (size_t i = 0; i < count; i++) {
        const Text *chapter = &player->lesson->steps[i].chapter;
        if (text_is_empty(chapter))
            continue;
        size_t next = i + 1;
        while (next < count && text_is_empty(&player->lesson->steps[next].chapter))
            next++;
        double left = dot_x(player, bar, (double)i) - (i ? canvas_length(canvas, 7) : 0);
        double right = next < count ? dot_x(player, bar, (double)next) - gap : right_edge;
        const char *words = text_in(chapter, canvas->language);
        bool present = current >= i && current < next;
        double size = canvas_size(canvas, 13.5, words);
        FontRole font = present ? FONT_BOLD : FONT_TEXT;
        bool last = next == count;
        LabelFit fit =
            label_fit(canvas->scene->arena, canvas->metrics, font, size,
                      label_min_size(words), last ? bar.w * 0.2 : right - left, words);
        double width = label_width(canvas->metrics, font, fit.size, fit.text);
        if (last && left + width > right_edge)
            left = right_edge - width;
        scene_link(canvas->scene,
                   (Link){LINK_STEP, player_statement_step(player, i), 0, 0});
        label_draw(canvas->scene, canvas->metrics, font, fit.size,
                   present ? theme->ink : theme->ink_soft, (Point){left, baseline},
                   LABEL_LEFT, fit.text);
    }
    scene_link(canvas->scene, (Link){0});
}

void timeline_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Player *player = parts->page->player;
    Box bar = bar_of(canvas, area);
    double present = position_of(player);
    double reach = canvas_length(canvas, 14);
    scene_link(canvas->scene, (Link){LINK_TIMELINE, 0, 0, 0});
    scene_rectangle(canvas->scene,
                    (Box){bar.x, bar.y + bar.h / 2 - reach, bar.w, 2 * reach}, 0,
                    theme->bar, (Color){0}, 0);
    scene_link(canvas->scene, (Link){0});
    scene_rectangle(canvas->scene, bar, bar.h / 2, theme->line, (Color){0}, 0);
    double done = dot_x(player, bar, present) - bar.x;
    if (done > bar.h)
        scene_rectangle(canvas->scene, (Box){bar.x, bar.y, done, bar.h}, bar.h / 2,
                        theme->ink, (Color){0}, 0);
    draw_dots(parts, bar, present);
    draw_chapters(parts, bar);
}
