#include "picture/composites/composites.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "lesson/model/learning.h"
#include "model/learn/train.h"
#include "picture/charts/charts.h"
#include "picture/draw/part_name.h"
#include "picture/stage/page_content.h"
#include "picture/stage/panels.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Of the stage's width. */
static const double CURVES_FRACTION = 0.4, LARGE_FRACTION = 0.3;
/* Ratio of height to width from which the curves stand above the rest. */
static const double TALL = 1.2;
static const double TALL_FRACTION = 0.55; /* height of the curves then */
static const double LOSS_FRACTION = 0.6;  /* of the curves' height */
static const double TICK_UNITS = 13, TITLE_UNITS = 15, EPOCH_UNITS = 22, HEAD = 46;
static const double LEAST_BAND = 2; /* least width in points of a link to an epoch */

/* A training run up to the present frame. */
typedef struct Course {
    const Canvas *canvas;
    const Player *player;
    const LessonTraining *training;
    const LessonFilm *film;
    size_t frame, batches, epochs;
} Course;

static bool find_course(const Canvas *canvas, const Player *player, Course *course) {
    *course = (Course){
        .canvas = canvas, .player = player, .training = player->lesson->training};
    course->film = player_film(player, &course->frame);
    if (!course->film || !course->training)
        return false;
    course->batches = course->training->batches;
    course->epochs = (course->film->frame_count - 1) / course->batches;
    return true;
}

/* Loss and accuracy after `epoch` epochs. If an epoch is one update they are exact;
 * otherwise they are means over the epoch's updates. */
static TrainEpoch epoch_at(const Course *course, size_t epoch) {
    const LessonTraining *training = course->training;
    if (epoch == course->epochs)
        return training->end;
    if (course->batches == 1)
        return training->history[epoch];
    if (epoch)
        return training->history[epoch - 1];
    const TrainUpdate *first = &training->log[0];
    return (TrainEpoch){.loss = first->loss,
                        .accuracy = (double)first->right / (double)first->words};
}

/* ---- curves ---- */

typedef struct Curve {
    const Course *course;
    Plot plot;        /* from epoch to value */
    bool is_accuracy; /* else the loss */
    Color hue;
} Curve;

static Point point_at(const Curve *curve, size_t epoch) {
    TrainEpoch at = epoch_at(curve->course, epoch);
    return plot_point(&curve->plot, (double)epoch,
                      curve->is_accuracy ? at.accuracy : at.loss);
}

/* A curve in a box, with its ticks drawn at multiples of a step. */
static Curve draw_plot(const Course *course, Box box, double most, double step,
                       bool is_accuracy) {
    const Theme *theme = course->canvas->theme;
    Curve curve = {.course = course,
                   .plot = {.canvas = course->canvas,
                            .box = box,
                            .across = {.to = (double)course->epochs},
                            .up = {.to = most},
                            .decimals = is_accuracy ? PLOT_PERCENT : PLOT_SHORT,
                            .units = TICK_UNITS,
                            .gap = 8,
                            .ink = theme->ink_soft},
                   .is_accuracy = is_accuracy,
                   .hue = theme->other[is_accuracy]};
    plot_find_ticks(&curve.plot, step);
    plot_draw_ticks(&curve.plot);
    return curve;
}

/* Writes the epochs below the lower plot. */
static void draw_epochs(const Curve *curve) {
    const Canvas *canvas = curve->course->canvas;
    double size = canvas_size(canvas, TICK_UNITS, "");
    double room = canvas_text_width(canvas, FONT_TEXT, size, "000000");
    size_t stride = plot_stride((double)curve->course->epochs * room / curve->plot.box.w);
    double bottom = curve->plot.box.y + curve->plot.box.h;
    for (size_t i = 0; i <= curve->course->epochs; i += stride)
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){plot_x(&curve->plot, (double)i), round(bottom + size * 1.5)},
                    LABEL_CENTER, canvas_count(canvas, i));
    canvas_label(
        canvas, FONT_TEXT, TITLE_UNITS, canvas->theme->ink_soft,
        (Point){curve->plot.box.x + curve->plot.box.w / 2, round(bottom + size * 3.1)},
        LABEL_CENTER, canvas_string(canvas, "training.epochs"));
}

/* Draws a line at the present update, and the curve up to the present epoch, with no more
 * points than can be distinguished. */
static void draw_curve(const Curve *curve) {
    const Course *course = curve->course;
    const Canvas *canvas = course->canvas;
    Box box = curve->plot.box;
    double x = plot_x(&curve->plot, (double)course->frame / (double)course->batches);
    scene_line(canvas->scene, (Point){x, box.y}, (Point){x, box.y + box.h}, 2,
               canvas->theme->focus);
    size_t last = course->frame / course->batches;
    size_t stride = 1 + (size_t)((double)course->epochs / fmax(curve->plot.box.w * 2, 1));
    Point *points = arena_alloc(canvas->scene->arena, last / stride + 2, sizeof *points);
    size_t count = 0;
    for (size_t i = 0; i < last; i += stride)
        points[count++] = point_at(curve, i);
    points[count++] = point_at(curve, last);
    if (count > 1)
        scene_path(canvas->scene, points, count, 3, curve->hue);
    canvas_dot(canvas, points[count - 1], 6, curve->hue, canvas->theme->page, 1);
}

