/* A lesson from text and the picture of one of its steps, in fixed metrics: what the
 * tests of pictures stand on. */
#pragma once

#include "drawn_lesson.h"
#include "picture/words/words.h"
#include "scene_find.h"
#include "tensor/tape/tape.h"

static inline void begin(Drawn *drawn) {
    arena_reset(drawn->frame);
    drawn_page(drawn, drawn->frame, 1320, 620);
}

/* Draws a lesson's first step, with the output's first `visible` cells. */
static inline void draw(Drawn *drawn, const char *text, size_t visible, Link pointed) {
    lesson_destroy(drawn->lesson);
    drawn->lesson = lesson_good(text);
    assert_true(player_init(&drawn->player, drawn->lesson));
    begin(drawn);
    drawn->canvas.pointed = pointed;
    drawn->stage = (Stage){.canvas = &drawn->canvas,
                           .player = &drawn->player,
                           .tape = drawn->lesson->tape,
                           .visible = visible,
                           .step = &drawn->lesson->steps[0],
                           .area = {20, 20, 1280, 560}};
    drawn->stage.node = player_step(&drawn->player)->node;
    step_picture(&drawn->stage);
    assert_true(scene_complete(&drawn->scene));
}

static inline void finish(Drawn *drawn) {
    lesson_destroy(drawn->lesson);
    drawn->lesson = NULL;
}

static inline void jump(Drawn *drawn, size_t step) {
    player_jump(&drawn->player, step);
    begin(drawn);
    drawn->stage.step = player_words(&drawn->player, step);
    drawn->stage.node = player_step(&drawn->player)->node;
    step_picture(&drawn->stage);
    assert_true(scene_complete(&drawn->scene));
}

static inline void step_into(Drawn *drawn, const char *name) {
    size_t step = 0;
    while (step < drawn->player.step_count &&
           strcmp(drawn->player.steps[step].name, name) != 0)
        step++;
    assert_true(step < drawn->player.step_count);
    jump(drawn, step);
}

/* A cell's ground: the first coloured rectangle that is linked to it, or NULL. */
static inline const SceneItem *cell_at(const Drawn *drawn, const char *name, size_t row,
                                       size_t col) {
    Link link = {LINK_CELL, tape_find(drawn->lesson->tape, name), row, col};
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        if (item->kind == SCENE_RECTANGLE && link_equal(item->link, link))
            return item;
    }
    return NULL;
}

static const char PRODUCT[] = "title: t\ngiven:\n  A: [[1, 2], [2, 1]]\n"
                              "  B: [[30, 10], [20, 40]]\nsteps:\n  - do: C = A @ B\n";

static inline double middle_of(const SceneItem *item) {
    assert_non_null(item);
    return item->box.x + item->box.w / 2;
}

static inline size_t outlined(const Drawn *drawn, Color color) {
    size_t count = 0;
    for (size_t i = 0; i < drawn->scene.count; i++) {
        const SceneItem *item = &drawn->scene.items[i];
        count += item->kind == SCENE_RECTANGLE && item->width > 0 &&
                 memcmp(&item->stroke, &color, sizeof color) == 0;
    }
    return count;
}

static inline size_t numbers(const Drawn *drawn) {
    size_t count = 0;
    for (size_t i = 0; i < drawn->scene.count; i++)
        count += drawn->scene.items[i].kind == SCENE_TEXT &&
                 strchr(drawn->scene.items[i].text, '.') != NULL;
    return count;
}

static inline void say(Drawn *drawn, const char *sentence, double width) {
    begin(drawn);
    Canvas canvas = drawn->canvas;
    SentenceNames names;
    sentence_names_use(&names, &canvas, drawn->lesson->tape);
    paragraph_draw_with(&drawn->scene, &drawn->metrics, canvas.insets, FONT_TEXT, 20,
                        (Color){9, 9, 9, 255}, (Box){0, 0, width, 0}, 30, 9, sentence);
}
