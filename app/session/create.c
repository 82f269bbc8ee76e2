#include "picture/home/home.h"
#include "picture/scene/theme.h"
#include "session/state.h"

#include <stdlib.h>

Session *session_create(Course *course, const char *theme) {
    Session *session = malloc(sizeof *session);
    if (!session)
        return NULL;
    *session = (Session){.course = course,
                         .language = course->language,
                         .theme = theme ? themes_lookup(&course->themes, theme)
                                        : &course->themes.items[0],
                         .text_scale = 1,
                         .back_row = 1,
                         .width = 1600,
                         .height = 900,
                         .play = {.speed = PACE_NORMAL}};
    if (!mode_states_create(session)) {
        free(session);
        return NULL;
    }
    home_state(session)->lessons =
        arena_alloc(course->arena, course->room, sizeof *home_state(session)->lessons);
    home_enter(session);
    return session;
}

void session_destroy(Session *session) {
    if (!session)
        return;
    mode_begin(session, &mode_nothing);
    variant_finish(&session->variants);
    course_lesson_finish(&session->files[0]);
    course_lesson_finish(&session->files[1]);
    free(session->watched.changes);
    free(follow_path(session)->places);
    free(session->copied);
    mode_states_destroy(session);
    free(session);
}
