#include "session/session_actions.h"

#include "base/number.h"
#include "lesson/formula/evaluate.h"
#include "lesson/read/changes_file.h"
#include "picture/explain/page_focus.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Cells that are set by hand, and all that is undone, restored and compared. */

enum { SCRATCH_BYTES = 4 << 20 };

static const Tape *tape_of(const Session *session) {
    return session->lesson->tape;
}

/* ---- which cell ---- */

/* The cell that a change is about: the pinned one, else the one that is explained. */
static bool find_cell(const Session *session, EditedCell *cell) {
    Page page = {.player = &session->player,
                 .view = session_tensor_view(session),
                 .has_focus = session->has_pin,
                 .focus = session->pin};
    if (!page_focus(&page, &cell->node, &cell->row, &cell->col))
        return false;
    cell->shown = (Link){LINK_CELL, cell->node, cell->row, cell->col};
    changes_resolve(tape_of(session), &cell->node, &cell->row, &cell->col);
    return true;
}

static bool cell_of_link(const Session *session, Link link, EditedCell *cell) {
    if (link.index >= tape_count(tape_of(session)))
        return false;
    const Tensor *tensor = &tape_node(tape_of(session), link.index)->output;
    link.kind = LINK_CELL;
    *cell = (EditedCell){link, link.index, link.row, link.col};
    if (link.row >= tensor->rows || link.col >= tensor->cols)
        return false;
    changes_resolve(tape_of(session), &cell->node, &cell->row, &cell->col);
    return true;
}

static double value_of(const Session *session, const EditedCell *cell) {
    return tensor_at(&tape_node(tape_of(session), cell->node)->output, cell->row,
                     cell->col);
}

const char *edited_cell_name(const Session *session, const EditedCell *cell,
                             Arena *arena) {
    const TapeNode *node = tape_node(tape_of(session), cell->node);
    const char *name =
        node->name[0] ? node->name : changes_name(&session->player, cell->node, arena);
    const Tensor *tensor = &node->output;
    const char *row = tensor->row_labels ? tensor->row_labels[cell->row]
                                         : arena_format(arena, "%zu", cell->row);
    const char *col = tensor->col_labels ? tensor->col_labels[cell->col]
                                         : arena_format(arena, "%zu", cell->col);
    return name && row && col ? arena_format(arena, "%s[%s, %s]", name, row, col) : NULL;
}

/* ---- typing a number ---- */

/* Signs as the program writes them itself, as a statement has them. */
static const char *as_statement(Arena *arena, const char *text) {
    static const struct {
        const char *sign, *written;
    } signs[] = {{"−", "-"}, {"∞", "inf"}, {"×", "*"}, {"÷", "/"}};
    const char *so_far = arena_copy(arena, text, strlen(text));
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *at;
        while (so_far && (at = strstr(so_far, signs[i].sign)))
            so_far = arena_format(arena, "%.*s%s%s", (int)(at - so_far), so_far,
                                  signs[i].written, at + strlen(signs[i].sign));
    }
    return so_far;
}

/* Reads a number, or an expression of numbers; says why it can't be. */
static bool read_value(Session *session, const char *text, Arena *arena, double *value) {
    Error error = {0};
    Statement statement;
    Names names = {.arena = arena};
    const char *source = as_statement(arena, text);
    Evaluation evaluation = {.arena = arena,
                             .tape = session->lesson->tape,
                             .names = &names,
                             .statement = &statement,
                             .error = &error};
    if (strchr(text, ',') && !strchr(text, '(')) {
        session_say(session, "change.comma", text, NULL);
        return false;
    }
    bool read = source && statement_parse(arena, source, &statement, &error) &&
                !statement.name &&
                evaluate_number(&evaluation, statement.value, "a cell", value);
    if (!read)
        session_say(session, "change.no_number", text, NULL);
    else if (isnan(*value))
        session_say(session, "change.undefined", text, NULL);
    return read && !isnan(*value);
}

static bool set_cell(Session *session, const EditedCell *cell, double value, bool joins) {
    char shown[NUMBER_SIZE];
    bool is_set =
        tape_cell_edited(tape_of(session), cell->node, cell->row, cell->col, NULL);
    if (value == value_of(session, cell)) {
        session_say(session, "change.same", number_format_short(shown, value, 6), NULL);
        return is_set;
    }
    if (changes_set(session->lesson->changes, cell->node, cell->row, cell->col, value,
                    joins))
        return true;
    session_say(session, "change.failed", NULL, NULL);
    return false;
}