/* Draws the plot's quantity as a title above its numbers, and its present value at the
 * right. */
static void draw_title(const Curve *curve, Box strip, const char *key,
                       const char *value) {
    const Canvas *canvas = curve->course->canvas;
    double baseline = round(strip.y + strip.h * 0.56);
    canvas_label(canvas, FONT_TEXT, TITLE_UNITS, canvas->theme->ink_soft,
                 (Point){strip.x, baseline}, LABEL_LEFT, canvas_string(canvas, key));
    canvas_label(canvas, FONT_BOLD, TITLE_UNITS + 2, curve->hue,
                 (Point){curve->plot.box.x + curve->plot.box.w, baseline}, LABEL_RIGHT,
                 value);
}

/* Largest loss on the axis, a multiple of *step. */
static double loss_top(const Course *course, double *step) {
    double most = 0;
    for (size_t i = 0; i <= course->epochs; i++) {
        double loss = epoch_at(course, i).loss;
        most = isfinite(loss) ? fmax(most, loss) : most;
    }
    most = most > 0 ? most : 1;
    *step = plot_step(most / 4);
    return ceil(most / *step - 1e-9) * *step;
}

/* Links each epoch's strip of the curves to its step. */
static void link_epochs(const Curve *curve, Box curves) {
    const Course *course = curve->course;
    const Player *player = course->player;
    size_t self = player_statement_step(player, player_statement(player));
    double wide = fmax(curve->plot.box.w / (double)course->epochs, LEAST_BAND);
    double next = -INFINITY;
    size_t epoch = 0;
    for (size_t i = self + 1; i < player->steps[self].next;
         i = player->steps[i].next, epoch++) {
        double x = plot_x(&curve->plot, (double)epoch);
        if (x < next && epoch < course->epochs)
            continue;
        next = x + wide * 0.999;
        canvas_link(course->canvas, (Link){LINK_STEP, i, 0, 0});
        canvas_target(course->canvas, (Box){x - wide / 2, curves.y, wide, curves.h});
    }
    canvas_unlink(course->canvas);
}

static void draw_curves(const Course *course, Box area) {
    const Canvas *canvas = course->canvas;
    double size = canvas_size(canvas, TICK_UNITS, "");
    double title = 30, step, most = loss_top(course, &step);
    double ticks = canvas_text_width(canvas, FONT_TEXT, size, "100%") + 14;
    box_take_right(&area, 10);
    box_take_bottom(&area, round(size * 3.6));
    Box lower = area, upper = box_take_top(&lower, round(area.h * LOSS_FRACTION));
    Box loss_title = box_take_top(&upper, title);
    box_take_bottom(&upper, 12);
    Box accuracy_title = box_take_top(&lower, title);
    box_take_left(&upper, ticks);
    box_take_left(&lower, ticks);
    TrainEpoch present = epoch_at(course, course->frame / course->batches);
    Curve loss = draw_plot(course, upper, most, step, false);
    Curve accuracy = draw_plot(course, lower, 1, 0.5, true);
    draw_title(&loss, loss_title, "training.loss",
               canvas_number(canvas, present.loss, 3));
    draw_title(&accuracy, accuracy_title, "training.accuracy",
               canvas_format(canvas, "%.0f%%", floor(100 * present.accuracy)));
    draw_epochs(&accuracy);
    draw_curve(&loss);
    draw_curve(&accuracy);
    link_epochs(&loss, (Box){upper.x, upper.y, upper.w, lower.y + lower.h - upper.y});
}

/* ---- the head: position in the training ---- */

static void draw_place(const Course *course, Box strip) {
    const Canvas *canvas = course->canvas;
    size_t epoch = course->frame / course->batches,
           update = course->frame % course->batches;
    const char *words = canvas_words(
        canvas,
        !course->frame ? "training.before"
        : update       ? "training.behind_update"
                       : "training.behind",
        canvas_count(canvas, epoch), canvas_count(canvas, course->epochs),
        canvas_count(canvas, update), canvas_count(canvas, course->batches), NULL);
    canvas_text_within(canvas, FONT_BOLD, canvas_size(canvas, EPOCH_UNITS, words),
                       strip.w, canvas->theme->ink,
                       (Point){strip.x, round(strip.y + strip.h * 0.5)}, LABEL_LEFT,
                       words);
}

/* ---- watched tensors ---- */

/* Target IDs of a watched table's rows if it holds the probabilities that a loss is
 * computed from; else NULL. */
