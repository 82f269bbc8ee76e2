/* A session over the project's own course, drawn in fixed metrics on a page of WIDTH ×
 * HEIGHT points: what the tests of keys, pointer and pages stand on. */
#pragma once

#include "drive/drive.h"
#include "session/mode.h"
#include "session/state.h"

#include "base/arena.h"
#include "fixed_metrics.h"
#include "scene_find.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FRAME_BYTES = 256 << 20 };

static const double WIDTH = 1600, HEIGHT = 900;

typedef struct Stand {
    Course course;
    Arena *arena;
    Session *session;
    Scene scene; /* drawn last */
} Stand;

/* The course, for a group of tests each of which has a session of its own. */
static inline int set_up_course(void **state) {
    Stand *stand = calloc(1, sizeof *stand);
    ErrorList errors = {0};
    const char *source = getenv("GLASSFORMER_SOURCE");
    if (source)
        setenv("GLASSFORMER_DATA", source, 1);
    setenv("GLASSFORMER_CACHE", "", 1);
    stand->arena = arena_create(FRAME_BYTES);
    if (!stand->arena || !course_init(&stand->course, &errors)) {
        error_list_print(&errors, stderr);
        return -1;
    }
    *state = stand;
    return 0;
}

static inline int tear_down_course(void **state) {
    Stand *stand = *state;
    course_finish(&stand->course);
    arena_destroy(stand->arena);
    free(stand);
    return 0;
}

static inline int begin_session(void **state) {
    Stand *stand = *state;
    stand->session = session_create(&stand->course, NULL);
    return stand->session ? 0 : -1;
}

static inline int end_session(void **state) {
    Stand *stand = *state;
    session_destroy(stand->session);
    return 0;
}

/* Both, for tests that change what the course holds. */
static inline int set_up_session(void **state) {
    return set_up_course(state) || begin_session(state);
}

static inline int tear_down_session(void **state) {
    end_session(state);
    return tear_down_course(state);
}

/* Tests with a session of their own, of the group's course or of a course of their
 * own. */
#define SESSION_TEST(name)                                                               \
    cmocka_unit_test_setup_teardown(name, begin_session, end_session)
#define COURSE_TEST(name)                                                                \
    cmocka_unit_test_setup_teardown(name, set_up_session, tear_down_session)

/* Draws what the session shows; returns the scene's digest. */
static inline uint64_t draw_session(Stand *stand, double width, double height,
                                    bool interactive) {
    TextMetrics metrics = fixed_metrics();
    arena_reset(stand->arena);
    session_draw(stand->session, &stand->scene, stand->arena, &metrics, width, height,
                 interactive);
    assert_true(scene_complete(&stand->scene));
    return scene_digest(&stand->scene);
}

static inline uint64_t look(Stand *stand) {
    return draw_session(stand, WIDTH, HEIGHT, true);
}

/* Returns true if a text of the last picture contains these words. */
static inline bool shows(const Stand *stand, const char *words) {
    return scene_shows(&stand->scene, words);
}

/* Presses keys, separated by blanks, which stand as "_" within a key's name; returns how
 * many of them did nothing. */
static inline size_t try_keys(Stand *stand, const char *keys) {
    char name[SESSION_KEY_SIZE];
    int length;
    size_t idle = 0;
    for (; sscanf(keys, "%31s%n", name, &length) == 1; keys += length) {
        char *blank = strchr(name, '_');
        if (blank)
            *blank = ' ';
        idle += !session_key(stand->session, name);
    }
    return idle;
}

/* The same, where each must do something. */
static inline void press(Stand *stand, const char *keys) {
    if (try_keys(stand, keys))
        fail_msg("one of the keys %s did nothing", keys);
}

/* Opens a lesson of the course, by its place or by its id. */
static inline void open_number(Stand *stand, size_t index) {
    if (!session_open_number(stand->session, index) ||
        !mode_on(stand->session, &mode_lesson))
        fail_msg("lesson %s can't be opened", stand->course.lessons[index].id);
}

static inline void open_lesson(Stand *stand, const char *id) {
    size_t index = course_find(&stand->course, id);
    assert_true(index < stand->course.count);
    open_number(stand, index);
}

/* The lesson's step whose result has this name, among its operations. */
static inline void go_to(Stand *stand, const char *name) {
    const Player *player = &stand->session->player;
    for (size_t i = 0; i < player->step_count; i++) {
        if (!player->steps[i].child_count && strcmp(player->steps[i].name, name) == 0) {
            player_jump(&stand->session->player, i);
            return;
        }
    }
    fail_msg("no operation is called %s", name);
}

static inline size_t statement(const Stand *stand) {
    return player_statement(&stand->session->player);
}

/* Returns true if the words are drawn, in one line or several. */
static inline bool says(const Stand *stand, const char *words) {
    enum { ALL_SIZE = 1 << 16 };
    static char all[ALL_SIZE], wanted[1024];
    const char *from = words;
    size_t length = 0, kept = 0;
    for (size_t i = 0; i < stand->scene.count; i++) {
        const SceneItem *item = &stand->scene.items[i];
        from = item->kind == SCENE_TEXT ? item->text : "";
        for (; *from && length + 1 < sizeof all; from++) {
            if (*from != ' ')
                all[length++] = *from;
        }
    }
    for (from = words; *from && kept + 1 < sizeof wanted; from++) {
        if (*from != ' ')
            wanted[kept++] = *from;
    }
    all[length] = wanted[kept] = 0;
    return strstr(all, wanted) != NULL;
}

/* A click on what is drawn last with this link. */
static inline void click_link(Stand *stand, Link link) {
    look(stand);
    size_t last = stand->scene.count;
    while (last > 0 && !link_equal(stand->scene.items[last - 1].link, link))
        last--;
    assert_true(last > 0);
    Box box = stand->scene.items[last - 1].box;
    session_pointer_press(stand->session, &stand->scene, box.x + box.w / 2,
                          box.y + box.h / 2);
    session_pointer_release(stand->session);
}