static bool use_number(Session *session, const char *text) {
    Arena *arena = arena_create(SCRATCH_BYTES);
    double value;
    bool read = arena && read_value(session, text, arena, &value);
    if (read)
        set_cell(session, &session->edited, value, false);
    arena_destroy(arena);
    return read;
}

static bool begin_edit(Session *session, const EditedCell *cell) {
    static const SessionPrompt prompt = {"change.title", "change.keys", use_number, true};
    char text[NUMBER_SIZE];
    session->edited = *cell;
    begin_writing(session, &prompt, number_write(text, value_of(session, cell)));
    return true;
}

bool edit_cell(Session *session) {
    EditedCell cell;
    if (find_cell(session, &cell))
        return begin_edit(session, &cell);
    session_say(session, "change.none", NULL, NULL);
    return true;
}

bool edit_link(Session *session, Link link) {
    EditedCell cell;
    if (!cell_of_link(session, link, &cell))
        return false;
    session->has_pin = true;
    session->pin = cell.shown;
    return begin_edit(session, &cell);
}

/* ---- nudging ---- */

static void say_nudged(Session *session, const EditedCell *cell, const char *key,
                       double value, double step) {
    Arena *arena = arena_create(1 << 16);
    char shown[NUMBER_SIZE], steps[NUMBER_SIZE];
    const char *name = arena ? edited_cell_name(session, cell, arena) : NULL;
    const char *now =
        name ? arena_format(arena, "%s = %s", name, number_format_short(shown, value, 6))
             : NULL;
    if (now)
        session_say(session, key, now, number_format_short(steps, step, 12));
    arena_destroy(arena);
}

static bool nudge(Session *session, const EditedCell *cell, int steps, bool joins) {
    double before = value_of(session, cell);
    double step = changes_step(tape_of(session), cell->node);
    if (!isfinite(before)) {
        say_nudged(session, cell, "change.not_nudged", before, step);
        return true;
    }
    double value = changes_nudged(before, step, steps);
    if (set_cell(session, cell, value, joins))
        say_nudged(session, cell, "change.nudged", value, step);
    return true;
}

static bool nudge_found(Session *session, int steps) {
    EditedCell cell;
    if (find_cell(session, &cell))
        return nudge(session, &cell, steps, false);
    session_say(session, "change.none", NULL, NULL);
    return true;
}

bool nudge_down(Session *session) {
    return nudge_found(session, -1);
}

bool nudge_up(Session *session) {
    return nudge_found(session, 1);
}

bool nudge_link(Session *session, Link link, int steps) {
    EditedCell cell;
    return cell_of_link(session, link, &cell) && nudge(session, &cell, steps, true);
}

/* ---- back and forth ---- */

bool undo(Session *session) {
    if (!changes_undo(session->lesson->changes))
        session_say(session, "change.nothing_to_undo", NULL, NULL);
    return true;
}

bool redo(Session *session) {
    if (!changes_redo(session->lesson->changes))
        session_say(session, "change.nothing_to_redo", NULL, NULL);
    return true;
}

bool restore(Session *session) {
    bool restored = changes_restore(session->lesson->changes);
    if (restored && !session_base(session))
        session->compares = false; /* nothing is left to compare with */
    session_say(session, restored ? "mute.restored" : "mute.nothing", NULL, NULL);
    return true;
}

/* ---- comparing ---- */

const Tape *session_base(const Session *session) {
    const CourseLesson *entry = session->entry;
    const Lesson *own = session->lesson, *plain = entry ? entry->lesson : NULL;
    if (!plain || own != entry->own || own->own_text)
        return NULL;
    return plain->tape;
}

bool toggle_differences(Session *session) {
    bool can = changes_any(session->lesson->changes) || session_base(session);
    if (!session->compares && !can) {
        session_say(session, "change.nothing_to_compare", NULL, NULL);
        return true;
    }
    session->compares = !session->compares;
    return true;
}

/* ---- keeping ---- */

bool keep_changes(Session *session) {
    if (changes_any(session->lesson->changes) || session->lesson == session->entry->own)
        session->request = SESSION_KEEP;
    else
        session_say(session, "change.nothing_to_keep", NULL, NULL);
    return true;
}
