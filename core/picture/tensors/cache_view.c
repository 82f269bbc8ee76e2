#include "lesson/content/view.h"
#include "picture/draw/lanes.h"
#include "picture/draw/roles.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"

#include "base/maths.h"
#include "picture/draw/patterns.h"

#include <string.h>

/* Attention with a cache. Keys and values are shelves: what was kept stands in grey, as
 * nothing of it is computed, and the new row is slid in below, in its colours. One query
 * fans out to all keys, in lines as thick as its shares; the shares mix the values into
 * one row under them. Below all, the multiplications that rows of keys and values take:
 * those saved in grey, those done in colour. */

/* In units. */
static const double LARGEST_ROW = 54, SLIDE = 16, DIGITS = 18;
static const double FAN = 150, SHARES = 190, WIDEST_LINE = 40, LABELS = 18;
static const double LABEL_ROOM = 90, LEAST_WAYS = 0.55; /* of their width */
static const double COUNTER = 74, COUNTER_BAR = 26, ABOVE_MIX = 62, WIDEST_CELL = 92;
static const double SOURCE_LANE = 7, SOURCE_GAP = 38, WEIGHT_UNITS = 19;

typedef struct Shelf {
    size_t node;
    Role role;
    Box box; /* the cells of all rows that are shown, the gap among them */
} Shelf;

typedef struct Cache {
    const Stage *stage;
    LessonCache it;
    const Tensor *shares;
    size_t row;          /* of the query */
    size_t first, count; /* rows of the shelves that are shown, and all */
    double cell, line, slide;
    double digits;    /* their size at most */
    double fan, ways; /* how wide the fan and the shares' lanes are */
    double labels;    /* … and words behind the rows */
    Shelf keys, values;
    size_t tables[4]; /* all that have numbers of one size */
    ColorScale scale;
    bool counted; /* what is saved is told below */
    Box query, mix;
} Cache;

/* ---- where things lie ---- */

static double row_top(const Cache *cache, const Shelf *shelf, size_t row) {
    return shelf->box.y + cache->line * (double)(row - cache->first) +
           (row >= cache->it.kept ? cache->slide : 0);
}

static double row_middle(const Cache *cache, const Shelf *shelf, size_t row) {
    return row_top(cache, shelf, row) + cache->line / 2;
}

static size_t cols_of(const Cache *cache, size_t node) {
    return stage_tensor(cache->stage, node)->cols;
}

/* A table as its numbers are written; its cells are as large as all others. */
static Heatmap written(const Cache *cache, size_t node) {
    const Tensor *tensor = stage_tensor(cache->stage, node);
    return (Heatmap){.tensor = tensor,
                     .cells = {.w = cache->cell * (double)tensor->cols,
                               .h = cache->line * (double)tensor->rows},
                     .reach = cache->scale.high,
                     .number_size = cache->digits};
}

/* The narrowest columns in which all numbers have room. */
static double least_column(const Cache *cache) {
    double least = 0;
    for (size_t i = 0; i < 4; i++) {
        Heatmap table = written(cache, cache->tables[i]);
        least = fmax(least, heatmap_least_column(cache->stage->canvas, &table));
    }
    return least;
}

/* All rows come before the counter, and before air around them; rows that have no room
 * even so are left out from the top, as they are the oldest. */