static const Tensor *targets_of(const Stage *stage, size_t watched) {
    const TapeNode *chances = stage_node(stage, watched);
    if (chances->operation != OPERATION_SOFTMAX)
        return NULL;
    for (size_t i = 0; i < tape_count(stage->tape); i++) {
        const TapeNode *node = stage_node(stage, i);
        if (node->operation == OPERATION_CROSS_ENTROPY &&
            node->inputs[0] == chances->inputs[0])
            return stage_tensor(stage, node->inputs[1]);
    }
    return NULL;
}

/* Outlines each row's target, with a gap that sets the outline off deep colours. */
static void mark_targets(const Stage *stage, const Panel *panel, const Tensor *targets) {
    const Canvas *canvas = stage->canvas;
    for (size_t i = 0; i < panel->tensor->rows && i < tensor_cells(targets); i++) {
        double target = targets->values[i];
        if (!(target >= 0 && target < (double)panel->tensor->cols))
            continue;
        size_t col = (size_t)target;
        Box cell = heatmap_cells(&panel->heatmap, i, i + 1, col, col + 1);
        canvas_outline(canvas, box_inset(cell, 1), 3, canvas->theme->page, 2);
        heatmap_outline_cell(canvas, &panel->heatmap, i, col, canvas->theme->good_ink);
    }
}

static void draw_watched(const Stage *stage, const Course *course, Box area) {
    Arena *arena = course->canvas->scene->arena;
    const LessonStep *step = stage->step;
    size_t count = step->shown_count < PANELS_MAX ? step->shown_count : PANELS_MAX;
    Tensor *tensors = arena_alloc(arena, count, sizeof *tensors);
    Panel panels[PANELS_MAX];
    const Tensor *targets[PANELS_MAX];
    Stage part = *stage;
    part.area = area;
    part.has_focus = false;
    part.visible = (size_t)-1;
    part.values = NULL;
    for (size_t i = 0; i < count; i++) {
        tensors[i] = lesson_film_tensor(course->player->lesson, step, i, course->frame);
        panels[i] = panel_of(&part, step->shown[i], NULL);
        panels[i].node = TAPE_NONE; /* the tape has the numbers after training */
        panels[i].tensor = &tensors[i];
        targets[i] = targets_of(stage, step->shown[i]);
        if (targets[i])
            panels[i].note = canvas_string(stage->canvas, "training.targets");
        else if (count > 1)
            panels[i].note = part_owner(stage->canvas, course->player->lesson,
                                        stage_node(stage, step->shown[i])->name);
        if (panels[i].colors == HEATMAP_SIGNED)
            panels[i].reach = course->film->reach[i] > 0 ? course->film->reach[i] : 1;
    }
    panels_show(&part, panels, count);
    for (size_t i = 0; i < count; i++) {
        if (targets[i])
            mark_targets(stage, &panels[i], targets[i]);
    }
}

void training_view(const Stage *stage) {
    Course course;
    Box area = stage->area;
    if (!find_course(stage->canvas, stage->player, &course))
        return;
    if (course.training->updates > 0) { /* it wasn't left untrained */
        double fraction = stage->canvas->least > 0 ? LARGE_FRACTION : CURVES_FRACTION;
        bool tall = area.h > area.w * TALL;
        Box curves = tall ? box_take_top(&area, round(area.h * TALL_FRACTION))
                          : box_take_left(&area, round(area.w * fraction));
        Box place = box_take_top(&curves, HEAD);
        place.w += tall ? 0 : box_take_left(&area, 40).w;
        draw_place(&course, place);
        draw_curves(&course, curves);
    } else {
        draw_place(&course, box_take_top(&area, HEAD));
    }
    draw_watched(stage, &course, area);
}

/* ---- the inspector ---- */

bool training_inspect(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    Course course;
    if (!find_course(canvas, parts->page->player, &course))
        return false;
    const LessonTraining *training = course.training;
    if (training->updates == 0)
        return true;
    bool ends = course.frame == training->updates;
    const TrainUpdate *update = &training->log[ends ? course.frame - 1 : course.frame];
    double loss = ends ? training->end.loss : update->loss, pad = 28,
           rate = optimizer_learning_rate(&training->options.optimizer, course.frame + 1);
    size_t right = ends ? (size_t)round(training->end.accuracy * (double)update->words)
                        : update->right;
    const char *const keys[] = {ends                 ? "training.end"
                                : course.batches > 1 ? "training.batch"
                                                     : "training.now",
                                ends ? "training.over" : "training.next"};
    for (size_t i = 0; i < 2; i++) {
        const char *words = canvas_words(
            canvas, keys[i], canvas_number(canvas, loss, 4), canvas_count(canvas, right),
            canvas_count(canvas, update->words), canvas_count(canvas, course.frame),
            canvas_number(canvas, update->gradient_norm, 4),
            canvas_format(canvas, "%.4g", rate), NULL);
        canvas_text_within(
            canvas, FONT_TEXT, canvas_size(canvas, i ? TITLE_UNITS : 18, words),
            area.w - 2 * pad, i ? canvas->theme->ink_soft : canvas->theme->ink,
            (Point){area.x + pad, area.y + (i ? 64 : 33)}, LABEL_LEFT, words);
    }
    return true;
}
