#include "model/build/appender.h"

#include "base/arena.h"
#include "base/error.h"
#include "model/build/build.h"

#include <stdio.h>
#include <string.h>

/* Divides scores by the temperature, if there is one. */
static bool append_temperature(Appender *this, size_t *scores) {
    Build build = {this->tape, NULL, "", this->error};
    double temperature = this->shape->temperature;
    size_t constant;
    char name[BUILD_NAME_SIZE];
    if (!(temperature > 0))
        return true;
    snprintf(name, sizeof name, "%g", temperature);
    if (!tape_constant(this->tape, name, temperature, &constant, this->error))
        return false;
    tape_set_quiet(this->tape, constant);
    return build_binary(build, OPERATION_DIVIDE, *scores, constant, "logits_scaled",
                        scores);
}

/* The decoder's embedding table. */
static size_t table_of_target(const Transformer *model) {
    for (size_t i = 0; i < model->parameter_count; i++) {
        if (strcmp(model->parameters[i].name, "decoder.embedding.table") == 0)
            return model->parameters[i].node;
    }
    return TAPE_NONE;
}

/* The table's rows of tokens that can be generated, as columns; neither node has a
 * step. */
static bool append_tied(Appender *this, size_t *w) {
    Build build = {this->tape, NULL, "", this->error};
    size_t table = table_of_target(this->model), first = this->shape->first_output;
    const Tensor *tensor = build_tensor(build, table);
    const OperationOptions cut = {
        .row_begin = first, .row_end = tensor->rows, .col_end = tensor->cols};
    if (first) {
        if (!tape_append(this->tape, OPERATION_SLICE, &table, 1, cut, "logits.E", &table,
                         this->error))
            return false;
        tape_set_quiet(this->tape, table);
    }
    return build_transpose(build, table, w);
}

bool appender_append_output(Appender *this, size_t x) {
    Build build = {this->tape, NULL, "", this->error};
    Transformer *model = this->model;
    size_t first = tape_count(this->tape), w = TAPE_NONE, b = TAPE_NONE;
    if (this->shape->tied) {
        if (!append_tied(this, &w))
            return false;
    } else {
        w = appender_take(this, "W");
        b = appender_take_bias(this, "b");
    }
    if (!build_linear(build, x, w, b, "logits", "logits", &model->logits) ||
        !appender_add_part(this, NULL, TRANSFORMER_LOGITS, "generator", first,
                           model->logits))
        return false;
    first = tape_count(this->tape);
    size_t scores = model->logits;
    return append_temperature(this, &scores) &&
           build_unary(build, OPERATION_SOFTMAX, scores, "probabilities",
                       &model->probabilities) &&
           appender_add_part(this, NULL, TRANSFORMER_PROBABILITIES, "", first,
                             model->probabilities);
}

static bool append_expected(Appender *this, Tensor expected) {
    Transformer *model = this->model;
    return tape_given(this->tape, "expected", expected, &model->expected, this->error) &&
           appender_add_part(this, NULL, TRANSFORMER_EXPECTED, "", tape_count(this->tape),
                             model->expected);
}

/* Reports whether a target is a token rather than padding. */
static bool counts(const Appender *this, double id) {
    return id != 0 || this->shape->unpadded;
}

/* Appends the logits' columns of the targets, without a step; negative for padding. */
static bool append_columns(Appender *this, size_t *columns) {
    Build build = {this->tape, NULL, "expected", this->error};
    size_t first = this->shape->first_output;
    const Tensor *expected = build_tensor(build, this->model->expected);
    if (first) {
        size_t constant;
        if (!tape_constant(this->tape, "", (double)first, &constant, this->error))
            return false;
        tape_set_quiet(this->tape, constant);
        if (!build_binary(build, OPERATION_SUBTRACT, this->model->expected, constant,
                          "columns", columns))
            return false;
    } else {
        Tensor copy = {.rows = expected->rows, .cols = expected->cols};
        copy.values = arena_alloc(this->arena, tensor_cells(&copy), sizeof(double));
        for (size_t i = 0; i < tensor_cells(&copy); i++)
            copy.values[i] = counts(this, expected->values[i]) ? expected->values[i] : -1;
        if (!tape_given(this->tape, "expected.columns", copy, columns, this->error))
            return false;
    }
    tape_set_quiet(this->tape, *columns);
    return true;
}

/* Appends the mean of the losses of `counted` tokens; the others' are 0. */
static bool append_mean_loss(Appender *this, size_t counted) {
    Build build = {this->tape, NULL, "", this->error};
    Transformer *model = this->model;
    size_t first = tape_count(this->tape), row, sum, count;
    if (!build_transpose(build, model->losses, &row))
        return false;
    if (counted == build_tensor(build, model->losses)->rows)
        return build_unary(build, OPERATION_MEAN, row, "loss", &model->loss) &&
               appender_add_part(this, NULL, TRANSFORMER_LOSS, "", first, model->loss);
    if (!build_unary(build, OPERATION_SUM, row, "loss.sum", &sum) ||
        !tape_constant(this->tape, "", (double)counted, &count, this->error))
        return false;
    tape_set_quiet(this->tape, count);
    return build_binary(build, OPERATION_DIVIDE, sum, count, "loss", &model->loss) &&
           appender_add_part(this, NULL, TRANSFORMER_LOSS, "", first, model->loss);
}

static bool check_expected(const Appender *this, const TransformerInput *input,
                           size_t *counted) {
    const Tensor *expected = &input->expected;
    size_t words = this->shape->target_vocabulary, first = this->shape->first_output;
    if (this->shape->kind == TRANSFORMER_ENCODER)
        return error_set(this->error, ERROR_VALUE, 0, 0,
                         "kind encoder generates no tokens, so none can be expected");
    if (tensor_cells(expected) != tensor_cells(&input->target))
        return error_set(this->error, ERROR_SHAPE, 0, 0,
                         "the decoder reads %zu tokens, but %zu are expected; one must "
                         "be expected for each that is read",
                         tensor_cells(&input->target), tensor_cells(expected));
    for (size_t i = 0; i < tensor_cells(expected); i++) {
        double id = expected->values[i];
        if (counts(this, id) && !(id >= (double)first && id < (double)words))
            return error_set(
                this->error, ERROR_VALUE, 0, 0,
                "ID %g is expected, but the model generates IDs from %zu to %zu", id,
                first, words - 1);
        *counted += counts(this, id);
    }
    return *counted || error_set(this->error, ERROR_VALUE, 0, 0,
                                 "nothing is expected but padding; there must be a word "
                                 "that counts");
}

bool appender_append_loss(Appender *this, const TransformerInput *input) {
    Build build = {this->tape, NULL, "", this->error};
    Transformer *model = this->model;
    size_t counted = 0, columns;
    if (this->pack)
        return tape_given(this->tape, "expected.columns", this->pack->columns, &columns,
                          this->error) &&
               build_binary(build, OPERATION_CROSS_ENTROPY, model->logits, columns,
                            "losses", &model->losses);
    if (!tensor_cells(&input->expected))
        return true;
    if (!check_expected(this, input, &counted) || !append_expected(this, input->expected))
        return false;
    size_t first = tape_count(this->tape);
    return append_columns(this, &columns) &&
           build_binary(build, OPERATION_CROSS_ENTROPY, model->logits, columns, "losses",
                        &model->losses) &&
           appender_add_part(this, NULL, TRANSFORMER_LOSSES, "", first, model->losses) &&
           append_mean_loss(this, counted);
}