static void place(Cache *cache, Box area) {
    const Canvas *canvas = cache->stage->canvas;
    RoleTab tab = {.role = ROLE_KEY, .name = "K"};
    double frame = ROLE_FRAME_MARGIN, head = role_tab_height(canvas, &tab) + frame;
    double below = ABOVE_MIX + 2 * frame;
    cache->slide = SLIDE + 2 * frame;
    double room = area.h - head - below - cache->slide - 2 * frame;
    double wanted = (double)(cache->count + 1) * heatmap_least_row(canvas);
    cache->counted = room - COUNTER >= wanted || room < wanted;
    if (cache->counted) {
        area.h -= COUNTER;
        room -= COUNTER;
    }
    size_t most = (size_t)fmax(floor(room / heatmap_least_row(canvas)) - 1, 2);
    cache->first = cache->count > most ? cache->count - most : 0;
    if (cache->first > 0 && cache->first >= cache->it.kept)
        cache->first = cache->it.kept - 1;
    double rows = (double)(cache->count - cache->first) + 1; /* and the mix */
    cache->line = floor(fmax(fmin(room / rows, LARGEST_ROW), 4));
    double cols =
        (double)(cols_of(cache, cache->it.query) + cols_of(cache, cache->it.keys) +
                 cols_of(cache, cache->it.values));
    double labels =
        heatmap_row_label_width(canvas, stage_tensor(cache->stage, cache->it.keys));
    double both = FAN + SHARES;
    labels = labels > 0 ? fmin(labels, LABEL_ROOM) : LABEL_ROOM;
    double ways = area.w - labels - 6 * frame - least_column(cache) * cols;
    bool readable = ways >= LEAST_WAYS * both && cache->line >= heatmap_least_row(canvas);
    ways = readable ? fmin(ways / both, 1) : 1;
    cache->labels = readable ? labels : LABEL_ROOM;
    cache->fan = round(FAN * ways);
    cache->ways = round(SHARES * ways);
    double fixed = cache->labels + 6 * frame + cache->fan + cache->ways;
    cache->cell = floor(fmax(fmin((area.w - fixed) / cols, WIDEST_CELL), 2));
    double used = fixed + cache->cell * cols;
    double height = head + below + cache->slide + 2 * frame + cache->line * rows;
    double y = round(area.y + fmax(area.h - height, 0) * 0.4 + head);
    double x = round(area.x + fmax(area.w - used, 0) / 2 + frame);
    double shelf = cache->line * (rows - 1) + cache->slide;
    cache->query =
        (Box){x, round(y + (shelf - cache->line) / 2),
              cache->cell * (double)cols_of(cache, cache->it.query), cache->line};
    x += cache->query.w + 2 * frame + cache->fan;
    cache->keys.box =
        (Box){x, y, cache->cell * (double)cols_of(cache, cache->it.keys), shelf};
    x += cache->keys.box.w + 2 * frame + cache->ways;
    cache->values.box =
        (Box){x, y, cache->cell * (double)cols_of(cache, cache->it.values), shelf};
    cache->mix = (Box){x, y + shelf + below, cache->values.box.w, cache->line};
}

/* ---- rows ---- */

/* One scale for the query, the keys, the values and what they are mixed into. */
static ColorScale scale_of(const Stage *stage, const LessonCache *it) {
    double reach = fmax(heatmap_reach(stage_tensor(stage, it->query)),
                        fmax(heatmap_reach(stage_tensor(stage, it->keys)),
                             heatmap_reach(stage_tensor(stage, it->values))));
    return (ColorScale){&stage->canvas->theme->diverging, -reach, reach,
                        stage->canvas->theme->masked};
}

/* All tables have the digits of the one with the smallest. */
static void choose_digits(Cache *cache) {
    cache->digits = canvas_size(cache->stage->canvas, DIGITS, "");
    for (size_t i = 0; i < 4; i++) {
        Heatmap table = written(cache, cache->tables[i]);
        double size = heatmap_number_size(cache->stage->canvas, &table);
        cache->digits = size > 0 ? size : cache->digits;
    }
}

