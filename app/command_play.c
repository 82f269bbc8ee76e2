#include "commands.h"

#include "picture/views.h"
#include "report.h"
#include "save.h"
#include "sheet.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEY_NAME_SIZE = FIELD_SIZE + 1, PLAY_MAX_MEMORY = 4 << 20 };

/* ---- keys ---- */

/* The next word of *keys, moving *keys behind it; false at the end. What stands in
 * quotes is a text to be typed, given with the opening one. A word longer than any key's
 * name, and a text longer than any field, is cut. */
static bool next_key(const char **keys, char name[KEY_NAME_SIZE]) {
    static const char blanks[] = " \t\n";
    *keys += strspn(*keys, blanks);
    bool quoted = **keys == '"';
    size_t length = quoted ? 1 + strcspn(*keys + 1, "\"") : strcspn(*keys, blanks);
    snprintf(name, KEY_NAME_SIZE, "%.*s", (int)length, *keys);
    *keys += length + (quoted && (*keys)[length]);
    return length > 0;
}

/* Every name is checked before any key is pressed. */
static bool check_keys(const char *keys, Error *error) {
    char name[KEY_NAME_SIZE];
    while (next_key(&keys, name)) {
        if (name[0] == '"' || session_key_exists(name))
            continue;
        const char *nearest = session_nearest_key(name);
        if (nearest)
            return error_set(error, ERROR_USAGE, 0, 0,
                             "there is no key '%s'; did you mean '%s'?", name, nearest);
        return error_set(error, ERROR_USAGE, 0, 0,
                         "no key is called '%s'; the key '?' shows those that do "
                         "something, in the window's help",
                         name);
    }
    return true;
}

/* Presses the keys until they end or one of them quits. */
static bool press_keys(Session *session, const CommandLine *line, Arena *arena,
                       Error *error) {
    const char *keys = line->keys;
    char name[KEY_NAME_SIZE];
    while (next_key(&keys, name)) {
        if (name[0] == '"') {
            session_type(session, name + 1);
            continue;
        }
        session_key(session, name);
        SessionRequest request = session_take_request(session);
        if (request == SESSION_QUIT)
            return true;
        if (request != SESSION_SAVE)
            continue;
        const char *path =
            save_picture(session, line->out, line->width, line->height, arena, error);
        if (!path)
            return false;
        fprintf(stderr, "Saved %s\n", path);
    }
    return true;
}

/* ---- where it ended ---- */

static json_t *edits_of(const Tape *tape) {
    json_t *edits = json_array();
    for (size_t i = 0; i < tape_edit_count(tape); i++) {
        const TapeEdit *edit = tape_edit_at(tape, i);
        json_t *value = isnan(edit->value) ? json_string("nan")
                        : isinf(edit->value)
                            ? json_string(edit->value > 0 ? "inf" : "-inf")
                            : json_real(edit->value);
        json_array_append_new(
            edits, json_pack("[sIIo]", tape_node(tape, edit->node)->name,
                             (json_int_t)edit->row, (json_int_t)edit->col, value));
    }
    return edits;
}

static json_t *muted_of(const Tape *tape) {
    json_t *muted = json_array();
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (node->muted)
            json_array_append_new(
                muted, json_string(node->name[0] ? node->name
                                                 : operation_of(node->operation)->name));
    }
    return muted;
}

static json_t *place_of(const Session *session) {
    const PlayerStep *step = player_step(&session->player);
    size_t row, col;
    bool on_cell = player_cell(&session->player, &row, &col);
    json_t *cell =
        on_cell ? json_pack("[II]", (json_int_t)row, (json_int_t)col) : json_null();
    return json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:o}", "lesson", session->lesson->id,
                     "path", step->path, "name", step->name, "depth",
                     (json_int_t)(step->depth + on_cell), "cell", cell, "edited",
                     edits_of(session->lesson->tape), "muted",
                     muted_of(session->lesson->tape));
}

/* How the present step's tensor is drawn. */
static const char *view_of(const Session *session) {
    const char *name =
        lesson_view_name(views_present(&session->player, session_tensor_view(session)));
    return name[0] ? name : "picture";
}

/* In the overview there is no lesson, but one that Return would open. */
static bool print_state(const Session *session) {
    bool overview = session->view == SESSION_OVERVIEW;
    json_t *state = overview ? json_pack("{s:n, s:s}", "lesson", "chosen",
                                         session->course->lessons[session->chosen].id)
                             : place_of(session);
    json_t *rest = json_pack(
        "{s:s, s:s, s:s, s:b, s:s?, s:s?}", "language", language_code(session->language),
        "theme", session->theme->name, "view", overview ? "overview" : view_of(session),
        "help", session->help, "writing", session->prompt ? session->field.text : NULL,
        "message", session->message[0] ? session->message : NULL);
    bool printed = state && rest && json_object_update(state, rest) == 0 &&
                   json_dumpf(state, stdout, JSON_REAL_PRECISION(17)) == 0;
    if (printed)
        puts("");
    json_decref(state);
    json_decref(rest);
    return printed || ferror(stdout); /* main tells of what could not be written */
}

static bool write_png(Session *session, const CommandLine *line, Error *error) {
    report_fonts();
    Sheet *sheet = sheet_create(line->width, line->height, error);
    bool written = sheet && sheet_lay_out(sheet, session, error) &&
                   sheet_write(sheet, line->png, error);
    sheet_destroy(sheet);
    return written;
}

static bool play(Session *session, const CommandLine *line, Error *error) {
    Arena *arena = arena_create(PLAY_MAX_MEMORY);
    bool played = arena ? press_keys(session, line, arena, error)
                        : error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    arena_destroy(arena);
    if (!played || (line->png && !write_png(session, line, error)))
        return false;
    return print_state(session) ||
           error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
}

ExitCode command_play(Course *course, const CommandLine *line) {
    Error error;
    if (!check_keys(line->keys, &error))
        return report_error(&error);
    Session session;
    session_init(&session, course);
    session.language = line->language;
    if (line->theme)
        session.theme = themes_lookup(&course->themes, line->theme);
    ErrorList errors = {0};
    ExitCode code = EXIT_DONE;
    if (line->lesson_count && !session_open(&session, line->lessons[0], &errors)) {
        code = report_errors(&errors);
    } else if (!play(&session, line, &error)) {
        code = report_error(&error);
    }
    session_finish(&session);
    return code;
}
