/* Fixture that draws lessons in fixed metrics; and a lesson of a test with the picture of
 * one of its steps, drawn like a page: without a focus, in the area of a page of 1600 ×
 * 900. */
#pragma once

#include "course_files.h"
#include "fixed_metrics.h"
#include "lesson/play/player.h"
#include "lesson_text.h"
#include "picture/composites/composites.h"
#include "picture/draw/canvas.h"
#include "picture/tensors/views.h"

typedef struct Drawn {
    CourseFiles files;
    Lesson *lesson; /* a test's own, or NULL */
    Player player;
    TextMetrics metrics;
    Arena *frame, *scratch;
    Canvas canvas;
    double enlarged; /* as the canvas has it; 0: type is as usual */
    Scene scene;
    Stage stage; /* what was drawn last */
} Drawn;

enum { DRAWN_BYTES = 256 << 20, DRAWN_WIDTH = 1600, DRAWN_HEIGHT = 900 };

/* An empty page in an arena. */
static inline void drawn_page(Drawn *drawn, Arena *arena, double width, double height) {
    const Theme *theme = &drawn->files.themes.items[0];
    scene_init(&drawn->scene, arena, width, height, theme->page);
    drawn->canvas = (Canvas){.scene = &drawn->scene,
                             .theme = theme,
                             .metrics = &drawn->metrics,
                             .language = drawn->files.language,
                             .enlarged = drawn->enlarged};
}

/* Without a lesson; drawn_finish ends it. */
static inline void drawn_open(Drawn *drawn) {
    *drawn = (Drawn){.metrics = fixed_metrics(),
                     .frame = arena_create(DRAWN_BYTES),
                     .scratch = arena_create(DRAWN_BYTES)};
    assert_non_null(drawn->frame);
    assert_non_null(drawn->scratch);
    course_begin(&drawn->files);
    drawn_page(drawn, drawn->frame, DRAWN_WIDTH, DRAWN_HEIGHT);
}

/* Reads a lesson that must be without errors. */
static inline void drawn_begin(Drawn *drawn, const char *text) {
    drawn_open(drawn);
    drawn->lesson = lesson_good(text);
    assert_true(player_init(&drawn->player, drawn->lesson));
}

static inline void drawn_finish(Drawn *drawn) {
    arena_destroy(drawn->frame);
    arena_destroy(drawn->scratch);
    course_finish(&drawn->files);
    lesson_destroy(drawn->lesson);
}

/* Fixture shared by a group of tests: cmocka's functions for setup and teardown. */
static inline int drawn_set_up(void **state) {
    Drawn *drawn = calloc(1, sizeof *drawn);
    assert_non_null(drawn);
    drawn_open(drawn);
    *state = drawn;
    return 0;
}

static inline int drawn_tear_down(void **state) {
    if (*state) /* else setting up has failed */
        drawn_finish(*state);
    free(*state);
    return 0;
}

/* Draws a step of the player's tree in place of what was drawn before. */
static inline void drawn_draw(Drawn *drawn, size_t step, Box area) {
    player_jump(&drawn->player, step);
    arena_reset(drawn->frame);
    drawn_page(drawn, drawn->frame, DRAWN_WIDTH, DRAWN_HEIGHT);
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
