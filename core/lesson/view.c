#include "lesson/view.h"

#include <math.h>
#include <string.h>

static const double SHARES_TOLERANCE = 0.02; /* three shares printed to two decimals */

bool lesson_holds_shares(const Tensor *tensor) {
    for (size_t i = 0; i < tensor->rows; i++) {
        double sum = 0;
        for (size_t j = 0; j < tensor->cols; j++) {
            double value = tensor_at(tensor, i, j);
            if (!(value >= 0 && value <= 1))
                return false;
            sum += value;
        }
        if (fabs(sum - 1) > SHARES_TOLERANCE && sum != 0)
            return false;
    }
    return tensor_cells(tensor) > 0;
}

static bool any_fits(const Tape *tape, size_t node) {
    return tensor_cells(&tape_node(tape, node)->output) > 0;
}

static bool waves_fit(const Tape *tape, size_t node) {
    return any_fits(tape, node) && tape_node(tape, node)->output.rows >= 2;
}

static bool arcs_fit(const Tape *tape, size_t node) {
    const Tensor *tensor = &tape_node(tape, node)->output;
    return tensor->row_labels && tensor->col_labels && lesson_holds_shares(tensor);
}

static bool chips_fit(const Tape *tape, size_t node) {
    const Tensor *tensor = &tape_node(tape, node)->output;
    return ((tensor->rows == 1 && tensor->col_labels) ||
            (tensor->cols == 1 && tensor->row_labels)) &&
           tensor_is_whole(tensor);
}

static bool recipe_fits(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    return at->operation == OPERATION_MATMUL && any_fits(tape, node) &&
           lesson_holds_shares(&tape_node(tape, at->inputs[0])->output);
}

typedef struct ViewEntry {
    const char *name;
    bool (*fits)(const Tape *tape, size_t node);
    const char *needs; /* the end of a sentence: "'as: arcs' draws …" */
} ViewEntry;

static const ViewEntry views[LESSON_VIEW_COUNT] = {
    [LESSON_VIEW_NONE] = {"", any_fits, ""},
    [LESSON_VIEW_PICTURE] = {"", any_fits, ""},
    [LESSON_VIEW_HEATMAP] = {"heatmap", any_fits, "a tensor with cells"},
    [LESSON_VIEW_BARS] = {"bars", any_fits, "a tensor with cells"},
    [LESSON_VIEW_WAVES] = {"waves", waves_fit, "a tensor of two rows or more"},
    [LESSON_VIEW_ARCS] = {"arcs", arcs_fit,
                          "shares between words: numbers from 0 to 1 in rows that sum to "
                          "1, with labels for rows and columns ('tokens:' or 'labels:')"},
    [LESSON_VIEW_CHIPS] = {"chips", chips_fit,
                           "a list of whole numbers with a label for each ('tokens:' or "
                           "'labels:')"},
    [LESSON_VIEW_RECIPE] = {"recipe", recipe_fits,
                            "a product 'A @ V' whose rows of A are shares that sum to 1"},
};

bool lesson_view_from_name(const char *name, LessonView *view) {
    for (size_t i = 0; i < LESSON_VIEW_COUNT; i++) {
        if (views[i].name[0] && strcmp(views[i].name, name) == 0) {
            *view = (LessonView)i;
            return true;
        }
    }
    return false;
}

const char *lesson_view_name(LessonView view) {
    return views[view].name;
}

const char *lesson_view_nearest(const char *name) {
    const char *names[LESSON_VIEW_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < LESSON_VIEW_COUNT; i++) {
        if (views[i].name[0])
            names[count++] = views[i].name;
    }
    return error_nearest(name, names, count);
}

bool lesson_view_fits(LessonView view, const Tape *tape, size_t node, Error *error) {
    return views[view].fits(tape, node) ||
           error_set(error, ERROR_VALUE, 0, 0, "'as: %s' draws %s", views[view].name,
                     views[view].needs);
}
