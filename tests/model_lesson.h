/* A lesson with a model, made without a file: every part outside the layers and every
 * layer is a statement. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "model/build/transformer.h"
#include "tensor/tape/tape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MODEL_LESSON_WORDS = 7 };

static inline Tensor model_lesson_ids(Arena *arena, const char *const *words,
                                      size_t count) {
    double *ids = arena_alloc(arena, count, sizeof *ids);
    assert_non_null(ids);
    for (size_t i = 0; i < count; i++)
        ids[i] = (double)(i + 1);
    return (Tensor){.rows = 1, .cols = count, .values = ids, .col_labels = words};
}

/* The caller destroys it. */
static inline Lesson *model_lesson(const TransformerShape *shape) {
    static const char *const source[MODEL_LESSON_WORDS] = {"when", "you", "play",   "the",
                                                           "game", "of",  "thrones"};
    static const char *const target[4] = {"<sos>", "you", "win", "or"};
    Arena *arena = arena_create((size_t)256 << 20);
    assert_non_null(arena);
    Lesson *lesson = arena_alloc(arena, 1, sizeof *lesson);
    Transformer *model = arena_alloc(arena, 1, sizeof *model);
    assert_non_null(lesson);
    assert_non_null(model);
    *lesson = (Lesson){.arena = arena,
                       .id = "model",
                       .file = "model",
                       .title = {.key = "A model"},
                       .tape = tape_create(arena),
                       .model = model};
    TransformerInput input = {.source =
                                  model_lesson_ids(arena, source, MODEL_LESSON_WORDS),
                              .target = model_lesson_ids(arena, target, 4)};
    Random random;
    random_init(&random, 7);
    Error error = {0};
    bool made = transformer_append(lesson->tape, arena, shape, &input,
                                   transformer_random_weights(&random), model, &error);
    if (!made)
        print_error("%s\n", error.message);
    assert_true(made);
    LessonStep *steps = arena_alloc(arena, model->part_count, sizeof *steps);
    assert_non_null(steps);
    for (size_t i = 0; i < model->part_count; i++) {
        const TransformerPart *part = &model->parts[i];
        if (part->parent == TRANSFORMER_NONE)
            steps[lesson->step_count++] = (LessonStep){.formula = "",
                                                       .source = part->name,
                                                       .first = part->first,
                                                       .count = part->count,
                                                       .result = part->node};
    }
    lesson->steps = steps;
    lesson->model_step_count = lesson->step_count;
    return lesson;
}
