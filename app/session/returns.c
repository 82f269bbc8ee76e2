#include "session/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The places that links were followed from, so that Escape leads back. */

/* The course's number of the lesson shown, from 0; of a file, which is listed for that,
 * behind the course's own. The course's `all` if there is no room for it. */
static size_t lesson_shown(const Session *session) {
    Course *course = session->course;
    if (!location_is_file(session, session->entry))
        return (size_t)(session->entry - course->lessons);
    course_add_file(course, session->entry->path);
    return course_of_file(course, session->entry->path);
}

bool returns_note(Session *session) {
    Returns *returns = &session->returns;
    size_t lesson =
        mode_on(session, &mode_lesson) ? lesson_shown(session) : session->course->all;
    if (lesson >= session->course->all)
        return false;
    if (returns->count == RETURNS_MAX)
        memmove(returns->places, returns->places + 1,
                --returns->count * sizeof *returns->places);
    ReturnPlace *place = &returns->places[returns->count++];
    *place = (ReturnPlace){.lesson = lesson, .cell = session->player.cell};
    snprintf(place->path, sizeof place->path, "%s", player_step(&session->player)->path);
    return true;
}

/* "8 · One attention head, by hand", new in the arena. */
static const char *title_of(const Session *session, size_t lesson, Arena *arena) {
    Course *course = session->course;
    const char *title = course_title(course, lesson, session->language);
    unsigned long number = strtoul(course->lessons[lesson].id, NULL, 10);
    return number && lesson < course->count
               ? arena_format(arena, "%lu · %s", number, title)
               : title;
}

void returns_arrive(Session *session) {
    enum { SCRATCH_BYTES = 1 << 16 };
    Returns *returns = &session->returns;
    returns->arrived = session->player.step;
    Arena *arena = session->message[0] ? NULL : arena_create(SCRATCH_BYTES);
    const ReturnPlace *place = &returns->places[returns->count - 1];
    const char *title = arena ? title_of(session, place->lesson, arena) : NULL;
    if (title)
        session_show_message(session, "page.returns", title, place->path);
    arena_destroy(arena);
}

void returns_forget(Session *session) {
    session->returns.count = 0;
}

bool returns_exist(const Session *session) {
    return session->returns.count > 0;
}

bool returns_arrived(const Session *session) {
    return returns_exist(session) && session->returns.arrived == session->player.step;
}

bool returns_go(Session *session) {
    Returns *returns = &session->returns;
    if (!returns->count)
        return false;
    ReturnPlace place = returns->places[--returns->count];
    returns->arrived = PLAYER_NONE;
    Arrival arrival = {.cell = place.cell, .statement = 0, .returns = true};
    snprintf(arrival.path, sizeof arrival.path, "%s", place.path);
    ErrorList errors = {0};
    return opening_begin(session, &session->course->lessons[place.lesson], arrival, NULL,
                         &errors) ||
           session->message[0];
}
