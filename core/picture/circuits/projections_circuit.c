#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/circuits/circuits_parts.h"
#include "picture/draw/lanes.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* One vector and what several matrices make of it: the source with the row in focus, from
 * which a lane leads through each matrix to that row of its product, in the colour of its
 * role and with words about what it is for. Other rows have no numbers. The lanes lead to
 * the right, or downwards where the page is upright. */

/* Lengths in units. */
static const double CHOSEN = 46, SOURCE_ROW = 25, SOURCE_CELL = 76, RESULT_ROW = 12,
                    RESULT_CELL = 92, WEIGHT_CELL = 24, LEAST_CELL = 6, LEAST_ROW = 4;
static const double FORK = 120, LEAST_FORK = 44, SPREAD = 15, BEHIND_WEIGHT = 70,
                    LEAST_BEHIND = 26, BIAS_GAP = 3, BETWEEN = 16, BELOW = 24,
                    CAPTION = 54;
static const double STRAIGHT = 18; /* end of a lane */
static const double NAME = 19, NAME_HIGH = 32, WORDS = 18, WORDS_HIGH = 30;

typedef struct Projected {
    LessonProjection parts;
    Role role;
    Color color;
    ChosenTable table;
    Heatmap weight, bias; /* without a tensor: there is no bias */
    const char *name;     /* of the weight, a formula */
    const char *words;    /* "" : none */
} Projected;

typedef struct Projections {
    const Stage *stage;
    size_t count, row;
    Projected items[LESSON_PROJECTIONS_MAX];
    ChosenTable source;
    double labels, words; /* widths of the source's row labels, of the words */
    double tab;           /* height */
    bool upright, without_words;
} Projections;

/* ---- data ---- */

/* Columns [first, end) of a node as a table of its own. */
static Heatmap columns_of(const Stage *stage, size_t node, size_t first, size_t end) {
    Heatmap heatmap = stage_heatmap(stage, node, (Box){0}, 1);
    const Tensor *all = heatmap.tensor;
    Tensor *part = canvas_tensor(stage->canvas, all->rows, end - first);
    for (size_t i = 0; i < tensor_cells(part); i++)
        part->values[i] = tensor_at(all, i / part->cols, first + i % part->cols);
    heatmap.tensor = part;
    heatmap.written_as = all;
    heatmap.hidden = NULL;
    heatmap.first_col = first;
    heatmap.without_numbers = true;
    return heatmap;
}

/* Words for the purpose of a role's vector of a token; "" if the role or the token has
 * none. */
static const char *words_for(const Projections *all, Role role) {
    static const char *const keys[ROLE_COUNT] = {[ROLE_QUERY] = "view.query_for",
                                                 [ROLE_KEY] = "view.key_for",
                                                 [ROLE_VALUE] = "view.value_for"};
    const char *const *tokens = all->source.tensor->row_labels;
    return keys[role] && tokens
               ? canvas_words(all->stage->canvas, keys[role], tokens[all->row], NULL)
               : "";
}

static void read_item(Projections *all, size_t index) {
    const Stage *stage = all->stage;
    Projected *item = &all->items[index];
    size_t node = stage->step->shown[index];
    item->role = role_of_node(stage->tape, node);
    item->color =
        role_color(stage->canvas->theme, item->role, stage_color(stage, node, index));
    item->table = chosen_table_of(stage, node, all->row);
    item->weight =
        columns_of(stage, item->parts.weight, item->parts.first_col, item->parts.end_col);
    item->name = stage_formula_name(stage, item->parts.weight);
    if (item->parts.bias != TAPE_NONE) {
        item->bias = columns_of(stage, item->parts.bias, item->parts.first_col,
                                item->parts.end_col);
        item->name = canvas_format(stage->canvas, "%s, %s", item->name,
                                   stage_formula_name(stage, item->parts.bias));
    }
    item->words = words_for(all, item->role);
}

/* Gives the tables one scale, and the weights one. */
static void set_scales(Projections *all) {
    double tables = all->source.reach, weights = 0;
    for (size_t i = 0; i < all->count; i++) {
        tables = fmax(tables, all->items[i].table.reach);
        weights = fmax(weights, heatmap_reach(all->items[i].weight.tensor));
    }
    all->source.reach = tables;
    for (size_t i = 0; i < all->count; i++) {
        all->items[i].table.reach = tables;
        all->items[i].weight.reach = all->items[i].bias.reach = weights;
    }
}

