#include "model/learn/train.h"

#include "base/arena.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

/* An example under construction. */
typedef struct Making {
    Arena *arena;
    const TransformerShape *shape;
    size_t number; /* its number, from 1 */
    Error *error;
} Making;

static bool check_id(const Making *this, double id, size_t words, const char *what) {
    if (id == floor(id) && id >= 0 && id < (double)words)
        return true;
    return error_set(this->error, ERROR_VALUE, 0, 0,
                     "example %zu: there is no ID %g in its %s; IDs are whole numbers "
                     "from 0, which is padding, to %zu",
                     this->number, id, what, words - 1);
}

/* Number of tokens in a row before its padding. */
static size_t count_words(const Tensor *row) {
    size_t count = tensor_cells(row);
    while (count && row->values[count - 1] == 0)
        count--;
    return count;
}

static bool make_text(const Making *this, const Tensor *row, size_t words,
                      const char *what, TrainText *text) {
    size_t count = count_words(row), kept = 0;
    size_t *ids = arena_alloc(this->arena, count, sizeof *ids);
    size_t *positions = arena_alloc(this->arena, count, sizeof *positions);
    if (!count)
        return error_set(this->error, ERROR_VALUE, 0, 0,
                         "example %zu: its %s has no tokens; it must have at least one",
                         this->number, what);
    size_t most = this->shape->context;
    if (this->shape->positions == TRANSFORMER_POSITIONS_LEARNED && count > most)
        return error_set(
            this->error, ERROR_VALUE, 0, 0,
            "example %zu: its %s has %zu tokens, but there are positions for "
            "%zu; 'context: %zu' would do",
            this->number, what, count, most, count);
    for (size_t i = 0; i < count; i++) {
        if (!check_id(this, row->values[i], words, what))
            return false;
        if (row->values[i] == 0)
            continue;
        ids[kept] = (size_t)row->values[i];
        positions[kept++] = i;
    }
    *text = (TrainText){kept, ids, positions};
    return true;
}

/* Checks and stores the target of each token that is read. */
static bool make_expected(const Making *this, const TrainExample *example,
                          TrainReady *made) {
    const Tensor *row = &example->expected;
    const TrainText *target = &made->texts[TRANSFORMER_TARGET];
    size_t first = this->shape->first_output;
    size_t *expected = arena_alloc(this->arena, target->count, sizeof *expected);
    if (tensor_cells(row) != tensor_cells(&example->target))
        return error_set(
            this->error, ERROR_SHAPE, 0, 0,
            "example %zu: the decoder reads %zu tokens, but %zu are expected; "
            "one must be expected for each that is read",
            this->number, tensor_cells(&example->target), tensor_cells(row));
    for (size_t i = 0; i < tensor_cells(row); i++) {
        if (!check_id(this, row->values[i], this->shape->target_vocabulary, "target"))
            return false;
        if (row->values[i] != 0 &&
            (example->target.values[i] == 0 || row->values[i] < (double)first))
            return error_set(this->error, ERROR_VALUE, 0, 0,
                             "example %zu: ID %g can't be expected %s", this->number,
                             row->values[i],
                             example->target.values[i] == 0
                                 ? "after padding, only after a token"
                                 : "of the model, which never generates it");
    }
    for (size_t i = 0; i < target->count; i++) {
        expected[i] = (size_t)row->values[target->positions[i]];
        made->counted += expected[i] != 0;
    }
    made->expected = expected;
    return made->counted ||
           error_set(this->error, ERROR_VALUE, 0, 0,
                     "example %zu: nothing is expected but padding; there "
                     "must be a word to learn",
                     this->number);
}

TrainReady *train_examples_make(Arena *arena, const TransformerShape *shape,
                                const TrainExample *examples, size_t count,
                                Error *error) {
    Making this = {.arena = arena, .shape = shape, .error = error};
    TrainReady *made = arena_alloc(arena, count, sizeof *made);
    if (!count) {
        error_set(error, ERROR_VALUE, 0, 0,
                  "there are no examples to train with; there must be one at least");
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        this.number = i + 1;
        if ((shape->kind == TRANSFORMER_ENCODER_DECODER &&
             !make_text(&this, &examples[i].source, shape->source_vocabulary, "source",
                        &made[i].texts[TRANSFORMER_SOURCE])) ||
            !make_text(&this, &examples[i].target, shape->target_vocabulary, "target",
                       &made[i].texts[TRANSFORMER_TARGET]) ||
            !make_expected(&this, &examples[i], &made[i]))
            return NULL;
    }
    return made;
}
