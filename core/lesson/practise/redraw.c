#include "lesson/practise/practise.h"

#include "base/arena.h"
#include "base/maths.h"
#include "base/random.h"
#include "lesson/content/content.h"
#include "tensor/tape/tape.h"

#include <string.h>

enum { MOST_DIGITS = 2, DULL_DRAWS = 60, DRAWS = 100 };

static const double LARGEST = 12, EXACT = 1e-9;
static const double SATURATED =
    0.97; /* a probability so large that the others are hardly visible */

/* Returns the number of decimals of a table's numbers; MOST_DIGITS + 1: more, or they are
 * not small. */
static int digits_of(const Tensor *tensor) {
    double scale = 1;
    int digits = 0;
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        double value = tensor->values[i];
        if (!isfinite(value) || fabs(value) > LARGEST)
            return MOST_DIGITS + 1;
        while (digits <= MOST_DIGITS &&
               fabs(value * scale - round(value * scale)) > EXACT) {
            scale *= 10;
            digits++;
        }
    }
    return digits;
}

static bool can_redraw(const Tape *tape, size_t index) {
    const TapeNode *node = tape_node(tape, index);
    return node->operation == OPERATION_GIVEN && !node->quiet && node->name[0] &&
           tensor_cells(&node->output) > 1 && digits_of(&node->output) <= MOST_DIGITS &&
           !tape_node(tape, index)->holds_ids;
}

/* Reports whether a row is all zeros. */
static bool is_zero_row(const Tensor *tensor, const double *values, size_t row) {
    for (size_t j = 0; j < tensor->cols; j++) {
        if (values[row * tensor->cols + j] != 0)
            return false;
    }
    return true;
}

/* Fills `drawn` with numbers between the table's least and largest; no further row
 * becomes all zeros. */
static void draw(const Tensor *tensor, Random *random, double *drawn) {
    double least = INFINITY, largest = -INFINITY, scale = pow(10, digits_of(tensor));
    for (size_t i = 0; i < tensor_cells(tensor); i++) {
        least = fmin(least, round(tensor->values[i] * scale));
        largest = fmax(largest, round(tensor->values[i] * scale));
    }
    size_t choices = (size_t)(largest - least) + 1;
    for (size_t row = 0; row < tensor->rows; row++) {
        int tries = 0;
        do {
            for (size_t j = 0; j < tensor->cols; j++)
                drawn[row * tensor->cols + j] =
                    (least + (double)random_below(random, choices)) / scale;
        } while (is_zero_row(tensor, drawn, row) &&
                 !is_zero_row(tensor, tensor->values, row) && ++tries < DRAWS);
    }
}

static bool is_not_finite(double value) {
    return !isfinite(value);
}

/* Reports whether all numbers that were finite still are. */
static bool all_finite(const Tape *tape, const bool *finite) {
    for (size_t i = 0; i < tape_count(tape); i++) {
        if (finite[i] && tensor_has(&tape_node(tape, i)->output, is_not_finite))
            return false;
    }
    return true;
}

/* Reports whether a row of probabilities is a poor example, because all are equal or one
 * is nearly 1. */
static bool is_dull(const Tensor *tensor, size_t row) {
    double least = INFINITY, largest = 0;
    for (size_t j = 0; j < tensor->cols; j++) {
        least = fmin(least, tensor_at(tensor, row, j));
        largest = fmax(largest, tensor_at(tensor, row, j));
    }
    return tensor->cols > 1 && (least == largest || largest > SATURATED);
}

static size_t dull_rows(const Tape *tape) {
    size_t dull = 0;
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        for (size_t row = 0; row < node->output.rows; row++)
            dull += node->operation == OPERATION_SOFTMAX && is_dull(&node->output, row);
    }
    return dull;
}

/* A given table to redraw, and its original numbers. */
typedef struct Given {
    const Tensor *tensor;
    double *own, *drawn;
} Given;

static void put_numbers(const Lesson *lesson, const Given *tables, size_t count,
                        bool own) {
    for (size_t i = 0; i < count; i++)
        memcpy(tables[i].tensor->values, own ? tables[i].own : tables[i].drawn,
               tensor_cells(tables[i].tensor) * sizeof(double));
    tape_recompute(lesson->tape, 0, tape_count(lesson->tape));
}

/* Finds the tables to redraw. False when the lesson's arena is exhausted. */
static bool find_tables(const Lesson *lesson, Given *tables, size_t *count) {
    for (size_t i = 0; i < tape_count(lesson->tape); i++) {
        if (!can_redraw(lesson->tape, i))
            continue;
        const Tensor *tensor = &tape_node(lesson->tape, i)->output;
        size_t cells = tensor_cells(tensor);
        double *own = arena_alloc(lesson->arena, cells, sizeof *own);
        double *drawn = arena_alloc(lesson->arena, cells, sizeof *drawn);
        if (!own || !drawn)
            return false;
        memcpy(own, tensor->values, cells * sizeof *own);
        tables[(*count)++] = (Given){tensor, own, drawn};
    }
    return true;
}

bool lesson_redraw(Lesson *lesson, uint64_t seed, bool *redrawn) {
    const Tape *tape = lesson->tape;
    size_t nodes = tape_count(tape), count = 0;
    Given *tables = arena_alloc(lesson->arena, nodes + 1, sizeof *tables);
    bool *finite = arena_alloc(lesson->arena, nodes + 1, sizeof *finite);
    *redrawn = false;
    if (!tables || !finite || !find_tables(lesson, tables, &count))
        return false;
    if (lesson->model || !count)
        return true;
    Random random;
    random_init(&random, seed);
    size_t dull = dull_rows(tape);
    for (size_t i = 0; i < nodes; i++)
        finite[i] = !tensor_has(&tape_node(tape, i)->output, is_not_finite);
    double cost = tape_cost(tape), left = arena_allowed(lesson->arena);
    for (int tries = 0; tries < DRAWS && (!tries || cost <= left); tries++) {
        left -= cost;
        for (size_t i = 0; i < count; i++) {
            Tensor given = *tables[i].tensor;
            given.values = tables[i].own;
            draw(&given, &random, tables[i].drawn);
        }
        put_numbers(lesson, tables, count, false);
        if (all_finite(tape, finite) && (dull_rows(tape) <= dull || tries > DULL_DRAWS)) {
            *redrawn = true;
            return true;
        }
    }
    put_numbers(lesson, tables, count, true);
    return true;
}