static bool find(Projections *all) {
    const Stage *stage = all->stage;
    const LessonStep *step = stage->step;
    if (stage->view != LESSON_VIEW_PROJECTIONS)
        return false;
    all->count = step->shown_count;
    if (all->count < 2 || all->count > LESSON_PROJECTIONS_MAX)
        return false;
    for (size_t i = 0; i < all->count; i++) {
        if (!lesson_find_projection(stage->tape, step->shown[i], &all->items[i].parts))
            return false;
    }
    size_t source = all->items[0].parts.source;
    size_t rows = stage_tensor(stage, source)->rows;
    size_t row = view_row(stage);
    all->row = row < rows ? row : rows - 1;
    all->source = chosen_table_of(stage, source, all->row);
    for (size_t i = 0; i < all->count; i++)
        read_item(all, i);
    set_scales(all);
    return true;
}

/* ---- layout ---- */

/* Column that has room for a table's numbers. */
static double numbered(const Projections *all, const ChosenTable *table) {
    Heatmap heatmap = {
        .tensor = table->tensor, .colors = table->colors, .reach = table->reach};
    return heatmap_least_column(all->stage->canvas, &heatmap);
}

static double widest_columns(const Projections *all) {
    double most = 0;
    for (size_t i = 0; i < all->count; i++)
        most = fmax(most, chosen_cols(&all->items[i].table));
    return most;
}

static double widest_numbered(const Projections *all) {
    double most = 0;
    for (size_t i = 0; i < all->count; i++)
        most = fmax(most, numbered(all, &all->items[i].table));
    return most;
}

static void measure(Projections *all) {
    const Canvas *canvas = all->stage->canvas;
    all->labels = fmin(heatmap_row_label_width(canvas, all->source.tensor),
                       all->stage->area.w * 0.2);
    all->words = 0;
    for (size_t i = 0; i < all->count; i++) {
        const Projected *item = &all->items[i];
        if (item->words[0])
            all->words = fmax(all->words,
                              canvas_text_width(canvas, FONT_TEXT,
                                                canvas_size(canvas, WORDS, item->words),
                                                item->words));
    }
    all->words = ceil(all->words);
    all->tab = role_tab_height(canvas, &(RoleTab){.role = ROLE_QUERY, .name = "Q"});
}

/* Sets the heights of a table's rows within `height`: the chosen one has room for
 * numbers. Returns false if the others have none left. */
static bool fit_rows(const Projections *all, ChosenTable *table, double height,
                     double most) {
    double rest = chosen_rows(table) - 1;
    double least = heatmap_least_row(all->stage->canvas);
    table->chosen_height =
        fmax(fmin(fmax(CHOSEN, least), height - LEAST_ROW * rest), least);
    table->row_height =
        rest > 0 ? fmin(floor((height - table->chosen_height) / rest), most) : most;
    return table->row_height >= LEAST_ROW && table->chosen_height <= height;
}

static double bias_height(const Projected *item, double cell) {
    return item->bias.tensor ? BIAS_GAP + cell : 0;
}

/* Places a matrix with its bias below it, its middle at `middle`. */
static void place_weight(Projected *item, Point middle, double cell, double height) {
    double rows = (double)item->weight.tensor->rows;
    double row = fmin(cell, (height - BIAS_GAP) / (rows + 1));
    double width = cell * (double)item->weight.tensor->cols;
    double tall = row * rows + bias_height(item, row);
    Box box = {round(middle.x - width / 2), round(middle.y - tall / 2), round(width),
               round(row * rows)};
    item->weight.cells = box;
    if (item->bias.tensor)
        item->bias.cells =
            (Box){box.x, box.y + box.h + BIAS_GAP, box.w, fmax(round(row), 2)};
}

enum {
    ACROSS_LABELS,
    ACROSS_SOURCE,
    ACROSS_FORK,
    ACROSS_WEIGHT,
    ACROSS_BEHIND,
    ACROSS_TABLE,
    ACROSS_WORDS,
    ACROSS
};

