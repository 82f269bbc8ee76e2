#include "model/learn/train.h"

#include "base/arena.h"
#include "model/build/transformer.h"
#include "tensor/operations/kernels.h"
#include "tensor/tape/gradient.h"

#include <math.h>
#include <string.h>

/* This many rows make products large enough to be efficient; more would only add masked
 * scores, whose number grows with the square. */
enum { ROWS_ENOUGH = 32 };

struct Record {
    Tape *tape;
    Transformer model;
    TransformerPack pack;
    Tensor ids[2];    /* IDs by TransformerSide; no cells if the model has no such side */
    double *encoding; /* [positions,d_model] */
    size_t path_count;
    const size_t *path; /* nodes to be replayed */
    Gradients *gradients;
    double *seed; /* gradient of the losses' rows */
};

/* ---- creation ---- */

/* Number of rows of one side: ROWS_ENOUGH, or the longest text's if that has more; at
 * most as many as `most` texts can have. */
static size_t rows_of(const TrainReady *examples, size_t count, size_t most, size_t side,
                      size_t *positions) {
    size_t longest = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        const TrainText *text = &examples[i].texts[side];
        all += text->count;
        longest = text->count > longest ? text->count : longest;
        if (text->count && text->positions[text->count - 1] >= *positions)
            *positions = text->positions[text->count - 1] + 1;
    }
    size_t rows = longest > ROWS_ENOUGH ? longest : ROWS_ENOUGH;
    rows = rows < all ? rows : all;
    return rows / longest < most ? rows : most * longest;
}

static Tensor new_tensor(Arena *arena, size_t rows, size_t cols) {
    return (Tensor){.rows = rows,
                    .cols = cols,
                    .values = arena_alloc(arena, rows, cols * sizeof(double))};
}

/* Makes the tensors that each load writes anew. */
static void make_pack(Record *record, Arena *arena, const size_t rows[2]) {
    TransformerPack *pack = &record->pack;
    const TransformerShape *shape = &record->model.shape;
    size_t target = rows[TRANSFORMER_TARGET], source = rows[TRANSFORMER_SOURCE];
    for (size_t side = 0; side < 2; side++) {
        if (!rows[side])
            continue;
        record->ids[side] = new_tensor(arena, 1, rows[side]);
        if (shape->positions == TRANSFORMER_POSITIONS_SINES)
            pack->positions[side] = new_tensor(arena, rows[side], shape->d_model);
        else if (shape->positions != TRANSFORMER_POSITIONS_NONE)
            pack->positions[side] = new_tensor(arena, 1, rows[side]);
        pack->masks[side] = new_tensor(arena, rows[side], rows[side]);
    }
    if (source)
        pack->memory_mask = new_tensor(arena, target, source);
    pack->columns = new_tensor(arena, 1, target);
    record->seed = arena_alloc(arena, target, sizeof *record->seed);
}

static void make_encoding(Record *record, Arena *arena, size_t positions) {
    size_t d = record->model.shape.d_model;
    record->encoding = arena_alloc(arena, positions, d * sizeof *record->encoding);
    kernel_positional_encoding(record->encoding, positions, d);
}

/* Appends the model to the record's tape. */
static bool lay(Record *record, Arena *arena, const Tape *tape, Error *error) {
    TransformerInput input = {.source = record->ids[TRANSFORMER_SOURCE],
                              .target = record->ids[TRANSFORMER_TARGET],
                              .pack = &record->pack};
    return transformer_share_parameters(tape, record->tape, arena, &record->model,
                                        error) &&
           transformer_append_input(record->tape, arena, &input, &record->model, error);
}

/* Finds the nodes to replay, and plans the backward pass. */
static void plan(Record *record, Arena *arena) {
    const Transformer *model = &record->model;
    size_t *wanted = arena_alloc(arena, model->parameter_count, sizeof *wanted);
    for (size_t i = 0; i < model->parameter_count; i++)
        wanted[i] = model->parameters[i].node;
    record->path = tape_needed(record->tape, model->losses, arena, &record->path_count);
    record->gradients = gradients_create(record->tape, model->losses, wanted,
                                         model->parameter_count, arena);
}

static void fill(Tensor *tensor, double value) {
    for (size_t i = 0; i < tensor_cells(tensor); i++)
        tensor->values[i] = value;
}