/* The cells of a row; `kept`: in grey, as it isn't computed. */
static void draw_row(const Cache *cache, size_t node, size_t row, Box box, bool kept) {
    const Stage *stage = cache->stage;
    const Canvas *canvas = stage->canvas;
    const Theme *theme = canvas->theme;
    const Tensor *tensor = stage_tensor(stage, node);
    bool result = node == stage->node;
    Heatmap table = written(cache, node);
    NumberStyle style = heatmap_numbers(canvas, &table);
    for (size_t j = 0; j < tensor->cols; j++) {
        Box cell = {box.x + cache->cell * (double)j + 1, box.y + 1, cache->cell - 2,
                    box.h - 2};
        double value = tensor_at(tensor, row, j);
        bool visible = !result || view_cell_visible(stage, row, j);
        Color fill =
            kept ? heatmap_kept_ground(theme) : color_scale_at(&cache->scale, value);
        canvas_link_cell(canvas, node, row, j);
        canvas_fill(canvas, cell, 2, visible ? fill : theme->bar);
        if (visible && kept && theme->patterns)
            canvas_outline(canvas, cell, 2, theme->line, 1);
        bool hatched = visible && !kept && pattern_negative(canvas, cell, value);
        if (visible && style.size > 0)
            heatmap_draw_number(canvas, &style, cell, fill, hatched, value);
        canvas_unlink(canvas);
        if (result && stage->has_focus && stage->focus_row == row &&
            stage->focus_col == j)
            canvas_outline(canvas, box_inset(cell, -2), 4, theme->focus, 2);
    }
}

static const char *row_label(const Cache *cache, size_t row) {
    const Stage *stage = cache->stage;
    const Tensor *keys = stage_tensor(stage, cache->it.keys);
    const Tensor *values = stage_tensor(stage, cache->it.values);
    return token_text(stage->canvas,
                      view_label(stage->canvas,
                                 keys->row_labels ? keys->row_labels : values->row_labels,
                                 row));
}

/* Right of a row. */
static void draw_row_label(const Cache *cache, Point from, size_t row) {
    const Canvas *canvas = cache->stage->canvas;
    const char *label = row_label(cache, row);
    FontRole font = row < cache->it.kept ? FONT_TEXT : FONT_BOLD;
    LabelFit fit = canvas_fit(canvas, font, canvas_size(canvas, LABELS, label),
                              cache->labels, label);
    canvas_text(canvas, font, fit.size,
                font == FONT_BOLD ? canvas->theme->ink : canvas->theme->ink_soft,
                (Point){from.x, round(from.y + fit.size * 0.35)}, LABEL_LEFT, fit.text);
}

/* A frame of the role around rows, with its tab on it. */
static void draw_frame(const Cache *cache, Role role, size_t node, Box rows, bool tab) {
    const Canvas *canvas = cache->stage->canvas;
    const Tensor *tensor = stage_tensor(cache->stage, node);
    static const char *const letters[ROLE_COUNT] = {
        [ROLE_QUERY] = "Q", [ROLE_KEY] = "K", [ROLE_VALUE] = "V"};
    RoleTab worn = {.node = node,
                    .role = role,
                    .name = stage_node(cache->stage, node)->name[0]
                                ? stage_formula_name(cache->stage, node)
                                : letters[role],
                    .shape =
                        canvas_format(canvas, "%zu × %zu", tensor->rows, tensor->cols)};
    if (tab)
        role_tab(canvas, &worn, role_frame_box(rows));
    role_frame(canvas, role, rows);
}

static void draw_shelf(const Cache *cache, const Shelf *shelf) {
    const Canvas *canvas = cache->stage->canvas;
    double kept = cache->line * (double)(cache->it.kept - cache->first);
    Box above = {shelf->box.x, shelf->box.y, shelf->box.w, kept};
    Box fresh = {shelf->box.x, shelf->box.y + kept + cache->slide, shelf->box.w,
                 cache->line * (double)(cache->count - cache->it.kept)};
    draw_frame(cache, shelf->role, shelf->node, above, true);
    draw_frame(cache, shelf->role, shelf->node, fresh, false);
    for (size_t row = cache->first; row < cache->count; row++)
        draw_row(
            cache, shelf->node, row,
            (Box){shelf->box.x, row_top(cache, shelf, row), shelf->box.w, cache->line},
            row < cache->it.kept);
    if (cache->first > 0) /* older ones have no room: beside the tab, how many */
        canvas_label(
            canvas, FONT_TEXT, LABELS, canvas->theme->ink_soft,
            (Point){shelf->box.x + shelf->box.w, shelf->box.y - ROLE_FRAME_MARGIN - 8},
            LABEL_RIGHT, canvas_format(canvas, "⋮ %zu", cache->first));
}

