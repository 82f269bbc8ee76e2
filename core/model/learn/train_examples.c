#include "model/learn/train_examples.h"

#include <math.h>
#include <string.h>

/* An example being made. */
typedef struct Making {
    Arena *arena;
    const TransformerShape *shape;
    size_t number; /* from 1 */
    Error *error;
} Making;

static bool no_memory(const Making *this) {
    return error_set(this->error, ERROR_MEMORY, 0, 0,
                     "there is no memory for the examples to train with");
}

static bool check_id(const Making *this, double id, size_t words, const char *what) {
    if (id == floor(id) && id >= 0 && id < (double)words)
        return true;
    return error_set(this->error, ERROR_VALUE, 0, 0,
                     "example %zu: there is no ID %g in its %s; IDs are whole numbers "
                     "from 0, which is padding, to %zu",
                     this->number, id, what, words - 1);
}

/* How many words a row has before the padding behind it. */
static size_t count_words(const Tensor *row) {
    size_t count = tensor_cells(row);
    while (count && row->values[count - 1] == 0)
        count--;
    return count;
}

static bool make_text(const Making *this, const Tensor *row, size_t words,
                      const char *what, PassText *text) {
    size_t count = count_words(row), kept = 0;
    size_t *ids = arena_alloc(this->arena, count, sizeof *ids);
    size_t *places = arena_alloc(this->arena, count, sizeof *places);
    if (!count)
        return error_set(this->error, ERROR_VALUE, 0, 0,
                         "example %zu: its %s has no words; there must be one at least",
                         this->number, what);
    if (!ids || !places)
        return no_memory(this);
    for (size_t i = 0; i < count; i++) {
        if (!check_id(this, row->values[i], words, what))
            return false;
        if (row->values[i] == 0)
            continue;
        ids[kept] = (size_t)row->values[i];
        places[kept++] = i;
    }
    *text = (PassText){kept, ids, places};
    return true;
}

/* What each word that is read must be followed by. */
static bool make_expected(const Making *this, const TrainExample *example,
                          PassExample *made) {
    const Tensor *row = &example->expected;
    size_t first = this->shape->first_output, counted = 0;
    size_t *expected = arena_alloc(this->arena, made->target.count, sizeof *expected);
    if (!expected)
        return no_memory(this);
    if (tensor_cells(row) != tensor_cells(&example->target))
        return error_set(this->error, ERROR_SHAPE, 0, 0,
                         "example %zu: the decoder reads %zu words and must say %zu; "
                         "there must be one to say for each that is read",
                         this->number, tensor_cells(&example->target), tensor_cells(row));
    for (size_t i = 0; i < tensor_cells(row); i++) {
        if (!check_id(this, row->values[i], this->shape->target_vocabulary, "target"))
            return false;
        if (row->values[i] != 0 &&
            (example->target.values[i] == 0 || row->values[i] < (double)first))
            return error_set(
                this->error, ERROR_VALUE, 0, 0, "example %zu: ID %g can't be expected %s",
                this->number, row->values[i],
                example->target.values[i] == 0 ? "behind padding; only behind a word"
                                               : "of the model, which never says it");
    }
    for (size_t i = 0; i < made->target.count; i++) {
        expected[i] = (size_t)row->values[made->target.places[i]];
        counted += expected[i] != 0;
    }
    made->expected = expected;
    return counted || error_set(this->error, ERROR_VALUE, 0, 0,
                                "example %zu: nothing is expected but padding; there "
                                "must be a word to learn",
                                this->number);
}

PassExample *train_examples_make(Arena *arena, const TransformerShape *shape,
                                 const TrainExample *examples, size_t count,
                                 Error *error) {
    Making this = {.arena = arena, .shape = shape, .error = error};
    PassExample *made = arena_alloc(arena, count, sizeof *made);
    if (!count)
        error_set(error, ERROR_VALUE, 0, 0,
                  "there are no examples to train with; there must be one at least");
    else if (!made)
        no_memory(&this);
    if (!count || !made)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        this.number = i + 1;
        if ((shape->kind == TRANSFORMER_ENCODER_DECODER &&
             !make_text(&this, &examples[i].source, shape->source_vocabulary, "source",
                        &made[i].source)) ||
            !make_text(&this, &examples[i].target, shape->target_vocabulary, "target",
                       &made[i].target) ||
            !make_expected(&this, &examples[i], &made[i]))
            return NULL;
    }
    return made;
}

static void widen(const PassText *text, size_t *all, size_t *longest, size_t *places) {
    *all += text->count;
    *longest = text->count > *longest ? text->count : *longest;
    if (text->count && text->places[text->count - 1] >= *places)
        *places = text->places[text->count - 1] + 1;
}

PassLimits train_examples_limits(const PassExample *examples, size_t count,
                                 size_t batch) {
    PassLimits limits = {.examples = batch};
    for (size_t i = 0; i < count; i++) {
        widen(&examples[i].source, &limits.source_rows, &limits.source_longest,
              &limits.places);
        widen(&examples[i].target, &limits.target_rows, &limits.target_longest,
              &limits.places);
    }
    if (limits.source_rows > batch * limits.source_longest)
        limits.source_rows = batch * limits.source_longest;
    if (limits.target_rows > batch * limits.target_longest)
        limits.target_rows = batch * limits.target_longest;
    return limits;
}
