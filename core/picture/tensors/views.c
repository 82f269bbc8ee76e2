#include "picture/tensors/views.h"

#include "base/maths.h"
#include "base/number.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/play/player.h"
#include "picture/draw/part_name.h"
#include "picture/stage/caption.h"
#include "picture/stage/panels.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

typedef struct ViewPicture {
    /* NULL: heatmaps side by side; for a model only if it has no other picture */
    void (*draw)(const Stage *stage, ViewPlace place);
    double aspect;  /* least preferred ratio of width to height */
    double per_col; /* additional width per column of the tensor */
    bool whole;     /* draws all tensors of the step at once, into the whole area */
    /* Draws one legend for all tensors of the step, or NULL; `stage` is the first
     * one's. */
    void (*legend)(const Stage *stage, Box strip);
} ViewPicture;

enum {
    /* Largest table whose rows are charts of their own. */
    BAR_ROWS = 3,
    BAR_COLUMNS = 6,
    MANY = 3 /* from this number of tensors on, large text gets the whole area */
};

static const ViewPicture views[LESSON_VIEW_COUNT] = {
    [LESSON_VIEW_BARS] = {.draw = bars_view, .aspect = 1, .per_col = 0.06},
    [LESSON_VIEW_WAVES] = {.draw = waves_view, .aspect = 1.4},
    [LESSON_VIEW_ARCS] = {.draw = arcs_view, .aspect = 1.7, .legend = arcs_legend},
    [LESSON_VIEW_CHIPS] = {.draw = chips_view, .aspect = 6, .legend = chips_legend},
    [LESSON_VIEW_RECIPE] = {.draw = recipe_view, .aspect = 2},
    [LESSON_VIEW_DISTANCES] = {.draw = distances_view, .aspect = 2},
    [LESSON_VIEW_CURVE] = {.draw = curve_view, .aspect = 2},
    [LESSON_VIEW_HISTOGRAM] = {.draw = histogram_view, .aspect = 4},
    [LESSON_VIEW_SHIFT] = {.draw = shift_view, .aspect = 2, .whole = true},
    [LESSON_VIEW_MERGES] = {.draw = merges_view, .aspect = 2},
    [LESSON_VIEW_VOCABULARY] = {.draw = vocabulary_view, .aspect = 2},
    [LESSON_VIEW_PLANE] = {.draw = plane_view, .aspect = 1.6, .whole = true},
};

/* ---- choice of view ---- */

static const LessonStep *statement_of(const Player *player) {
    return player_words(player, player->step);
}

/* Number of tensors that a step draws: those that it shows, or its own. */
static size_t drawn_count(const Player *player) {
    size_t shown = statement_of(player)->shown_count;
    return shown ? shown : 1;
}

static size_t drawn_node(const Player *player, size_t index) {
    const LessonStep *step = statement_of(player);
    return step->shown_count ? step->shown[index] : player_step(player)->node;
}

static bool all_fit(const Player *player, LessonView view) {
    if (views[view].draw && !views[view].whole && drawn_count(player) > VIEW_GRID_MOST)
        return false;
    const LessonStep *step = statement_of(player);
    size_t own = drawn_node(player, 0);
    return lesson_view_fits(view, player->lesson->tape, player->lesson->sources,
                            step->shown_count ? step->shown : &own, drawn_count(player),
                            NULL);
}

/* Reports whether a step computes weighted sums of rows with weights from an earlier
 * softmax, as attention does. */
static bool blends(const Player *player) {
    const Tape *tape = player->lesson->tape;
    const PlayerStep *first = player_step(player);
    const TapeNode *node = tape_node(tape, first->node);
    while (first->child_count)
        first = &player->steps[first->parts];
    if (statement_of(player)->shown_count || node->operation != OPERATION_MATMUL ||
        node->muted || node->inputs[0] >= first->node)
        return false;
    return stage_colors(tape, node->inputs[0]) == HEATMAP_PROBABILITIES &&
           tape_node(tape, node->inputs[0])->operation != OPERATION_ONE_HOT;
}

