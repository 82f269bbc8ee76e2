#include "session/state.h"

#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/play/changes_file.h"
#include "picture/overlays/overlays.h"
#include "session/mode.h"

#include <stdlib.h>
#include <string.h>

/* Reloading: lessons are read again as their authors save them. */

enum { SCRATCH_BYTES = 64 << 20, ERRORS_SHOWN = 3 };

/* ---- errors ---- */

void reload_report(Session *session, const char *path, const ErrorList *errors) {
    Watched *watched = &session->watched;
    watched->errors.count = watched->errors.dropped = 0;
    if (!errors)
        return;
    watched->errors = *errors;
    watched->name = path;
    watched->errors.file = path;
}

/* True if the errors are of the lesson that is shown; these stay until the file is
 * corrected. */
static bool is_of_shown(const Session *session) {
    return mode_on(session, &mode_lesson) &&
           strcmp(session->lesson->file, session->watched.name) == 0;
}

bool reload_dismiss(Session *session) {
    if (!session->watched.errors.count || is_of_shown(session))
        return false;
    reload_report(session, NULL, NULL);
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
    }
    size_t more = errors->count + errors->dropped - count;
    if (more)
        lines[count++] =
            canvas_words(canvas, "reload.more", canvas_count(canvas, more), NULL);
    return help_problems(canvas,
                         is_of_shown(session) ? "reload.broken" : "reload.not_opened",
                         lines, count, draw);
}

/* ---- reading again ---- */

void reload_watch(Session *session) {
    session->watched.read = session->watched.last = file_stamp(session->lesson->file);
    reload_report(session, NULL, NULL);
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
            session_show_message(session, "change.left_out", NULL, NULL);
    }
    watched->carried = changes_undoable(session->lesson->changes);
    arena_destroy(arena);
}