/* Places the lanes from left to right. */
static bool place_across(Projections *all, Box area) {
    double source = chosen_cols(&all->source), cols = widest_columns(all);
    double least = widest_numbered(all), words = all->without_words ? 0 : all->words;
    Track across[ACROSS] = {
        [ACROSS_LABELS] = track_of(all->labels),
        [ACROSS_SOURCE] = {.parts = source,
                           .least = fmin(LEAST_CELL, 160 / source),
                           .want = fmin(numbered(all, &all->source), SOURCE_CELL),
                           .most = SOURCE_CELL,
                           .rank = 1},
        [ACROSS_FORK] = {.least = LEAST_FORK, .want = FORK, .most = FORK, .rank = 3},
        [ACROSS_WEIGHT] = {.parts = cols,
                           .least = fmin(LEAST_CELL, 80 / cols),
                           .want = WEIGHT_CELL,
                           .most = WEIGHT_CELL,
                           .rank = 2},
        [ACROSS_BEHIND] = {.least = LEAST_BEHIND + 2 * ROLE_FRAME_MARGIN,
                           .want = BEHIND_WEIGHT,
                           .most = BEHIND_WEIGHT,
                           .rank = 3},
        [ACROSS_TABLE] = {.parts = cols,
                          .least = fmin(least, 160 / cols),
                          .want = least,
                          .most = RESULT_CELL},
        [ACROSS_WORDS] = track_of(words > 0 ? words + BETWEEN + ROLE_FRAME_MARGIN
                                            : ROLE_FRAME_MARGIN)};
    if (!ruler_share(across, ACROSS, area.x, area.w))
        return false;
    ruler_place(across, ACROSS,
                round(area.x + (area.w - ruler_used(across, ACROSS)) / 2));
    double pitch = area.h / (double)all->count;
    double room = pitch - all->tab - 2 * ROLE_FRAME_MARGIN - BETWEEN / 2;
    ChosenTable *from = &all->source;
    bool fits = fit_rows(all, from, area.h - CAPTION - all->tab, SOURCE_ROW);
    double tall = chosen_table_height(from);
    chosen_table_place(
        from, (Point){across[ACROSS_SOURCE].at, area.y + (area.h - CAPTION - tall) / 2},
        across[ACROSS_SOURCE].part);
    from->label_room = all->labels;
    for (size_t i = 0; i < all->count; i++) {
        Projected *item = &all->items[i];
        double top = area.y + pitch * (double)i + all->tab + ROLE_FRAME_MARGIN;
        fits &= fit_rows(all, &item->table, room, RESULT_ROW);
        double high = chosen_table_height(&item->table);
        chosen_table_place(
            &item->table,
            (Point){across[ACROSS_TABLE].at, round(top + fmax(room - high, 0) / 2)},
            across[ACROSS_TABLE].part);
        double level = chosen_table_left(&item->table).y;
        double weight = fmin(room + all->tab - NAME_HIGH, pitch - NAME_HIGH - BETWEEN);
        double middle = area.y + pitch * (double)i + NAME_HIGH + weight / 2;
        place_weight(item,
                     (Point){across[ACROSS_WEIGHT].at + across[ACROSS_WEIGHT].size / 2,
                             fmin(middle, level)},
                     across[ACROSS_WEIGHT].part, weight);
    }
    return fits && across[ACROSS_TABLE].part >= least;
}