/* View of a step without a choice by the user: the lesson's, or LESSON_VIEW_RECIPE for
 * weighted sums. */
static LessonView usual_view(const Player *player) {
    const LessonStep *words = player_step(player)->words;
    if (player->cell != PLAYER_NONE)
        return LESSON_VIEW_PICTURE;
    if (words && words->view != LESSON_VIEW_NONE)
        return words->view;
    return blends(player) ? LESSON_VIEW_RECIPE : LESSON_VIEW_PICTURE;
}

LessonView views_present(const Player *player, LessonView asked) {
    if (asked == LESSON_VIEW_NONE)
        asked = usual_view(player);
    return all_fit(player, asked) ? asked : LESSON_VIEW_PICTURE;
}

/* Reports whether the step's own picture is just a heatmap. */
static bool picture_is_heatmap(const Player *player) {
    if (usual_view(player) == LESSON_VIEW_HEATMAP)
        return false;
    const TapeNode *node = tape_node(player->lesson->tape, player_step(player)->node);
    return statement_of(player)->shown_count ||
           (node->input_count == 0 && player_step(player)->child_count == 0);
}

LessonView views_next(const Player *player, LessonView asked) {
    LessonView present = views_present(player, asked), next = present;
    do {
        next = next + 1 == LESSON_VIEW_COUNT ? LESSON_VIEW_PICTURE : next + 1;
    } while (next != present && (!all_fit(player, next) || (next == LESSON_VIEW_HEATMAP &&
                                                            picture_is_heatmap(player))));
    return next;
}

/* ---- drawing ---- */

/* Number of columns of the grid whose cells come nearest to the aspect ratio. */
static size_t grid_columns(Box area, size_t count, double aspect) {
    size_t best = 1;
    double largest = 0;
    for (size_t columns = 1; columns <= count; columns++) {
        size_t rows = (count + columns - 1) / columns;
        double size = fmin(area.w / (double)columns / aspect, area.h / (double)rows);
        if (size > largest) {
            largest = size;
            best = columns;
        }
    }
    return best;
}

/* Stage of one tensor on a grid in `area`. */
static Stage stage_at(const Stage *stage, Box area, ViewPlace place, double aspect) {
    size_t columns = grid_columns(area, place.count, aspect);
    size_t rows = (place.count + columns - 1) / columns;
    double gap = 24;
    double w = (area.w - gap * (double)(columns - 1)) / (double)columns;
    double h = (area.h - gap * (double)(rows - 1)) / (double)rows;
    Stage part = *stage;
    part.node = drawn_node(stage->player, place.index);
    part.area = (Box){round(area.x + (w + gap) * (double)(place.index % columns)),
                      round(area.y + (h + gap) * (double)(place.index / columns)),
                      floor(w), floor(h)};
    const Tensor *tensor = stage_tensor(&part, part.node);
    part.has_focus = stage->has_focus && stage->focus_row < tensor->rows &&
                     stage->focus_col < tensor->cols;
    return part;
}

/* Number of charts: the rows of a small table side by side, else one. */
static size_t charts_of(const Stage *stage) {
    const Tensor *tensor = stage_tensor(stage, stage->node);
    bool small = tensor->rows <= BAR_ROWS && tensor->cols <= BAR_COLUMNS;
    return stage->view == LESSON_VIEW_BARS && !stage->step->shown_count && small &&
                   tensor->cols > 1
               ? tensor->rows
               : 1;
}

static void draw_charts(const Stage *stage, size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        ViewPlace place = {i, rows};
        Stage part = stage_at(stage, stage->area, place, views[stage->view].aspect);
        part.focus_col = stage->has_focus ? stage->focus_col : (size_t)-1;
        part.has_focus = true;
        part.focus_row = i;
        bars_view(&part, place);
    }
}

