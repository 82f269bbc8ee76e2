#include "picture/explain/differences.h"

#include "base/arena.h"

#include <math.h>

/* Node of the other tape that corresponds to a node of this one, or TAPE_NONE. */
static size_t counterpart(const Differences *differences, size_t node) {
    const TapeNode *at = tape_node(differences->tape, node);
    if (!differences->base)
        return node;
    size_t other = at->name[0] ? tape_find(differences->base, at->name) : TAPE_NONE;
    if (other == TAPE_NONE)
        return TAPE_NONE;
    const Tensor *tensor = &tape_node(differences->base, other)->output;
    bool fits = tensor->rows == at->output.rows && tensor->cols == at->output.cols;
    return fits ? other : TAPE_NONE;
}

static const Tape *base_of(const Differences *differences) {
    return differences->base ? differences->base : differences->tape;
}

bool differences_base(const Differences *differences, size_t node, size_t row, size_t col,
                      double *value) {
    size_t other = counterpart(differences, node);
    if (other == TAPE_NONE)
        return false;
    *value = tape_original(base_of(differences), other, row, col);
    return true;
}

double differences_of(double present, double base) {
    bool same = present == base || (isnan(present) && isnan(base));
    return same ? 0 : present - base;
}

static void fill_differences(const Differences *differences, size_t node, size_t other,
                             Tensor *tensor) {
    *tensor = tape_node(differences->tape, node)->output;
    const double *present = tensor->values;
    double *values =
        arena_alloc(differences->arena, tensor_cells(tensor), sizeof *values);
    tensor->values = values;
    for (size_t i = 0; i < tensor->rows; i++) {
        for (size_t j = 0; j < tensor->cols; j++, values++, present++)
            *values = differences_of(*present,
                                     tape_original(base_of(differences), other, i, j));
    }
}

const Tensor *differences_tensor(void *context, size_t node) {
    Differences *differences = context;
    for (size_t i = 0; i < differences->count; i++) {
        if (differences->made[i].node == node)
            return &differences->made[i].tensor;
    }
    size_t other = counterpart(differences, node);
    if (other == TAPE_NONE || differences->count == DIFFERENCES_MOST)
        return NULL;
    fill_differences(differences, node, other,
                     &differences->made[differences->count].tensor);
    differences->made[differences->count].node = node;
    return &differences->made[differences->count++].tensor;
}