/* Places the source above the lanes, which lead downwards. */
static bool place_upright(Projections *all, Box area) {
    double count = (double)all->count, source = chosen_cols(&all->source);
    double pitch = area.w / count, cols = widest_columns(all);
    double row = fmax(heatmap_least_row(all->stage->canvas), CHOSEN);
    bool fits = true;
    double cell = fmin((area.w - all->labels) / source, SOURCE_CELL);
    ChosenTable *from = &all->source;
    fits &= fit_rows(all, from, area.h * 0.35, SOURCE_ROW);
    double tall = chosen_table_height(from), used = all->labels + cell * source;
    double weight = fmin(WEIGHT_CELL, (pitch - BETWEEN) / cols);
    double result = fmin((pitch - BETWEEN - 2 * ROLE_FRAME_MARGIN) / cols, RESULT_CELL);
    double fork = FORK, behind = BEHIND_WEIGHT;
    double weights = weight * (double)all->items[0].weight.tensor->rows + weight;
    weights = fmin(weights, area.h * 0.25);
    double rest = fmin((chosen_rows(from) - 1) * RESULT_ROW + row, area.h * 0.3);
    double words = all->words > 0 ? 2 * WORDS_HIGH : 0;
    double whole = tall + fork + NAME_HIGH + weights + behind + all->tab + rest + words;
    double top = area.y + fmax(area.h - whole, 0) / 2;
    chosen_table_place(from, (Point){area.x + (area.w - used) / 2 + all->labels, top},
                       cell);
    from->label_room = all->labels;
    top += tall + fork + NAME_HIGH;
    for (size_t i = 0; i < all->count; i++) {
        Projected *item = &all->items[i];
        double middle = area.x + pitch * ((double)i + 0.5);
        place_weight(item, (Point){middle, top + weights / 2}, weight, weights);
        fits &= fit_rows(all, &item->table, rest, RESULT_ROW);
        chosen_table_place(&item->table,
                           (Point){middle - result * chosen_cols(&item->table) / 2,
                                   top + weights + behind + all->tab},
                           result);
    }
    return fits && result >= widest_numbered(all) && whole <= area.h;
}

/* Gives the rows in focus of all products digits of one size. */
static void share_digits(Projections *all) {
    double least = INFINITY;
    for (size_t i = 0; i < all->count; i++)
        least = fmin(least, chosen_table_digits(all->stage, &all->items[i].table));
    for (size_t i = 0; i < all->count; i++)
        all->items[i].table.digits = least;
}

static bool place(Projections *all, Box area) {
    measure(all);
    all->upright = area.h > area.w;
    bool fits = all->upright && place_upright(all, area);
    all->upright = fits;
    if (!fits && !place_across(all, area)) {
        all->without_words = true;
        if (!place_across(all, area))
            return false;
    }
    share_digits(all);
    return true;
}

/* ---- drawing ---- */

static Box framed_weight(const Projected *item) {
    Box cells = item->weight.cells;
    if (item->bias.tensor)
        cells.h = item->bias.cells.y + item->bias.cells.h - cells.y;
    return cells;
}

static void draw_lane(const Projections *all, size_t index) {
    const Projected *item = &all->items[index];
    Box weight = role_frame_box(framed_weight(item));
    Box table = role_frame_box(item->table.cells);
    Point middle = box_middle(weight), right = chosen_table_right(&all->source);
    double beside = ((double)index - (double)(all->count - 1) / 2) * SPREAD;
    Lane lane = {.role = item->role, .color = item->color, .strong = true, .arrow = true};
    if (all->upright) {
        Box cells = all->source.cells;
        lane.leaves_upright = lane.ends_upright = true;
        Point from = {cells.x + cells.w / 2 + beside, cells.y + cells.h + 4};
        lane_between(all->stage->canvas, from,
                     (Point){middle.x, weight.y - NAME_HIGH - 2}, lane);
        lane_between(all->stage->canvas, (Point){middle.x, weight.y + weight.h},
                     (Point){middle.x, table.y - all->tab - 2}, lane);
        return;
    }
    Point to = {weight.x - 3, middle.y};
    const Point fork[] = {{right.x + 6, right.y + beside}, {to.x - STRAIGHT, to.y}, to};
    lane.points = fork;
    lane.count = 3;
    lane_draw(all->stage->canvas, &lane);
    Point end = {table.x - 3, chosen_table_left(&item->table).y};
    const Point behind[] = {
        {weight.x + weight.w, middle.y}, {end.x - STRAIGHT, end.y}, end};
    lane.points = behind;
    lane_draw(all->stage->canvas, &lane);
}

