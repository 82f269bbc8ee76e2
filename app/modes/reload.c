#include "session/action.h"
#include "session/state.h"

#include "lesson/play/changes_draft.h"
#include "picture/panels/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Files: lessons that their authors are writing are read anew as they are saved. */

static const double SAID_LONG = 2500; /* milliseconds */
enum { SCRATCH_BYTES = 64 << 20, ERRORS_SHOWN = 3 };

/* ---- errors ---- */

void reload_tell(Session *session, const char *path, const ErrorList *errors) {
    Watched *watched = &session->watched;
    watched->errors.count = watched->errors.dropped = 0;
    if (!errors)
        return;
    watched->errors = *errors;
    watched->name = path;
    watched->errors.file = path;
}

/* Whether the errors are those of the lesson that is shown: these stay until it is
 * mended.
 */
static bool is_of_shown(const Session *session) {
    return mode_on(session, &mode_lesson) &&
           strcmp(session->lesson->file, session->watched.name) == 0;
}

bool reload_dismiss(Session *session) {
    if (!session->watched.errors.count || is_of_shown(session))
        return false;
    reload_tell(session, NULL, NULL);
    return true;
}

double reload_strip(const Session *session, const Canvas *canvas, bool draw) {
    const ErrorList *errors = &session->watched.errors;
    const char *lines[ERRORS_SHOWN + 1] = {0};
    Arena *arena = canvas->scene->arena;
    size_t count = 0;
    if (!errors->count)
        return 0;
    const char *slash = strrchr(session->watched.name, '/');
    const char *name = slash ? slash + 1 : session->watched.name;
    for (; count < errors->count && count < ERRORS_SHOWN; count++) {
        const Error *error = &errors->items[count];
        lines[count] = error->line
                           ? arena_format(arena, "%s:%d:%d: %s", name, error->line,
                                          error->column, error->message)
                           : arena_format(arena, "%s: %s", name, error->message);
        if (!lines[count])
            return 0;
    }
    size_t more = errors->count + errors->dropped - count;
    if (more)
        lines[count++] =
            canvas_words(canvas, "reload.more", canvas_count(canvas, more), NULL);
    return help_problems(canvas,
                         is_of_shown(session) ? "reload.broken" : "reload.not_opened",
                         lines, count, draw);
}

/* ---- reading anew ---- */

bool session_has_file(const Session *session) {
    return mode_on(session, &mode_lesson) && !session->number;
}

void reload_watch(Session *session) {
    session->watched.read = session->watched.last = file_stamp(session->lesson->file);
    reload_tell(session, NULL, NULL);
}

void reload_note_changes(Session *session) {
    Arena *arena =
        changes_undoable(session->lesson->changes) ? arena_create(SCRATCH_BYTES) : NULL;
    const char *list = arena ? changes_list(&session->player, arena) : NULL;
    free(session->watched.changes);
    session->watched.changes = list ? strdup(list) : NULL;
    arena_destroy(arena);
}

void reload_change_again(Session *session) {
    Watched *watched = &session->watched;
    Arena *arena = watched->changes ? arena_create(SCRATCH_BYTES) : NULL;
    ChangesDraft draft;
    if (arena && changes_draft_read(&draft, watched->changes, arena)) {
        size_t left_out;
        changes_draft_apply(&session->player, &draft, &left_out);
        if (left_out)
            session_say(session, "change.left_out", NULL, NULL);
    }
    watched->carried = changes_undoable(session->lesson->changes);
    arena_destroy(arena);
}

/* The place that is kept: the same step, or the one of its name wherever that has gone.
 */
static Arrival place_of(const Session *session) {
    const PlayerStep *step = player_step(&session->player);
    Arrival place = {.cell = session->player.cell,
                     .statement = player_statement(&session->player),
                     .moves = VARIANT_STAYS,
                     .reloads = true,
                     .carries = true,
                     .panel = mode_on(session, &mode_switches)};
    snprintf(place.path, sizeof place.path, "%s", step->path);
    snprintf(place.name, sizeof place.name, "%s", step->name);
    return place;
}

bool session_look_at_file(Session *session) {
    Watched *watched = &session->watched;
    if (!session_has_file(session) || session_is_opening(session) ||
        session_is_writing(session))
        return false;
    FileStamp now = file_stamp(session->lesson->file);
    bool settled = file_stamp_equal(now, watched->last);
    watched->last = now;
    if (!now.number || !settled || file_stamp_equal(now, watched->read))
        return false;
    ErrorList errors = {0};
    Variant variant = variant_of(session->lesson, session->entry);
    LessonOptions options = {.text = variant.text, .bare = variant.bare};
    if (variant_is_switched(&variant))
        options.switches = &variant.switches;
    watched->read = now;
    reload_note_changes(session);
    opening_begin(session, session->entry, place_of(session), &options, &errors);
    return true;
}

bool reload_take(Session *session, Lesson *lesson, const Player *player,
                 const ErrorList *errors) {
    CourseLesson *entry = session->entry, before = *entry;
    FileStamp read = session->watched.read;
    Variant variant = variant_of(session->lesson, entry);
    bool own = !variant_is_plain(&variant);
    if (!lesson) {
        reload_tell(session, entry->path, errors);
        return false;
    }
    entry->lesson = own ? NULL : lesson;
    entry->own = own ? lesson : NULL;
    *(own ? &entry->own_player : &entry->player) = *player;
    entry->tried = !own; /* else it is read when all is taken back */
    bool practised = mode_on(session, &mode_practise);
    if (!opening_show(session, entry, &session->opening.arrival)) {
        *entry = before;
        lesson_destroy(lesson);
        return false;
    }
    session->watched.read = read;
    course_lesson_finish(&before);
    session_say(session, practised ? "reload.practised" : "reload.again", NULL, NULL);
    session->message_left = practised ? 0 : SAID_LONG;
    return true;
}

/* ---- dropping ---- */

void session_drop(Session *session, const char *path) {
    ErrorList errors = {.file = path};
    const char *copy =
        path ? arena_copy(session->course->arena, path, strlen(path)) : NULL;
    session->message[0] = 0;
    if (!copy)
        session_lacks_memory(session);
    else if (!session_open(session, copy, &errors) && errors.count)
        reload_tell(session, copy, &errors);
}
