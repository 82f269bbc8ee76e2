#include "lesson/model/model_parts.h"

#include "base/arena.h"
#include "lesson/read/lesson_files.h"
#include "model/build/transformer.h"
#include "tensor/tape/tape.h"

enum { EXAMPLE_MEMORY = 1 << 28 }; /* limit of one example's run, in bytes */

/* Reports whether the model predicts each token of an example's target. */
static bool is_right(const Tape *tape, const Transformer *model,
                     const TrainExample *example) {
    const Tensor *logits = &tape_node(tape, model->logits)->output;
    for (size_t i = 0; i < logits->rows; i++) {
        size_t best = 0;
        for (size_t j = 1; j < logits->cols; j++) {
            if (tensor_at(logits, i, j) > tensor_at(logits, i, best))
                best = j;
        }
        if (model->shape.first_output + best != (size_t)example->expected.values[i])
            return false;
    }
    return true;
}

/* Runs the model on an example, on a tape of its own. */
static bool run(const Lesson *lesson, const TrainExample *example, bool *right,
                Error *error) {
    Arena *arena = arena_create_within(lesson->arena, EXAMPLE_MEMORY);
    Tape *tape = tape_create(arena);
    Transformer model = *lesson->model;
    TransformerInput input = {.source = example->source, .target = example->target};
    model.expected = model.losses = model.loss = TAPE_NONE;
    bool good = transformer_share_parameters(lesson->tape, tape, arena, &model, error) &&
                transformer_append_input(tape, arena, &input, &model, error);
    *right = good && is_right(tape, &model, example);
    arena_destroy(arena);
    return good;
}

bool held_out_read(LessonReader *reader, const TrainSpec *train,
                   const TrainingWords *words) {
    Lesson *lesson = reader->lesson;
    const YamlNode *file = train ? train->held_out_file : NULL;
    if (!file)
        return true;
    if (lesson->model->shape.kind != TRANSFORMER_ENCODER_DECODER)
        return yaml_error(reader->errors, ERROR_VALUE, file->key,
                          "held-out pairs are for kind encoder_decoder; leave "
                          "'held_out_file:' out");
    const YamlNode *pairs =
        lesson_file_pairs(lesson->arena, lesson->file, file, reader->errors);
    const TrainExample *examples =
        pairs ? training_read_pairs(reader, pairs, words) : NULL;
    for (size_t i = 0; examples && i < pairs->count; i++) {
        bool right;
        Error error;
        if (!run(lesson, &examples[i], &right, &error))
            return yaml_error_append(reader->errors, &error, file);
        lesson->held_out.right += right;
    }
    lesson->held_out.count = examples ? pairs->count : 0;
    return examples != NULL;
}