/* ---- what the shares do ---- */

static double share_at(const Cache *cache, size_t row) {
    return tensor_at(cache->shares, cache->row, row);
}

/* From the query to each key. */
static void draw_fan(const Cache *cache) {
    const Canvas *canvas = cache->stage->canvas;
    Point from = {cache->query.x + cache->query.w + ROLE_FRAME_MARGIN,
                  cache->query.y + cache->query.h / 2};
    for (size_t row = cache->first; row < cache->count; row++) {
        Point ends[] = {from,
                        {cache->keys.box.x - ROLE_FRAME_MARGIN,
                         row_middle(cache, &cache->keys, row)}};
        lane_draw(canvas,
                  &(Lane){.role = ROLE_QUERY,
                          .points = ends,
                          .count = 2,
                          .thickness = fmax(share_at(cache, row) * WIDEST_LINE, 1)});
    }
}

/* From each key its share goes on to its value: a lane as thick, and a number. */
static void draw_shares(const Cache *cache) {
    const Stage *stage = cache->stage;
    const Canvas *canvas = stage->canvas;
    double frame = ROLE_FRAME_MARGIN, gap = 10;
    double left = cache->keys.box.x + cache->keys.box.w + frame;
    double right = cache->values.box.x - frame - gap;
    for (size_t row = cache->first; row < cache->count; row++) {
        double middle = row_middle(cache, &cache->keys, row),
               share = share_at(cache, row);
        const char *text =
            canvas_format(canvas, "%s ×", view_number(stage, cache->it.shares, share));
        double size = canvas_size(canvas, DIGITS, text);
        double width = canvas_text_width(canvas, FONT_BOLD, size, text);
        Point ends[] = {{left, middle}, {right - width - gap, middle}};
        lane_draw(canvas, &(Lane){.role = ROLE_SHARES,
                                  .points = ends,
                                  .count = 2,
                                  .thickness = fmax(share * WIDEST_LINE, 1)});
        canvas_link_cell(canvas, cache->it.shares, cache->row, row);
        canvas_target(canvas,
                      (Box){left, middle - cache->line / 2, right - left, cache->line});
        if (size <= cache->line)
            canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                        (Point){right, round(middle + size * 0.35)}, LABEL_RIGHT, text);
        canvas_unlink(canvas);
    }
}

static void draw_mix(const Cache *cache) {
    const Stage *stage = cache->stage;
    const Canvas *canvas = stage->canvas;
    double y = cache->mix.y - ROLE_FRAME_MARGIN * 1.5;
    scene_line(canvas->scene, (Point){cache->mix.x - ROLE_FRAME_MARGIN, y},
               (Point){cache->mix.x + cache->mix.w + ROLE_FRAME_MARGIN, y}, 2,
               canvas->theme->ink);
    draw_row(cache, stage->node, cache->row, cache->mix, false);
    const char *name =
        canvas_format(canvas, "%s =", stage_formula_name(stage, stage->node));
    canvas_formula(
        canvas, name, 22,
        (Point){cache->mix.x - ROLE_FRAME_MARGIN - 10, cache->mix.y + cache->line / 2},
        LABEL_RIGHT);
}

/* ---- where the new row comes from ---- */

/* What made a shelf's new rows, the last of what it stacks. */
static const TapeNode *fresh_of(const Cache *cache, size_t shelf) {
    const TapeNode *stack = stage_node(cache->stage, shelf);
    return stage_node(cache->stage, stack->inputs[stack->input_count - 1]);
}

