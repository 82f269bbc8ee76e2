#include "lesson/generate_step.h"
#include "picture/tokens.h"
#include "picture/views.h"

#include <math.h>

/* The loop of inference: a line for each turn, with the text that it reads as chips, the
 * word of the last turn marked; then what it computes, a square for each row, shaded
 * where that was computed before, empty where a cache kept it; then the word it says,
 * which the next turn reads. The texts are those that a step shows or the turns of a
 * generation, of which the multiplications are told too. */

static const double LARGEST_UNITS = 24, TURN_UNITS = 15, SQUARE = 15, SQUARE_GAP = 4;
static const double READS_SHARE = 0.6, COMPUTES_SHARE = 0.23; /* of the width */
static const double GAP = 8, TALLEST = 84; /* units: of a line, at most */
static const double CHIP_SHARE = 0.84;     /* of a line's height */

typedef struct Turns {
    const Stage *stage;
    const LessonGenerate *generate; /* NULL: texts that are shown */
    size_t turn_count;
    size_t index, node; /* of the turn that is drawn … */
    const Tensor *ids;  /* … and the text it reads */
    const char *const *labels;
    size_t count;
    double size; /* of the chips' letters, in all turns */
    Box reads, computes, says;
} Turns;

/* The text that a turn reads. */
static size_t text_of(const Turns *turns, size_t index) {
    return turns->generate ? turns->generate->turns[index].ids[0]
                           : turns->stage->step->shown[index];
}

static bool is_cached(const Turns *turns) {
    return turns->generate && turns->generate->options.cache;
}

static const char *const *labels_of(const Tensor *ids) {
    return ids->rows == 1 && ids->col_labels ? ids->col_labels : ids->row_labels;
}

static Link cell_of(size_t node, const Tensor *ids, size_t index) {
    bool is_row = ids->rows == 1;
    return (Link){LINK_CELL, node, is_row ? 0 : index, is_row ? index : 0};
}

static const char *turn_text(const Turns *turns) {
    const Canvas *canvas = turns->stage->canvas;
    return canvas_words(
        canvas, "view.turn", 1,
        (const char *const[]){canvas_format(canvas, "%zu", turns->index + 1)});
}

static double text_width(const Canvas *canvas, const Tensor *ids, double size) {
    double width = 0;
    const char *const *labels = labels_of(ids);
    for (size_t i = 0; i < tensor_cells(ids); i++)
        width +=
            token_width(canvas, size, labels[i]) + (i ? canvas_length(canvas, GAP) : 0);
    return width;
}

/* All turns have chips of the size that the longest text and a line's height allow. */
static void choose_size(Turns *turns, double height) {
    const Stage *stage = turns->stage;
    const Canvas *canvas = stage->canvas;
    const Tensor *longest = stage_tensor(stage, text_of(turns, turns->turn_count - 1));
    double least = label_min_size("");
    for (size_t i = 0; i < tensor_cells(longest); i++)
        least = fmax(least, label_min_size(labels_of(longest)[i]));
    turns->size = fmax(canvas_size(canvas, LARGEST_UNITS, ""), least);
    while (turns->size > least &&
           (text_width(canvas, longest, turns->size) > turns->reads.w ||
            token_height(turns->size) > height * CHIP_SHARE))
        turns->size--;
}

/* What stands over the columns, above the first turn. */
static void draw_heading(const Turns *turns, Box column, const char *key) {
    const Canvas *canvas = turns->stage->canvas;
    const char *words = canvas_string(canvas, key);
    double size = canvas_size(canvas, 13, words);
    LabelFit fit = label_fit(canvas->scene->arena, canvas->metrics, FONT_BOLD, size,
                             label_min_size(words), column.w, words);
    label_draw(
        canvas->scene, canvas->metrics, FONT_BOLD, fit.size, canvas->theme->ink_faint,
        (Point){column.x, column.y - canvas_length(canvas, 6)}, LABEL_LEFT, fit.text);
}

static Box centred(Box column, double width, double height) {
    return (Box){column.x, round(column.y + (column.h - height) / 2), width, height};
}

/* The text read: the word that the turn before has said is marked. */
static void draw_reads(const Turns *turns) {
    const Canvas *canvas = turns->stage->canvas;
    Box column = turns->reads;
    double right = column.x + column.w;
    for (size_t i = 0; i < turns->count; i++) {
        double width = token_width(canvas, turns->size, turns->labels[i]);
        Token token = {.label = turns->labels[i],
                       .kind = token_kind(turns->labels[i]),
                       .present = i + 1 == turns->count,
                       .size = turns->size};
        Box box =
            centred(column, fmin(width, right - column.x), token_height(turns->size));
        if (box.w < turns->size)
            return;
        scene_link(canvas->scene, cell_of(turns->node, turns->ids, i));
        token_draw(canvas, &token, box);
        scene_link(canvas->scene, (Link){0});
        column.x += width + canvas_length(canvas, GAP);
    }
}