void views_draw(const Stage *stage) {
    const ViewPicture *view = &views[stage->view];
    if (!view->draw) {
        if (stage->step->shown_count)
            show_picture(stage);
        else
            given_picture(stage);
        return;
    }
    size_t count = drawn_count(stage->player), charts = charts_of(stage);
    if (charts > 1) {
        draw_charts(stage, charts);
        return;
    }
    if (view->whole) {
        view->draw(stage, (ViewPlace){0, count});
        return;
    }
    Box area = stage->area, strip = {0};
    size_t cols = stage_tensor(stage, drawn_node(stage->player, 0))->cols;
    double aspect = fmax(view->aspect, view->per_col * (double)cols);
    bool legend = view->legend && (count < MANY || stage->canvas->least <= 0);
    if (legend)
        strip =
            box_take_bottom(&area, round(2.4 * canvas_size(stage->canvas, 14, "") + 4));
    for (size_t i = 0; i < count; i++) {
        Stage part = stage_at(stage, area, (ViewPlace){i, count}, aspect);
        view->draw(&part, (ViewPlace){i, count});
        if (legend && i == 0)
            view->legend(&part, strip);
    }
    canvas_unlink(stage->canvas);
}

/* ---- heatmaps ---- */

void given_picture(const Stage *stage) {
    if (word_table(stage, stage->node))
        return;
    Panel panel = panel_of_output(stage, NULL);
    panels_show(stage, &panel, 1);
}

/* Reports whether a step shows two tables and their sum. */
static bool shows_sum(const Stage *stage) {
    const size_t *shown = stage->step->shown;
    if (stage->step->shown_count != 3)
        return false;
    const TapeNode *sum = stage_node(stage, shown[2]);
    return sum->operation == OPERATION_ADD && !sum->muted && sum->inputs[0] == shown[0] &&
           sum->inputs[1] == shown[1];
}

size_t shown_panels(const Stage *stage, Panel panels[PANELS_MAX]) {
    size_t count = stage->step->shown_count;
    count = count < PANELS_MAX ? count : PANELS_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t node = stage->step->shown[i];
        panels[i] = panel_of(stage, node, NULL);
        panels[i].is_output = node == stage->step->result;
    }
    for (size_t i = 0; count > 1 && i < count; i++)
        panels[i].note = part_owner(stage->canvas, stage->player->lesson,
                                    stage_node(stage, panels[i].node)->name);
    if (shows_sum(stage)) {
        panels[1].sign = "+";
        panels[2].sign = "=";
    }
    return count;
}

/* Outlines square tiles in the first table and their rows in the second in one colour, if
 * its rows are the tiles, as in cutting an image into patches. */
static void outline_tiles(const Stage *stage, const Panel *panels) {
    const Tensor *whole = panels[0].tensor, *rows = panels[1].tensor;
    size_t side = (size_t)round(sqrt((double)rows->cols)), across = whole->cols / side;
    bool tiles = side > 1 && side * side == rows->cols && across * side == whole->cols &&
                 whole->rows % side == 0 && tensor_cells(rows) == tensor_cells(whole);
    for (size_t i = 0; tiles && i < tensor_cells(rows); i++) {
        size_t tile = i / rows->cols, at = i % rows->cols;
        tiles = rows->values[i] == tensor_at(whole, tile / across * side + at / side,
                                             tile % across * side + at % side);
    }
    for (size_t i = 0; tiles && i < rows->rows; i++) {
        size_t top = i / across * side, left = i % across * side;
        const Box boxes[] = {
            heatmap_cells(&panels[0].heatmap, top, top + side, left, left + side),
            heatmap_cells(&panels[1].heatmap, i, i + 1, 0, rows->cols)};
        for (int at = 0; at < 2; at++)
            canvas_outline(stage->canvas, box_inset(boxes[at], 2), 4,
                           stage->canvas->theme->other[i % 4], 3);
    }
}

void show_picture(const Stage *stage) {
    Panel panels[PANELS_MAX];
    if (stage->step->shown_count == 1 && word_table(stage, stage->step->shown[0]))
        return;
    size_t count = shown_panels(stage, panels);
    panels_show(stage, panels, count);
    if (count == 2)
        outline_tiles(stage, panels);
}