/* Whether a node is a row of numbers times a weight: the same numbers as another's. */
static bool is_product_of(const Cache *cache, const TapeNode *at, const TapeNode *other) {
    const Stage *stage = cache->stage;
    if (at->operation != OPERATION_MATMUL || other->operation != OPERATION_MATMUL)
        return false;
    const TapeNode *a = stage_node(stage, at->inputs[0]),
                   *b = stage_node(stage, other->inputs[0]);
    return a == b ||
           (a->operation == OPERATION_SLICE && b->operation == a->operation &&
            a->inputs[0] == b->inputs[0] && a->options.row_begin == b->options.row_begin);
}

/* Up from the word's numbers, through a weight, into a row. */
static void draw_source_lane(const Cache *cache, const TapeNode *made, Role role,
                             Point from, Point to) {
    const Canvas *canvas = cache->stage->canvas;
    const Point points[] = {from, {to.x - 30, from.y}, to};
    bool straight = from.x == to.x;
    lane_draw(canvas, &(Lane){.role = role,
                              .points = straight ? (Point[]){from, to} : points,
                              .count = straight ? 2 : 3,
                              .thickness = SOURCE_LANE,
                              .leaves_upright = straight,
                              .ends_upright = true,
                              .arrow = true});
    canvas_formula(canvas, stage_formula_name(cache->stage, made->inputs[1]),
                   WEIGHT_UNITS, (Point){to.x + 10, (from.y + to.y) / 2}, LABEL_LEFT);
}

/* The new word's numbers below the query, and their three ways: to it and to the new rows
 * of the shelves. */
static void draw_source(const Cache *cache) {
    const Stage *stage = cache->stage;
    const Canvas *canvas = stage->canvas;
    const TapeNode *key = fresh_of(cache, cache->it.keys),
                   *value = fresh_of(cache, cache->it.values),
                   *query = stage_node(stage, cache->it.query);
    double frame = ROLE_FRAME_MARGIN, gap = SOURCE_GAP;
    double under = cache->keys.box.y + cache->keys.box.h + frame;
    Box row = {cache->query.x, round(under + gap - cache->line / 2), cache->query.w,
               cache->line};
    if (!is_product_of(cache, query, key) || !is_product_of(cache, value, key) ||
        row.y < cache->query.y + cache->query.h + 2 * frame + gap / 2)
        return;
    size_t node = query->inputs[0];
    double middle = row.y + row.h / 2;
    draw_source_lane(cache, query, ROLE_QUERY, (Point){row.x + row.w / 2, row.y},
                     (Point){row.x + row.w / 2, cache->query.y + cache->query.h + frame});
    draw_source_lane(cache, value, ROLE_VALUE, (Point){row.x + row.w, middle + 5},
                     (Point){cache->values.box.x + gap / 2, under});
    draw_source_lane(cache, key, ROLE_KEY, (Point){row.x + row.w, middle - 5},
                     (Point){cache->keys.box.x + gap / 2, under});
    draw_row(cache, node, 0, row, false);
    const char *word = row_label(cache, cache->count - 1);
    canvas_label(canvas, FONT_BOLD, LABELS, canvas->theme->ink,
                 (Point){row.x, round(row.y + row.h + LABELS + 4)}, LABEL_LEFT, word);
}

/* ---- the counter ---- */

/* What a row of a shelf costs: that of the product which made the new ones, or 0. */
static size_t row_cost(const Cache *cache, size_t shelf) {
    const TapeNode *fresh = fresh_of(cache, shelf);
    return fresh->operation == OPERATION_MATMUL
               ? fresh->operands[0]->cols * fresh->output.cols
               : 0;
}

/* What is done for one shelf, with its letter. */
static void draw_done(const Cache *cache, Role role, const char *letter, Box box) {
    const Canvas *canvas = cache->stage->canvas;
    const Theme *theme = canvas->theme;
    Color color = role_color(theme, role, theme->accent);
    canvas_fill(canvas, box, 3, color);
    if (box.w >= box.h)
        canvas_label(canvas, FONT_BOLD, LABELS,
                     palette_ink(color, theme->cell_dark, theme->cell_light),
                     (Point){box.x + box.w / 2, round(box.y + box.h * 0.74)},
                     LABEL_CENTER, letter);
}

