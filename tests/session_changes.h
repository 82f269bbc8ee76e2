/* Sessions in which numbers, texts and the model are changed: what the tests of it have
 * in common. */
#pragma once

#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "session_stand.h"

#include <string.h>

/* Undoes the changes of a test, because lessons stay loaded. */
static inline int tear_down(void **state) {
    Stand *stand = *state;
    for (size_t i = 0; i < stand->course.count; i++) {
        CourseLesson *entry = &stand->course.lessons[i];
        while (entry->lesson && changes_undo(entry->lesson->changes)) {
        }
        lesson_destroy(entry->own);
        entry->own = NULL;
    }
    return end_session(state);
}

/* Changes the explained cell by its button. */
static inline void begin_change(Stand *stand) {
    action_do(stand->session, action_number("change_cell"));
}

static inline void type(Stand *stand, const char *text) {
    begin_change(stand);
    assert_true(session_is_writing(stand->session));
    assert_true(session_type(stand->session, text));
    try_keys(stand, "Return");
}

static inline const Changes *changes(const Stand *stand) {
    return stand->session->lesson->changes;
}

static inline const TransformerShape *shape(const Stand *stand) {
    return &stand->session->lesson->model->shape;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_session, tear_down)