Record *record_create(Arena *arena, const Tape *tape, const Transformer *model,
                      const TrainReady *examples, size_t count, size_t most,
                      Error *error) {
    Record *record = arena_alloc(arena, 1, sizeof *record);
    size_t rows[2] = {0}, positions = 0;
    bool encodes = model->shape.kind == TRANSFORMER_ENCODER_DECODER;
    for (size_t side = encodes ? 0 : 1; side < 2; side++)
        rows[side] = rows_of(examples, count, most, side, &positions);
    *record = (Record){.tape = tape_create(arena), .model = *model};
    make_pack(record, arena, rows);
    make_encoding(record, arena, positions);
    fill(&record->pack.columns, -1);
    if (!lay(record, arena, tape, error))
        return NULL;
    plan(record, arena);
    return record;
}

/* ---- the examples ---- */

/* Rows [begin, end) of an example. */
typedef struct Span {
    size_t first, end;
} Span;

static void write_text(Record *record, size_t side, const TrainText *text, size_t first) {
    const Tensor *positions = &record->pack.positions[side];
    size_t d = record->model.shape.d_model;
    for (size_t i = 0; i < text->count; i++) {
        record->ids[side].values[first + i] = (double)text->ids[i];
        if (record->model.shape.positions == TRANSFORMER_POSITIONS_SINES)
            memcpy(positions->values + (first + i) * d,
                   record->encoding + text->positions[i] * d, d * sizeof(double));
        else if (positions->values)
            positions->values[first + i] = (double)text->positions[i];
    }
}

/* Lets the rows of `own` attend to those of `other`; a causal one only to itself and
 * earlier ones. */
static void let_see(Tensor *mask, Span own, Span other, bool causal) {
    for (size_t i = own.first; i < own.end; i++) {
        size_t end = causal ? i + 1 : other.end;
        for (size_t j = other.first; j < end; j++)
            mask->values[i * mask->cols + j] = 0;
    }
}

static void write_example(Record *record, const TrainReady *example, const Span span[2]) {
    const TransformerShape *shape = &record->model.shape;
    const TransformerTower *tower;
    for (size_t i = 0; (tower = transformer_tower(shape->kind, i)); i++) {
        size_t side = tower->side;
        write_text(record, side, &example->texts[side], span[side].first);
        let_see(&record->pack.masks[side], span[side], span[side],
                transformer_is_causal(shape, tower));
    }
    let_see(&record->pack.memory_mask, span[TRANSFORMER_TARGET], span[TRANSFORMER_SOURCE],
            false);
    double *columns = record->pack.columns.values + span[TRANSFORMER_TARGET].first;
    for (size_t i = 0; i < example->texts[TRANSFORMER_TARGET].count; i++)
        columns[i] = example->expected[i]
                         ? (double)(example->expected[i] - shape->first_output)
                         : -1;
}

static void write_nothing(Record *record) {
    for (size_t side = 0; side < 2; side++) {
        fill(&record->ids[side], 0);
        fill(&record->pack.masks[side], -INFINITY);
    }
    fill(&record->pack.memory_mask, -INFINITY);
    fill(&record->pack.columns, -1);
}

size_t record_load(Record *record, const TrainReady *examples, const size_t *order,
                   size_t count) {
    Span span[2] = {0};
    size_t loaded = 0;
    write_nothing(record);
    for (; loaded < count; loaded++) {
        const TrainReady *example = &examples[order[loaded]];
        for (size_t side = 0; side < 2; side++) {
            span[side].first = span[side].end;
            span[side].end += example->texts[side].count;
            if (span[side].end > tensor_cells(&record->ids[side]))
                return loaded;
        }
        write_example(record, example, span);
    }
    return loaded;
}

/* ---- forward and backward pass ---- */

RecordResult record_forward(Record *record) {
    tape_replay(record->tape, record->path, record->path_count);
    const Tensor *logits = &tape_node(record->tape, record->model.logits)->output;
    const Tensor *losses = &tape_node(record->tape, record->model.losses)->output;
    RecordResult result = {0};
    for (size_t i = 0; i < losses->rows; i++) {
        double column = record->pack.columns.values[i];
        if (column < 0)
            continue;
        const double *row = logits->values + i * logits->cols;
        result.loss += losses->values[i];
        result.right += kernel_argmax(row, logits->cols) == (size_t)column;
    }
    return result;
}

void record_backward(Record *record, double weight) {
    for (size_t i = 0; i < record->pack.columns.cols; i++)
        record->seed[i] = weight;
    gradients_add(record->gradients, record->seed);
}

void record_clear(Record *record) {
    gradients_clear(record->gradients);
}

const double *record_gradient(const Record *record, size_t index) {
    return gradients_get(record->gradients, record->model.parameters[index].node);
}