/* A bar as long as all rows' multiplications, those of kept rows in grey. */
static void draw_counter(const Cache *cache, Box strip) {
    const Canvas *canvas = cache->stage->canvas;
    const Theme *theme = canvas->theme;
    size_t each = row_cost(cache, cache->it.keys) + row_cost(cache, cache->it.values);
    if (!each)
        return;
    size_t saved = each * cache->it.kept, all = each * cache->count;
    double right = cache->mix.x + cache->mix.w;
    Box bar = {cache->query.x, strip.y + strip.h - COUNTER_BAR, right - cache->query.x,
               COUNTER_BAR};
    Box grey = bar;
    grey.w = round(bar.w * (double)saved / (double)all);
    Box done = {grey.x + grey.w, bar.y, bar.w - grey.w, bar.h};
    canvas_fill(canvas, grey, 3, palette_mix(theme->page, theme->ink_faint, 56));
    double keys = round(done.w * (double)row_cost(cache, cache->it.keys) / (double)each);
    draw_done(cache, ROLE_KEY, "K", (Box){done.x, done.y, keys, done.h});
    draw_done(cache, ROLE_VALUE, "V",
              (Box){done.x + keys, done.y, done.w - keys, done.h});
    for (size_t i = 1; i < cache->count && bar.w / (double)cache->count > 8; i++) {
        double x = round(bar.x + bar.w * (double)i / (double)cache->count);
        scene_line(canvas->scene, (Point){x, bar.y}, (Point){x, bar.y + bar.h}, 2,
                   theme->page);
    }
    double baseline = bar.y - 10;
    canvas_label(canvas, FONT_TEXT, 18, theme->ink_soft, (Point){grey.x, baseline},
                 LABEL_LEFT,
                 canvas_words(canvas, "view.saved", canvas_count(canvas, cache->it.kept),
                              canvas_count(canvas, saved), NULL));
    canvas_label(canvas, FONT_BOLD, 18, theme->ink, (Point){done.x + done.w, baseline},
                 LABEL_RIGHT,
                 canvas_words(canvas, "view.done",
                              canvas_count(canvas, cache->count - cache->it.kept),
                              canvas_count(canvas, all - saved), NULL));
}

void cache_view(const Stage *stage, ViewPlace place_in_grid) {
    (void)place_in_grid;
    Cache cache = {.stage = stage};
    if (!lesson_find_cache(stage->tape, stage->node, &cache.it))
        return;
    cache.shares = stage_tensor(stage, cache.it.shares);
    cache.row = view_row(stage);
    cache.count = stage_tensor(stage, cache.it.keys)->rows;
    cache.keys = (Shelf){.node = cache.it.keys, .role = ROLE_KEY};
    cache.values = (Shelf){.node = cache.it.values, .role = ROLE_VALUE};
    cache.scale = scale_of(stage, &cache.it);
    const size_t tables[] = {cache.it.query, cache.it.keys, cache.it.values, stage->node};
    memcpy(cache.tables, tables, sizeof tables);
    Box area = stage->area;
    box_take_bottom(&area, 14);
    place(&cache, area);
    Box counter = box_take_bottom(&area, COUNTER);
    choose_digits(&cache);
    draw_source(&cache);
    draw_fan(&cache);
    draw_frame(&cache, ROLE_QUERY, cache.it.query, cache.query, true);
    draw_row(&cache, cache.it.query, cache.row, cache.query, false);
    draw_shelf(&cache, &cache.keys);
    draw_shelf(&cache, &cache.values);
    draw_shares(&cache);
    draw_mix(&cache);
    double right = cache.values.box.x + cache.values.box.w + 2 * ROLE_FRAME_MARGIN;
    for (size_t row = cache.first; row < cache.count; row++)
        draw_row_label(&cache, (Point){right, row_middle(&cache, &cache.values, row)},
                       row);
    if (cache.counted)
        draw_counter(&cache, counter);
}
