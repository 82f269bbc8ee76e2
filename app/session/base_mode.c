#include "picture/home/home.h"
#include "picture/scene/theme.h"
#include "session/state.h"

#include <stdlib.h>

HomeState *home_state(const Session *session) {
    return mode_state(session, &mode_home);
}

/* True if a lesson of the course was left at its last step, as far as that is noted. */
static bool is_finished(const Session *session, size_t lesson) {
    MemoryPlace place;
    return session->memory &&
           memory_place(session->memory, session->course->lessons[lesson].id, &place) &&
           place.steps && place.step == place.steps;
}

/* The place behind a finished lesson: in the next one that isn't finished. */
static HomePlace behind(const Session *session, size_t lesson) {
    Course *course = session->course;
    size_t next = course_after(course, lesson), count = course->count;
    while (next < count && is_finished(session, next))
        next = course_after(course, next);
    return (HomePlace){next < count ? next : lesson, 0, true, false};
}

HomePlace home_place(const Session *session) {
    MemoryPlace last;
    HomePlace left = home_state(session)->left;
    if (left.known)
        return left.ended ? behind(session, left.lesson) : left;
    HomePlace beginning = {course_beginning(session->course), 0, false, false};
    if (!session->memory || !memory_last(session->memory, &last))
        return beginning;
    size_t lesson = course_find(session->course, last.lesson);
    if (lesson == session->course->all) /* a file goes by its path */
        lesson = course_of_file(session->course, last.lesson);
    if (lesson >= session->course->all)
        return beginning;
    if (lesson < session->course->count && last.steps && last.step == last.steps)
        return behind(session, lesson);
    return (HomePlace){lesson, last.step ? last.step - 1 : 0, true, false};
}

/* Notes the state of a lesson before it is left. */
void mode_begin(Session *session, const Mode *bottom) {
    session_remember(session);
    while (session->mode_count)
        mode_leave(session, session->modes[session->mode_count - 1]);
    mode_enter(session, bottom);
    session->leaving = NULL;
    session->shown++;
}

void home_note_place(Session *session) {
    Course *course = session->course;
    const CourseLesson *entry = session->entry;
    if (!session_reads(session))
        return;
    size_t lesson = (size_t)(entry - course->lessons);
    if (location_is_file(session, entry)) {
        course_add_file(course, entry->path);
        lesson = course_of_file(course, entry->path);
    }
    bool ended = lesson < course->count && lesson_ends(&session->player);
    home_state(session)->left = (HomePlace){lesson, player_statement(&session->player),
                                            lesson < course->all, ended};
    session_remember(session);
}

void home_enter(Session *session) {
    home_note_place(session);
    returns_forget(session);
    mode_begin(session, &mode_home);
    home_state(session)->chosen = home_state(session)->door = (Link){0};
    home_state(session)->choosing = false;
    home_state(session)->time = home_state(session)->scroll = 0;
}

/* ---- a session ---- */

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
                         .words = WORDS_STORY,
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
