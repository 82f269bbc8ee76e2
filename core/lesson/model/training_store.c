#include "lesson/model/model_parts.h"

#include "base/array.h"
#include "base/hash.h"
#include "lesson/model/learning.h"
#include "model/build/transformer.h"
#include "tensor/tape/tape.h"

/* ---- the key: all that a training depends on ---- */

static void put(TrainingKey *key, double number) {
    key->numbers = array_reserve(key->arena, key->numbers, key->count, &key->room,
                                 sizeof *key->numbers);
    key->numbers[key->count++] = number;
}

/* Puts all bits of a number that a double can't hold. */
static void put_bits(TrainingKey *key, uint64_t bits) {
    put(key, (double)(bits >> 32));
    put(key, (double)(bits & UINT32_MAX));
}

static void put_cells(TrainingKey *key, const Tensor *tensor) {
    size_t cells = tensor_cells(tensor);
    put(key, (double)cells);
    for (size_t i = 0; i < cells; i++)
        put(key, tensor->values[i]);
}

/* Puts all fields of the shape. The assertion fails when a field is added to it. */
static void put_shape(TrainingKey *key, const TransformerShape *shape) {
    _Static_assert(sizeof(size_t) != 8 || sizeof *shape == 160,
                   "put_shape lists the fields of a shape");
    const double numbers[] = {
        (double)shape->kind,
        (double)shape->d_model,
        (double)shape->heads,
        (double)shape->d_ff,
        (double)shape->kv_heads,
        (double)shape->encoder_layers,
        (double)shape->decoder_layers,
        (double)shape->source_vocabulary,
        (double)shape->target_vocabulary,
        (double)shape->unpadded,
        (double)shape->first_output,
        (double)shape->context,
        (double)shape->positions,
        shape->rotary_base,
        (double)shape->activation,
        shape->epsilon,
        (double)shape->pre_norm,
        (double)shape->rms,
        (double)shape->final_norm,
        (double)shape->scale_embedding,
        (double)shape->segments,
        (double)shape->embedding_norm,
        (double)shape->biases,
        (double)shape->tied,
        (double)shape->mask,
        shape->temperature,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        put(key, numbers[i]);
}

static void put_options(TrainingKey *key, const TrainOptions *options) {
    const OptimizerOptions *optimizer = &options->optimizer;
    const double numbers[] = {
        (double)optimizer->kind, optimizer->learning_rate, optimizer->beta_1,
        optimizer->beta_2,       optimizer->epsilon,       (double)optimizer->warmup,
        optimizer->clip,         (double)options->epochs,  (double)options->batch,
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        put(key, numbers[i]);
    put_bits(key, options->seed);
}

/* Puts the films' present tensors, and the IDs that the model reads, since the tensors
 * depend on these. */
static void put_films(TrainingKey *key, const LessonReader *reader,
                      const Transformer *model) {
    const Tape *tape = reader->lesson->tape;
    for (const TrainingFilm *film = reader->films; film; film = film->next) {
        put(key, (double)film->count);
        for (size_t i = 0; i < film->count; i++) {
            put(key, (double)(film->watched[i] - model->parameters[0].node));
            put_cells(key, &tape_node(tape, film->watched[i])->output);
        }
    }
    for (size_t i = 0; reader->films && i < model->part_count; i++) {
        const TransformerPart *part = &model->parts[i];
        if (part->kind == TRANSFORMER_IDS || part->kind == TRANSFORMER_EXPECTED)
            put_cells(key, &tape_node(tape, part->node)->output);
    }
}

TrainingKey training_key(const LessonReader *reader, const Transformer *model,
                         Arena *arena) {
    enum { LAYOUT = 1 }; /* of the key and of what is stored */
    const LessonTraining *training = reader->training;
    TrainingKey key = {.arena = arena};
    uint64_t weights = HASH_START;
    put(&key, LAYOUT);
    put_shape(&key, &model->shape);
    put_options(&key, &training->options);
    put(&key, (double)training->count);
    for (size_t i = 0; i < training->count; i++) {
        put_cells(&key, &training->examples[i].source);
        put_cells(&key, &training->examples[i].target);
        put_cells(&key, &training->examples[i].expected);
    }
    for (size_t i = 0; i < model->parameter_count; i++) {
        const Tensor *tensor =
            &tape_node(reader->lesson->tape, model->parameters[i].node)->output;
        weights =
            hash_bytes(weights, tensor->values, tensor_cells(tensor) * sizeof(double));
    }
    put_bits(&key, weights);
    put_films(&key, reader, model);
    return key;
}

/* ---- what is stored ---- */

/* Lists the memory that training fills: parameters, the record of its epochs and updates,
 * and films. */
static LessonPiece *pieces_of(const LessonReader *reader, const Transformer *model,
                              Arena *arena, size_t *count) {
    const LessonTraining *training = reader->training;
    size_t films = 0, filled = 0;
    for (const TrainingFilm *film = reader->films; film; film = film->next)
        films++;
    LessonPiece *pieces =
        arena_alloc(arena, model->parameter_count + 3 + 2 * films, sizeof *pieces);
    for (size_t i = 0; i < model->parameter_count; i++) {
        const Tensor *weights =
            &tape_node(reader->lesson->tape, model->parameters[i].node)->output;
        pieces[filled++] =
            (LessonPiece){weights->values, tensor_cells(weights) * sizeof(double)};
    }
    pieces[filled++] = (LessonPiece){(void *)training->history,
                                     training->epochs * sizeof *training->history};
    pieces[filled++] =
        (LessonPiece){&reader->training->end, sizeof reader->training->end};
    pieces[filled++] =
        (LessonPiece){(void *)training->log, training->updates * sizeof *training->log};
    for (const TrainingFilm *film = reader->films; film; film = film->next) {
        const LessonFilm *kept = film->film;
        size_t frames = 1 + training->updates;
        pieces[filled++] =
            (LessonPiece){kept->values, frames * kept->cells * sizeof(double)};
        pieces[filled++] = (LessonPiece){kept->reach, film->count * sizeof(double)};
    }
    *count = filled;
    return pieces;
}

bool training_load(const LessonReader *reader, const Transformer *model,
                   const TrainingKey *key) {
    size_t count;
    const LessonPiece *pieces = pieces_of(reader, model, key->arena, &count);
    if (!reader->store->load(key->numbers, key->count, pieces, count))
        return false;
    for (const TrainingFilm *film = reader->films; film; film = film->next)
        film->film->frame_count = 1 + reader->training->updates;
    return true;
}

void training_save(const LessonReader *reader, const Transformer *model,
                   const TrainingKey *key) {
    size_t count;
    const LessonPiece *pieces = pieces_of(reader, model, key->arena, &count);
    reader->store->save(key->numbers, key->count, pieces, count);
}
