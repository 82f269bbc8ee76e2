#include "model/build/appender.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

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
static size_t append_tied(Appender *this) {
    Build build = appender_build(this, "logits");
    size_t table = table_of_target(this->model), first = this->shape->first_output;
    if (first)
        table =
            build_quiet(build, build_rows(build, table, first,
                                          build_tensor(build, table)->rows - first, "E"));
    return build_transpose(build, table);
}

bool appender_append_output(Appender *this, size_t x) {
    Build build = appender_build(this, "");
    Transformer *model = this->model;
    double temperature = this->shape->temperature;
    size_t first = tape_count(this->tape), b = TAPE_NONE, w;
    if (this->shape->tied) {
        w = append_tied(this);
    } else {
        w = appender_take(this, "W");
        b = appender_take_bias(this, "b");
    }
    model->logits = appender_add_part(this, NULL, TRANSFORMER_LOGITS, "generator", first,
                                      build_linear(build, x, w, b, "logits", "logits"));
    first = tape_count(this->tape);
    size_t scores = model->logits;
    if (temperature > 0) {
        char name[BUILD_NAME_SIZE];
        snprintf(name, sizeof name, "%g", temperature);
        scores = build_binary(build, OPERATION_DIVIDE, scores,
                              build_constant(build, name, temperature), "logits_scaled");
    }
    model->probabilities =
        appender_add_part(this, NULL, TRANSFORMER_PROBABILITIES, "", first,
                          build_unary(build, OPERATION_SOFTMAX, scores, "probabilities"));
    return model->probabilities != TAPE_NONE;
}

/* Reports whether a target is a token rather than padding. */
static bool counts(const Appender *this, double id) {
    return id != 0 || this->shape->unpadded;
}

/* Appends the logits' columns of the targets, without a step; negative for padding. */
static size_t append_columns(Appender *this) {
    Build build = appender_build(this, "expected");
    size_t first = this->shape->first_output, expected = this->model->expected;
    if (first)
        return build_quiet(build, build_binary(build, OPERATION_SUBTRACT, expected,
                                               build_constant(build, "", (double)first),
                                               "columns"));
    Tensor columns = *build_tensor(build, expected);
    const double *ids = columns.values;
    columns.row_labels = columns.col_labels = NULL;
    columns.values = arena_alloc(this->arena, tensor_cells(&columns), sizeof(double));
    for (size_t i = 0; i < tensor_cells(&columns); i++)
        columns.values[i] = counts(this, ids[i]) ? ids[i] : -1;
    return build_quiet(build, build_given(build, "expected.columns", columns));
}

/* Appends the mean of the losses of `counted` tokens; the others' are 0. */
static size_t append_mean_loss(Appender *this, size_t counted) {
    Build build = appender_build(this, "");
    size_t losses = this->model->losses, row = build_transpose(build, losses);
    if (counted == build_tensor(build, losses)->rows)
        return build_unary(build, OPERATION_MEAN, row, "loss");
    size_t sum = build_unary(build, OPERATION_SUM, row, "loss.sum");
    return build_binary(build, OPERATION_DIVIDE, sum,
                        build_constant(build, "", (double)counted), "loss");
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
    Build build = appender_build(this, "");
    Transformer *model = this->model;
    size_t counted = 0, first = 0, columns;
    if (!this->pack && !tensor_cells(&input->expected))
        return true;
    if (this->pack) {
        columns = build_given(build, "expected.columns", this->pack->columns);
    } else {
        if (!check_expected(this, input, &counted))
            return false;
        model->expected = build_given(build, "expected", input->expected);
        first = tape_count(this->tape);
        if (appender_add_part(this, NULL, TRANSFORMER_EXPECTED, "", first,
                              model->expected) == TAPE_NONE)
            return false;
        columns = append_columns(this);
    }
    model->losses =
        build_binary(build, OPERATION_CROSS_ENTROPY, model->logits, columns, "losses");
    if (this->pack || model->losses == TAPE_NONE)
        return model->losses != TAPE_NONE;
    appender_add_part(this, NULL, TRANSFORMER_LOSSES, "", first, model->losses);
    first = tape_count(this->tape);
    model->loss = appender_add_part(this, NULL, TRANSFORMER_LOSS, "", first,
                                    append_mean_loss(this, counted));
    return model->loss != TAPE_NONE;
}