static void draw_weight(const Projections *all, const Projected *item) {
    const Stage *stage = all->stage;
    const Canvas *canvas = stage->canvas;
    Box frame = role_frame(canvas, item->role, framed_weight(item));
    heatmap_draw(canvas, &item->weight);
    if (item->bias.tensor)
        heatmap_draw(canvas, &item->bias);
    const char *shape = canvas_format(canvas, "%zu × %zu", item->weight.tensor->rows,
                                      item->weight.tensor->cols);
    double size = canvas_size(canvas, NAME, ""), small = canvas_size(canvas, 14, "");
    FormulaExtent name = canvas_formula_extent(canvas, item->name, size);
    double wide = canvas_text_width(canvas, FONT_TEXT, small, shape);
    double left = frame.x + frame.w / 2 - (name.width + 8 + wide) / 2;
    double y = frame.y - NAME_HIGH / 2;
    scene_begin_caption(canvas->scene, item->parts.weight);
    canvas_formula(canvas, item->name, NAME, (Point){left, y}, LABEL_LEFT);
    canvas_text(canvas, FONT_TEXT, small, canvas->theme->ink_faint,
                (Point){left + name.width + 8, label_baseline(y, small)}, LABEL_LEFT,
                shape);
    scene_end_caption(canvas->scene);
}

static void draw_result(const Projections *all, const Projected *item) {
    const Stage *stage = all->stage;
    const Canvas *canvas = stage->canvas;
    const Tensor *tensor = item->table.tensor;
    RoleTab tab = {.node = item->table.node,
                   .role = item->role,
                   .name = stage_formula_name(stage, item->table.node),
                   .shape =
                       canvas_format(canvas, "%zu × %zu", tensor->rows, tensor->cols)};
    Box frame = role_frame(canvas, item->role, item->table.cells);
    role_tab(canvas, &tab, frame);
    chosen_table_draw(stage, &item->table);
    if (!item->words[0] || all->without_words)
        return;
    double size = canvas_size(canvas, WORDS, item->words);
    if (all->upright) {
        double width = all->stage->area.w / (double)all->count - BETWEEN;
        Box room = {frame.x + frame.w / 2 - width / 2, frame.y + frame.h + 6, width, 0};
        double one = canvas_text_width(canvas, FONT_TEXT, size, item->words);
        if (one <= width)
            canvas_text(canvas, FONT_TEXT, size, item->color,
                        (Point){room.x + width / 2, room.y + size}, LABEL_CENTER,
                        item->words);
        else
            canvas_paragraph(canvas, FONT_TEXT, size, item->color, room, size * 1.25, 2,
                             item->words);
    } else {
        canvas_text(canvas, FONT_TEXT, size, item->color,
                    (Point){frame.x + frame.w + BETWEEN,
                            label_baseline(chosen_table_left(&item->table).y, size)},
                    LABEL_LEFT, item->words);
    }
}

static void draw_source(const Projections *all) {
    const Stage *stage = all->stage;
    const ChosenTable *source = &all->source;
    chosen_table_draw(stage, source);
    if (all->upright)
        return; /* the lanes begin there */
    Caption caption = caption_of(stage, source->node, NAME, source->cells.w);
    Box cells = source->cells;
    caption_draw(stage, &caption,
                 (Point){cells.x + cells.w / 2, cells.y + cells.h + 10 + caption.above},
                 caption_shape_drop(stage->canvas, caption.below), LABEL_CENTER);
}

/* Draws the legends of the vectors and of the matrices. */
static void draw_legends(const Projections *all) {
    const Stage *stage = all->stage;
    const StageScale scales[] = {{HEATMAP_SIGNED, all->source.reach},
                                 {HEATMAP_SIGNED, all->items[0].weight.reach}};
    double left = stage_legends(stage, stage->area, scales, 2);
    Box area = stage->area, strip = box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    if (!stage->canvas->without_legends)
        canvas_formula(stage->canvas, "\\tensor{W}", NAME,
                       (Point){left - 12, strip.y + 14}, LABEL_RIGHT);
}

bool projections_circuit(const Stage *stage) {
    Projections all = {.stage = stage};
    Box area = stage->area;
    if (!find(&all))
        return false;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT + BELOW / 2);
    if (!place(&all, area))
        return false;
    for (size_t i = 0; i < all.count; i++)
        draw_lane(&all, i);
    draw_source(&all);
    for (size_t i = 0; i < all.count; i++) {
        draw_weight(&all, &all.items[i]);
        draw_result(&all, &all.items[i]);
    }
    draw_legends(&all);
    return true;
}
