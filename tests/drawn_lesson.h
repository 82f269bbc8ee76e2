/* A lesson of a test and the picture of one of its steps, as a page would draw it: in
 * fixed metrics, without a focus, in an area of a page of 1600 × 900. */
#ifndef TESTS_DRAWN_LESSON_H
#define TESTS_DRAWN_LESSON_H

#include "course_files.h"
#include "fixed_metrics.h"
#include "lesson/play/player.h"
#include "lesson_text.h"
#include "picture/composites/step_picture.h"
#include "picture/tensors/views.h"

typedef struct Drawn {
    CourseFiles files;
    Lesson *lesson;
    Player player;
    TextMetrics metrics;
    Arena *frame;
    Canvas canvas;
    Scene scene;
    Stage stage; /* what was drawn last */
} Drawn;

enum { DRAWN_FRAME_BYTES = 64 << 20 };

/* Reads a lesson that must be without errors; drawn_finish ends it. */
static inline void drawn_begin(Drawn *drawn, const char *text) {
    *drawn = (Drawn){.lesson = lesson_good(text), .metrics = fixed_metrics()};
    course_begin(&drawn->files);
    assert_true(player_init(&drawn->player, drawn->lesson));
    drawn->frame = arena_create(DRAWN_FRAME_BYTES);
    assert_non_null(drawn->frame);
}

static inline void drawn_finish(Drawn *drawn) {
    arena_destroy(drawn->frame);
    course_finish(&drawn->files);
    lesson_destroy(drawn->lesson);
}

/* Draws a step of the player's tree in place of what was drawn before. */
static inline void drawn_draw(Drawn *drawn, size_t step, Box area) {
    const Theme *theme = &drawn->files.themes.items[0];
    player_jump(&drawn->player, step);
    arena_reset(drawn->frame);
    scene_init(&drawn->scene, drawn->frame, 1600, 900, theme->page);
    drawn->canvas = (Canvas){.scene = &drawn->scene,
                             .theme = theme,
                             .metrics = &drawn->metrics,
                             .language = drawn->files.language};
    drawn->stage = (Stage){.canvas = &drawn->canvas,
                           .player = &drawn->player,
                           .tape = drawn->lesson->tape,
                           .view = views_present(&drawn->player, LESSON_VIEW_NONE),
                           .visible = (size_t)-1,
                           .step = player_words(&drawn->player, step),
                           .area = area};
    step_picture(&drawn->stage);
    assert_true(scene_complete(&drawn->scene));
}

/* The lesson's step of that name. */
static inline size_t drawn_step_named(const Drawn *drawn, const char *name) {
    size_t step = 0;
    while (step < drawn->player.step_count &&
           strcmp(drawn->player.steps[step].name, name) != 0)
        step = drawn->player.steps[step].next;
    assert_true(step < drawn->player.step_count);
    return step;
}

#endif
