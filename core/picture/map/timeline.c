#include "picture/map/map.h"
#include "picture/map/map_parts.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/draw/marks.h"
#include "picture/explain/explain.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double PAD = 28, DOT = 7, DOT_PITCH_MIN = 1.5, NAME_GAP = 16;

/* The bar between the first and the last dot. */
static Box bar_of(Box area) {
    return (Box){area.x + PAD, area.y + 18, area.w - 2 * PAD, 5};
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

/* Number of the statement, plus the fraction of it before the cursor. */
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

/* Strikes out the dot of a step that is muted or contains a muted one. */
static void draw_strike(const Canvas *canvas, Point centre) {
    double reach = 9;
    scene_line(canvas->scene, (Point){centre.x - reach, centre.y + reach},
               (Point){centre.x + reach, centre.y - reach}, 2, canvas->theme->bad_ink);
}

static void draw_dots(const PageParts *parts, Box bar, double present) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Player *player = parts->page->player;
    size_t count = player_statement_count(player);
    double pitch = count > 1 ? bar.w / (double)(count - 1) : bar.w;
    double middle = bar.y + bar.h / 2;
    double radius = fmin(DOT, fmax(pitch * 0.3, 1));
    double next = bar.x; /* least x of a dot that is distinct from the one before it */
    for (size_t i = 0; i < count; i++) {
        double x = dot_x(player, bar, (double)i);
        if (x < next)
            continue;
        next = x + DOT_PITCH_MIN;
        bool done = (double)i <= present;
        bool chapter = !text_is_empty(&player->lesson->steps[i].chapter);
        canvas_link(canvas, (Link){LINK_STEP, player_statement_step(player, i), 0, 0});
        canvas_dot(canvas, (Point){x, middle}, chapter || i == 0 ? radius : radius * 0.75,
                   done ? theme->ink : theme->line, (Color){0}, 0);
        if (player_muted(player, player_statement_step(player, i)))
            draw_strike(canvas, (Point){x, middle});
        size_t result = player->lesson->steps[i].result;
        if (!practise_panel_hides(parts->page->practise, result))
            marks_draw_tensor(canvas, player->lesson->tape, result,
                              (Box){x - radius, middle - 2 * radius, 0, 4 * radius});
    }
    canvas_unlink(canvas);
    /* A ring, which is distinct without colour. */
    Point at = {dot_x(player, bar, present), middle};
    canvas_dot(canvas, at, 12, theme->bar, theme->focus, 3);
    canvas_dot(canvas, at, 5, theme->focus, (Color){0}, 0);
}

/* Name of a chapter below the bar. */
typedef struct ChapterName {
    size_t statement; /* first statement */
    bool present;
    const char *words;
    double left;
} ChapterName;

static FontRole name_font(const ChapterName *name) {
    return name->present ? FONT_BOLD : FONT_TEXT;
}

/* Lists the chapters with the widths of their names; sets *present to the present one.
 * Returns their number. */
static size_t list_chapters(const PageParts *parts, ChapterName *names, double *widths,
                            size_t *present) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    size_t count = 0, current = player_statement(player);
    *present = 0;
    for (size_t i = 0; i < player_statement_count(player); i++) {
        const Text *chapter = &player->lesson->steps[i].chapter;
        if (text_is_empty(chapter))
            continue;
        if (i <= current)
            *present = count;
        names[count++] =
            (ChapterName){.statement = i, .words = text_in(chapter, canvas->language)};
    }
    for (size_t i = 0; i < count; i++) {
        names[i].present = i == *present && names[i].statement <= current;
        widths[i] =
            text_line_width(canvas, name_font(&names[i]), TYPE_SMALL, names[i].words);
    }
    return count;
}

/* Places each name below its first dot if possible; otherwise further left because of
 * what follows, and at the bar's end, further right because of what precedes. */
static void place_chapters(const Player *player, ChapterName *names, const double *widths,
                           size_t first, size_t end, Box bar) {
    double limit = bar.x + bar.w;
    for (size_t i = end; i-- > first; limit = names[i].left - NAME_GAP) {
        double dot = dot_x(player, bar, (double)names[i].statement);
        names[i].left = fmin(names[i].statement ? dot - DOT : dot, limit - widths[i]);
    }
    limit = bar.x;
    for (size_t i = first; i < end; i++) {
        names[i].left = fmax(names[i].left, limit);
        limit = names[i].left + widths[i] + NAME_GAP;
    }
}

static void draw_chapters(const PageParts *parts, Box bar) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    size_t most = player_statement_count(player), present, first, end;
    ChapterName *names = arena_alloc(canvas->scene->arena, most, sizeof *names);
    double *widths = arena_alloc(canvas->scene->arena, most, sizeof *widths);
    size_t count = list_chapters(parts, names, widths, &present);
    if (!count)
        return;
    window_around(widths, count, present, bar.w, NAME_GAP, &first, &end);
    place_chapters(player, names, widths, first, end, bar);
    for (size_t i = first; i < end; i++) {
        const ChapterName *name = &names[i];
        canvas_link(canvas, (Link){LINK_STEP,
                                   player_statement_step(player, name->statement), 0, 0});
        canvas_label(canvas, name_font(name), TYPE_SMALL,
                     name->present ? canvas->theme->ink : canvas->theme->ink_soft,
                     (Point){name->left, bar.y + 38}, LABEL_LEFT, name->words);
        canvas_unlink(canvas);
    }
}

void timeline_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Player *player = parts->page->player;
    Box bar = bar_of(area);
    double present = position_of(player);
    double reach = 14;
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

double timeline_fraction(const Player *player) {
    double last = (double)player_statement_count(player) - 1;
    return last > 0 ? fmin(position_of(player) / last, 1) : 1;
}
