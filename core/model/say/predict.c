#include "model/say/predict.h"

#include <math.h>
#include <string.h>

/* ---- weights ---- */

static bool fill_copied(void *context, const TransformerParameter *parameter,
                        double *values, Error *error) {
    PredictCopy *copy = context;
    const Transformer *model = copy->from.model;
    for (size_t i = 0; i < model->parameter_count; i++) {
        size_t index = (copy->next + i) % model->parameter_count;
        const TransformerParameter *own = &model->parameters[index];
        if (strcmp(own->name, parameter->name) != 0)
            continue;
        const Tensor *tensor = &tape_node(copy->from.tape, own->node)->output;
        if (own->rows != parameter->rows || own->cols != parameter->cols)
            break;
        memcpy(values, tensor->values, tensor_cells(tensor) * sizeof *values);
        copy->next = index + 1;
        return true;
    }
    return error_set(error, ERROR_SHAPE, 0, 0,
                     "the model has no parameter %s of [%zu,%zu]", parameter->name,
                     parameter->rows, parameter->cols);
}

TransformerWeights predict_weights(PredictCopy *copy) {
    return (TransformerWeights){fill_copied, copy};
}

/* ---- checks ---- */

size_t predict_words(const TransformerShape *shape) {
    return shape->target_vocabulary - shape->first_output;
}

static bool check_ids(const Tensor *ids, size_t vocabulary, const char *what,
                      Error *error) {
    if (ids->rows != 1 || !ids->cols)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the %s is [%zu,%zu], but must be a row of IDs, one at least",
                         what, ids->rows, ids->cols);
    for (size_t i = 0; i < ids->cols; i++) {
        double id = ids->values[i];
        if (!(id >= 0 && id < (double)vocabulary && id == floor(id)))
            return error_set(error, ERROR_VALUE, 0, 0,
                             "the %s has the ID %g, but its vocabulary has IDs from 0 to "
                             "%zu",
                             what, id, vocabulary - 1);
    }
    return true;
}

bool predict_check(const TransformerShape *shape, const TransformerInput *input,
                   Error *error) {
    const TransformerTower *tower;
    if (shape->kind == TRANSFORMER_ENCODER)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "a model of kind encoder says no words; it takes one of kind "
                         "encoder_decoder or decoder");
    for (size_t i = 0; (tower = transformer_tower(shape->kind, i)); i++) {
        bool source = tower->side == TRANSFORMER_SOURCE;
        if (!check_ids(source ? &input->source : &input->target,
                       transformer_vocabulary(shape, tower), source ? "source" : "target",
                       error))
            return false;
    }
    return true;
}

/* ---- the run ---- */

size_t predict_count(const Tape *tape) {
    size_t sum = 0;
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (node->operation == OPERATION_MATMUL)
            sum += tensor_cells(&node->output) *
                   tape_node(tape, node->inputs[0])->output.cols;
    }
    return sum;
}

static bool run(double *logits, size_t *multiplications, PredictModel model,
                const TransformerInput *input, Arena *arena, Error *error) {
    Tape *tape = tape_create(arena);
    PredictCopy copy = {.from = model};
    Transformer once;
    if (!tape)
        return error_set(error, ERROR_MEMORY, 0, 0,
                         "there is no memory to run the model");
    if (!transformer_append(tape, arena, &model.model->shape, input,
                            predict_weights(&copy), &once, error))
        return false;
    const Tensor *rows = &tape_node(tape, once.logits)->output;
    memcpy(logits, rows->values + (rows->rows - 1) * rows->cols,
           rows->cols * sizeof *logits);
    *multiplications = predict_count(tape);
    return true;
}

/* The arena is a new one each time: tensors that grow from turn to turn would not fit
 * where a used one has room. */
bool predict_logits(double *logits, size_t *multiplications, PredictModel model,
                    const TransformerInput *input, Error *error) {
    Arena *arena = arena_create(PREDICT_MEMORY);
    bool good = arena ? run(logits, multiplications, model, input, arena, error)
                      : error_set(error, ERROR_MEMORY, 0, 0,
                                  "there is no memory to run the model");
    arena_destroy(arena);
    return good;
}

/* ---- formulas ---- */

/* A layer with n words of its own and m words of memory: a projection of n words takes
 * n·d², the scores and the blends n·(words looked at)·d each, however many heads. */
static size_t layer_multiplications(const TransformerShape *shape,
                                    const TransformerTower *tower, size_t n, size_t m) {
    size_t d = shape->d_model, sum = 0;
    for (size_t i = 0; i < tower->sublayer_count; i++) {
        switch (tower->sublayers[i]) {
        case SUBLAYER_SELF_ATTENTION:
            sum += 4 * n * d * d + 2 * n * n * d;
            break;
        case SUBLAYER_CROSS_ATTENTION:
            sum += 2 * n * d * d + 2 * m * d * d + 2 * n * m * d;
            break;
        default:
            sum += 2 * n * d * shape->d_ff;
        }
    }
    return sum;
}

static size_t tower_multiplications(const TransformerShape *shape, TransformerSide side,
                                    size_t n, size_t m) {
    const TransformerTower *tower;
    for (size_t i = 0; (tower = transformer_tower(shape->kind, i)); i++) {
        if (tower->side == side)
            return transformer_layers(shape, tower) *
                   layer_multiplications(shape, tower, n, m);
    }
    return 0;
}

size_t predict_encoder_multiplications(const TransformerShape *shape, size_t source) {
    return tower_multiplications(shape, TRANSFORMER_SOURCE, source, 0);
}

size_t predict_multiplications(const TransformerShape *shape, size_t source,
                               size_t target) {
    size_t output = shape->kind == TRANSFORMER_ENCODER
                        ? 0
                        : target * shape->d_model * predict_words(shape);
    return predict_encoder_multiplications(shape, source) +
           tower_multiplications(shape, TRANSFORMER_TARGET, target, source) + output;
}
