#include "lesson/content/lesson.h"

#include "base/maths.h"
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/content/own_words.h"
#include "lesson/content/sources.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <string.h>

const LessonSource *lesson_source_of(const LessonSource *sources, size_t node) {
    while (sources && sources->node != node)
        sources = sources->next;
    return sources;
}

/* Returns the index of a label among `count`; `count` if none is it. */
static size_t label_index(const char *const *labels, size_t count, const char *label) {
    size_t i = 0;
    while (labels && i < count && !(labels[i] && strcmp(labels[i], label) == 0))
        i++;
    return labels ? i : count;
}

bool lesson_followed(const Lesson *lesson, const Tensor *tensor, size_t *row,
                     size_t *col) {
    for (size_t i = 0; i < lesson->follow_count; i++) {
        const char *label = lesson->follow_rows[i];
        *row = label_index(tensor->row_labels, tensor->rows, label);
        *col = lesson->follow_column;
        if (*row < tensor->rows && *col < tensor->cols)
            return true;
        *row = 0;
        *col = label_index(tensor->col_labels, tensor->cols, label);
        if (tensor->rows == 1 && *col < tensor->cols)
            return true;
    }
    return false;
}

bool lesson_shows(const LessonStep *step, size_t node) {
    for (size_t i = 0; i < step->shown_count; i++) {
        if (step->shown[i] == node)
            return true;
    }
    return false;
}

/* Reports whether an axis is labelled with some of the lesson's words. */
static bool takes_words(const SchemaStrings *words, const char *const *labels) {
    for (size_t i = 0; labels && i < words->count; i++) {
        if (strcmp(labels[0], words->items[i]) == 0)
            return true;
    }
    return false;
}

const TapeNode *lesson_unlabelled(const Lesson *lesson) {
    const SchemaStrings *words = lesson->chosen ? &lesson->chosen->vocabulary : NULL;
    const TapeNode *rows = NULL;
    for (size_t i = 0; words && i < tape_count(lesson->tape); i++) {
        const TapeNode *node = tape_node(lesson->tape, i);
        bool given = node->operation == OPERATION_GIVEN;
        if (!given && (takes_words(words, node->output.row_labels) ||
                       takes_words(words, node->output.col_labels)))
            return NULL;
        if (given && !rows && node->output.rows > 1)
            rows = node;
    }
    return lesson->step_count ? rows : NULL;
}

void lesson_destroy(Lesson *lesson) {
    if (!lesson)
        return;
    changes_destroy(lesson->changes);
    arena_destroy(lesson->arena);
}

bool lesson_printed_at(const Lesson *lesson, const LessonStep *step, size_t row,
                       size_t col, double *value, int *decimals, bool *differs) {
    const LessonPrinted *printed = step->printed;
    if (!printed || row >= printed->values.rows || col >= printed->values.cols)
        return false;
    *value = tensor_at(&printed->values, row, col);
    if (isnan(*value))
        return false;
    *decimals = printed->decimals[row * printed->values.cols + col];
    double computed = tape_original(lesson->tape, step->result, row, col);
    /* A number halfway between two printed ones may be rounded either way; the tolerance
     * keeps binary fractions from deciding it. */
    double half_unit = 0.5 * pow(10, -*decimals) * (1 + 1e-9);
    *differs = *value != computed && !(fabs(*value - computed) <= half_unit);
    return true;
}

bool lesson_is_original(const Lesson *lesson, const LessonStep *step) {
    const Tensor *result = &tape_node(lesson->tape, step->result)->output;
    for (size_t i = 0; i < tensor_cells(result); i++) {
        if (changes_cell_changed(lesson->tape, step->result, i / result->cols,
                                 i % result->cols))
            return false;
    }
    return true;
}

bool lesson_has_source(const Lesson *lesson, const LessonStep *step) {
    return (step->printed || !text_is_empty(&step->compared)) &&
           lesson_is_original(lesson, step);
}

void lesson_count_printed(const Lesson *lesson, const LessonStep *step, size_t *printed,
                          size_t *differing) {
    *printed = *differing = 0;
    if (!step->printed)
        return;
    for (size_t i = 0; i < step->printed->values.rows; i++) {
        for (size_t j = 0; j < step->printed->values.cols; j++) {
            double value;
            int decimals;
            bool differs;
            if (lesson_printed_at(lesson, step, i, j, &value, &decimals, &differs)) {
                ++*printed;
                *differing += differs;
            }
        }
    }
}