/* A square a row: those of the words before are computed again. */
static void draw_computes(const Turns *turns) {
    const Canvas *canvas = turns->stage->canvas;
    const Theme *theme = canvas->theme;
    Box column = turns->computes;
    double gap = canvas_length(canvas, SQUARE_GAP);
    double side =
        fmin(canvas_length(canvas, SQUARE), column.w / (double)turns->count - gap);
    for (size_t i = 0; i < turns->count && side >= 1; i++) {
        bool fresh = i + 1 == turns->count;
        Box box = centred(column, side, side);
        box.x = round(column.x + (side + gap) * (double)i);
        box.y = round(column.y + column.h / 2 - side);
        scene_rectangle(canvas->scene, box, canvas_length(canvas, 2),
                        fresh ? theme->accent : theme->masked,
                        fresh ? theme->accent : theme->ink_faint, 1);
    }
    const char *words = canvas_words(
        canvas, "view.again_new", 2,
        (const char *const[]){canvas_format(canvas, "%zu", turns->count - 1), "1"});
    double size = canvas_size(canvas, 13, words);
    LabelFit fit = label_fit(canvas->scene->arena, canvas->metrics, FONT_TEXT, size,
                             label_min_size(words), column.w, words);
    label_draw(canvas->scene, canvas->metrics, FONT_TEXT, fit.size, theme->ink_soft,
               (Point){column.x, round(column.y + column.h / 2 + fit.size * 1.3)},
               LABEL_LEFT, fit.text);
}

/* The word said: the last one that the next turn reads. */
static void draw_says(const Turns *turns) {
    const Stage *stage = turns->stage;
    const Canvas *canvas = stage->canvas;
    if (turns->index + 1 >= stage->step->shown_count)
        return;
    size_t node = stage->step->shown[turns->index + 1];
    const Tensor *next = stage_tensor(stage, node);
    size_t last = tensor_cells(next) - 1;
    const char *label = labels_of(next)[last];
    double head = canvas_length(canvas, 7), y = turns->says.y + turns->says.h / 2;
    Point tip = {turns->says.x + canvas_length(canvas, 26), round(y) + 0.5};
    scene_line(canvas->scene, (Point){turns->says.x, tip.y}, (Point){tip.x - head, tip.y},
               fmax(canvas_length(canvas, 1.5), 1), canvas->theme->ink_soft);
    scene_polygon(canvas->scene,
                  (Point[]){{tip.x - head, tip.y - head * 0.6},
                            tip,
                            {tip.x - head, tip.y + head * 0.6}},
                  3, canvas->theme->ink_soft);
    Box column = turns->says;
    double used = tip.x - column.x + canvas_length(canvas, 10);
    column.x += used;
    column.w -= used;
    Token token = {.label = label, .kind = token_kind(label), .size = turns->size};
    scene_link(canvas->scene, cell_of(node, next, last));
    token_draw(canvas, &token,
               centred(column, fmin(token_width(canvas, turns->size, label), column.w),
                       token_height(turns->size)));
    scene_link(canvas->scene, (Link){0});
}

/* The last text, when it ends with a special token, is what has been said: no turn reads
 * it. */
static bool is_finished(const Turns *turns) {
    return turns->index > 0 && turns->index + 1 == turns->stage->step->shown_count &&
           token_kind(turns->labels[turns->count - 1]) == TOKEN_SPECIAL;
}

static void draw_turn(Turns *turns, Box line) {
    const Canvas *canvas = turns->stage->canvas;
    bool finished = is_finished(turns);
    const char *name = finished ? canvas_string(canvas, "view.said") : turn_text(turns);
    turns->reads.y = turns->computes.y = turns->says.y = line.y;
    turns->reads.h = turns->computes.h = turns->says.h = line.h;
    double size = canvas_size(canvas, TURN_UNITS, name);
    label_draw(canvas->scene, canvas->metrics, FONT_BOLD, size, canvas->theme->ink_soft,
               (Point){line.x, round(line.y + line.h / 2 + size * 0.35)}, LABEL_LEFT,
               name);
    draw_reads(turns);
    if (finished)
        return;
    draw_computes(turns);
    draw_says(turns);
}

/* The columns' places: names, texts, what is computed, what is said. */
static void place_columns(Turns *turns, Box area) {
    const Canvas *canvas = turns->stage->canvas;
    double gap = canvas_length(canvas, 22);
    turns->index = 98; /* a name as wide as any */
    const char *name = turn_text(turns);
    Box rest = area;
    box_take_left(&rest, label_width(canvas->metrics, FONT_BOLD,
                                     canvas_size(canvas, TURN_UNITS, name), name) +
                             gap);
    double width = rest.w;
    turns->reads = box_take_left(&rest, width * READS_SHARE);
    turns->computes = box_take_left(&rest, width * COMPUTES_SHARE);
    turns->says = rest;
    turns->reads.w -= gap;
    turns->computes.w -= gap;
}

void turns_view(const Stage *stage, ViewPlace place) {
    const Canvas *canvas = stage->canvas;
    Turns turns = {.stage = stage};
    Box area = stage->area;
    box_take_top(&area, canvas_length(canvas, 26));
    double height = fmin(area.h / (double)place.count, canvas_length(canvas, TALLEST));
    box_take_top(&area, round((area.h - height * (double)place.count) * 0.35));
    place_columns(&turns, area);
    draw_heading(&turns, turns.reads, "view.reads");
    draw_heading(&turns, turns.computes, "view.computes");
    draw_heading(&turns, turns.says, "view.says");
    choose_size(&turns, height);
    for (turns.index = 0; turns.index < place.count; turns.index++) {
        turns.node = stage->step->shown[turns.index];
        turns.ids = stage_tensor(stage, turns.node);
        turns.labels = labels_of(turns.ids);
        turns.count = tensor_cells(turns.ids);
        draw_turn(&turns, box_take_top(&area, height));
    }
}
