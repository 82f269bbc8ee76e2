#include "actions/actions.h"

#include "base/number.h"
#include "lesson/content/changes.h"
#include "lesson/formula/formula.h"
#include "lesson/play/changes_file.h"
#include "picture/explain/explain.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { SCRATCH_BYTES = 4 << 20 };

static const Tape *tape_of(const Session *session) {
    return session->lesson->tape;
}

/* ---- which cell ---- */

/* The cell that a change is about: the pinned one, else the one that is explained or, if
 * the page doesn't draw that, its first one. False where the page has no cells. */
static bool find_cell(const Session *session, EditedCell *cell) {
    bool pinned = mode_on(session, &mode_pin);
    bool drawn = session->drawn_for == session->lesson &&
                 session->drawn_step == session->player.step &&
                 session->player.cell == PLAYER_NONE &&
                 player_step(&session->player)->frame == PLAYER_NONE;
    if (!pinned && drawn && !session->drawn_cell.kind)
        return false;
    Page page = {.player = &session->player,
                 .view = session_tensor_view(session),
                 .has_focus = pinned || drawn,
                 .focus = pinned ? session->pin : session->drawn_cell};
    if (!page_focus(&page, &cell->node, &cell->row, &cell->col))
        return false;
    cell->shown = (Link){LINK_CELL, cell->node, cell->row, cell->col};
    changes_resolve(tape_of(session), &cell->node, &cell->row, &cell->col);
    return true;
}

static const char *no_cell(const Session *session) {
    EditedCell cell;
    return find_cell(session, &cell) ? NULL : "change.none";
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

const char *edit_cell_name(const Session *session, const EditedCell *cell, Arena *arena) {
    const TapeNode *node = tape_node(tape_of(session), cell->node);
    const char *name = node->name[0] ? tensor_name(session, cell->node, arena, NULL, NULL)
                                     : changes_name(&session->player, cell->node, arena);
    const Tensor *tensor = &node->output;
    const char *row =
        tensor_position_name(tensor->row_labels, tensor->rows, cell->row, arena);
    const char *col =
        tensor_position_name(tensor->col_labels, tensor->cols, cell->col, arena);
    return name && row && col ? arena_format(arena, "%s[%s, %s]", name, row, col) : NULL;
}

bool changes_shown(const Session *session) {
    const Tape *tape = tape_of(session);
    size_t node = player_step(&session->player)->node;
    const TapeNode *shown = tape_node(tape, node);
    bool any = tape_changed(tape, node);
    const LessonStep *step =
        &session->lesson->steps[player_step(&session->player)->statement];
    for (size_t i = 0; i < shown->input_count; i++)
        any |= tape_changed(tape, shown->inputs[i]);
    for (size_t i = 0; i < step->shown_count; i++)
        any |= tape_changed(tape, step->shown[i]);
    return any;
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

/* Puts points in place of decimal commas, each of which has a digit behind it; in a
 * number with two of them, or a point too, they stay, and where parentheses may hold a
 * list. New in the arena. */
static const char *with_points(Arena *arena, const char *text) {
    char *copy = arena_copy(arena, text, strlen(text));
    for (char *at = copy; at && *at && !strchr(text, '('); at++) {
        if (!isdigit((unsigned char)*at) && *at != ',')
            continue;
        size_t length = strspn(at, "0123456789.,"), whole = strcspn(at, ".,");
        bool once = whole < length && strcspn(at + whole + 1, ".,") >= length - whole - 1;
        if (once && at[whole] == ',' && isdigit((unsigned char)at[whole + 1]))
            at[whole] = '.';
        at += length - 1;
    }
    return copy;
}

/* Reads a number, or an expression of numbers; says why it can't be. */
typedef struct NumberReader {
    Tape *tape;
    Arena *arena;
    const char *text;
    double value;
    bool good, beyond; /* beyond: it has a number past what doubles reach */
} NumberReader;

/* Under the arena's guard. */
static void read_guarded(void *context) {
    NumberReader *this = context;
    Error error = {0};
    Statement statement;
    Names names = {.arena = this->arena};
    Evaluation evaluation = {.arena = this->arena,
                             .tape = this->tape,
                             .names = &names,
                             .statement = &statement,
                             .error = &error};
    bool parsed = statement_parse(this->arena, as_statement(this->arena, this->text),
                                  &statement, &error);
    this->beyond = !parsed && error.code == ERROR_VALUE;
    this->good = parsed && !statement.name &&
                 evaluate_number(&evaluation, statement.value, "a cell", &this->value);
}

static bool read_value(Session *session, const char *text, Arena *arena, double *value) {
    NumberReader reader = {
        .tape = session->lesson->tape, .arena = arena, .text = with_points(arena, text)};
    if (!reader.text)
        return false;
    if (strpbrk(reader.text, ",") && !strchr(text, '(')) {
        session_show_message(session, "change.comma", text, NULL);
        return false;
    }
    bool read = arena_guard(arena, read_guarded, &reader) && reader.good;
    *value = reader.value;
    if (!read)
        session_show_message(
            session, reader.beyond ? "change.beyond" : "change.no_number", text, NULL);
    else if (isnan(*value))
        session_show_message(session, "change.undefined", text, NULL);
    return read && !isnan(*value);
}

/* Reports whether a cell can have a value; if not, a message says that it is no ID. */
static bool can_be(Session *session, const EditedCell *cell, double value) {
    char shown[NUMBER_SIZE];
    bool can = tape_accepts(tape_of(session), cell->node, cell->row, cell->col, value,
                            &(Error){0});
    if (!can)
        session_show_message(session, "change.no_id",
                             number_format_short(shown, value, 6), NULL);
    return can;
}

static bool set_cell(Session *session, const EditedCell *cell, double value, bool joins) {
    char shown[NUMBER_SIZE];
    bool is_set =
        tape_cell_edited(tape_of(session), cell->node, cell->row, cell->col, NULL);
    if (value == value_of(session, cell)) {
        session_show_message(session, "change.same", number_format_short(shown, value, 6),
                             NULL);
        return is_set;
    }
    if (changes_set(session->lesson->changes, cell->node, cell->row, cell->col, value,
                    joins)) {
        variant_forget_behind(&session->variants);
        return true;
    }
    session_report_no_change(session);
    return false;
}

static bool use_number(Session *session, const char *text) {
    Arena *arena = arena_create(SCRATCH_BYTES);
    double value;
    bool read = arena && read_value(session, text, arena, &value) &&
                can_be(session, &prompt_state(session)->edited, value);
    session->short_of_memory |= !arena || arena_exhausted(arena);
    const PromptState *state = prompt_state(session);
    if (read && !(state->turned && value == value_of(session, &state->edited)))
        set_cell(session, &state->edited, value, state->turned);
    arena_destroy(arena);
    return read;
}

/* Opens the field with a text; NULL: the cell's number, selected. */
static bool begin_edit(Session *session, const EditedCell *cell, const char *text) {
    static const Prompt prompt = {.title = "change.title",
                                  .keys = "change.keys",
                                  .use = use_number,
                                  .at_cell = true};
    char number[NUMBER_SIZE];
    prompt_state(session)->edited = *cell;
    prompt_begin(session, &prompt,
                 text ? text : number_write(number, value_of(session, cell)));
    if (text)
        field_key(&session->field, "End");
    return true;
}

/* A cell that isn't the explained one is pinned, so that its frame shows which it is. */
static bool edit_found(Session *session) {
    EditedCell cell;
    FollowCell explained = {0};
    if (!find_cell(session, &cell))
        return false;
    bool framed = lesson_explained_cell(session, &explained) &&
                  link_equal(cell.shown, (Link){LINK_CELL, explained.node, explained.row,
                                                explained.col});
    if (!framed)
        pin_put(session, cell.shown);
    return begin_edit(session, &cell, NULL);
}

bool edit_pinned_with(Session *session, const char *text) {
    EditedCell cell;
    return mode_on(session, &mode_pin) && find_cell(session, &cell) &&
           begin_edit(session, &cell, text);
}

bool edit_cell_of(Session *session, Link link) {
    EditedCell cell;
    if (!cell_of_link(session, link, &cell))
        return false;
    pin_put(session, cell.shown);
    return begin_edit(session, &cell, NULL);
}

/* ---- nudging ---- */

static void show_nudged(Session *session, const EditedCell *cell, const char *key,
                        double value, double step) {
    Arena *arena = arena_create(1 << 16);
    char shown[NUMBER_SIZE], steps[NUMBER_SIZE];
    const char *name = arena ? edit_cell_name(session, cell, arena) : NULL;
    const char *now =
        name ? arena_format(arena, "%s = %s", name, number_format_short(shown, value, 6))
             : NULL;
    if (now)
        session_show_message(session, key, now, number_format_short(steps, step, 12));
    arena_destroy(arena);
}

static bool nudge(Session *session, const EditedCell *cell, int steps, bool joins) {
    double before = value_of(session, cell);
    double step = changes_step(tape_of(session), cell->node);
    if (!isfinite(before)) {
        show_nudged(session, cell, "change.not_nudged", before, step);
        return true;
    }
    double value = changes_nudged(before, step, steps);
    if (can_be(session, cell, value) && set_cell(session, cell, value, joins))
        show_nudged(session, cell, "change.nudged", value, step);
    return true;
}

static bool nudge_found(Session *session, int steps) {
    EditedCell cell;
    return find_cell(session, &cell) && nudge(session, &cell, steps, false);
}

/* All turns in one field are one change, which leaving the field takes back. */
bool edit_turn(Session *session, Link link, int steps) {
    PromptState *state = prompt_state(session);
    char text[NUMBER_SIZE];
    bool over = link.kind == LINK_FIELD || link_equal(link, state->edited.shown);
    if (!mode_reached(session, &mode_prompt) || !state->prompt->at_cell || !over ||
        session_presents(session))
        return false;
    double before = value_of(session, &state->edited);
    session->message[0] = 0;
    nudge(session, &state->edited, steps, state->turned);
    double now = value_of(session, &state->edited);
    if (now == before) /* the message says why */
        return true;
    session->message[0] = 0;
    state->turned = true;
    field_begin(&session->field, number_write(text, now));
    return true;
}

/* ---- cutting a connection ---- */

/* Reports whether a softmax is computed from a node's rows, at most scaled and masked
 * before. */
static bool is_score(const Tape *tape, size_t node) {
    for (size_t i = node + 1; i < tape_count(tape); i++) {
        const TapeNode *at = tape_node(tape, i);
        if (!at->input_count || at->inputs[0] != node)
            continue;
        if (at->operation == OPERATION_SOFTMAX)
            return true;
        if (at->operation == OPERATION_DIVIDE || at->operation == OPERATION_MULTIPLY ||
            at->operation == OPERATION_ADD)
            node = i;
    }
    return false;
}

/* The score of the present cell: its own number, or that of a weight. */
static bool find_score(const Session *session, EditedCell *cell) {
    if (!find_cell(session, cell))
        return false;
    const TapeNode *at = tape_node(tape_of(session), cell->node);
    if (at->operation == OPERATION_SOFTMAX && !at->muted)
        cell->node = at->inputs[0];
    return is_score(tape_of(session), cell->node);
}

static const char *no_score(const Session *session) {
    EditedCell cell;
    return find_score(session, &cell) ? NULL : "change.no_score";
}

/* Sets the score to −∞, so that its weight is 0; one that is set so is put back. */
static bool cut_found(Session *session) {
    EditedCell cell;
    if (!find_score(session, &cell))
        return false;
    const Tape *tape = tape_of(session);
    double set;
    bool cut =
        tape_cell_edited(tape, cell.node, cell.row, cell.col, &set) && set == -INFINITY;
    double original = tape_original(tape, cell.node, cell.row, cell.col);
    double value = cut ? original : -INFINITY;
    Arena *arena = arena_create(SCRATCH_BYTES);
    const char *name = arena ? edit_cell_name(session, &cell, arena) : NULL;
    if (set_cell(session, &cell, value, false) && name)
        session_show_message(session, cut ? "change.uncut" : "change.cut", name, NULL);
    arena_destroy(arena);
    return true;
}

/* ---- back and forth ---- */

/* First what was changed in the lesson as it is shown, then how it came to be so, with
 * what it came with. */
static bool undo(Session *session) {
    const Variant *before = variant_before(&session->variants);
    Changes *changes = session->lesson->changes;
    bool came = before && changes_undoable(changes) <= session->watched.carried;
    if (came || !changes_undo(changes))
        opening_variant(session, before, VARIANT_BACK);
    return true;
}

static const char *nothing_to_undo(const Session *session) {
    bool can =
        changes_undoable(session->lesson->changes) || variant_before(&session->variants);
    return can ? NULL : "change.nothing_to_undo";
}

static bool redo(Session *session) {
    const Variant *behind = variant_behind(&session->variants);
    if (!changes_redo(session->lesson->changes))
        opening_variant(session, behind, VARIANT_ON);
    return true;
}

static const char *nothing_to_redo(const Session *session) {
    bool can =
        changes_redoable(session->lesson->changes) || variant_behind(&session->variants);
    return can ? NULL : "change.nothing_to_redo";
}

static const char *is_as_it_was(const Session *session) {
    bool can = variant_in(session->lesson) || changes_any(session->lesson->changes);
    return can ? NULL : "mute.nothing";
}

/* Restores the lesson without any changes, also without those that its file has. */
static bool restore(Session *session) {
    const Lesson *plain = session->entry->lesson;
    Variant bare = {.bare = plain && variant_in(plain)};
    bool modified = variant_in(session->lesson);
    if (!modified || !bare.bare)
        changes_restore(session->lesson->changes);
    if (modified) {
        if (plain && !bare.bare)
            changes_restore(plain->changes);
        opening_variant(session, &bare, VARIANT_NEW);
    }
    mode_leave(session, &mode_differences); /* nothing is left to compare with */
    session_show_message(session, bare.bare ? "mute.restored_kept" : "mute.restored",
                         NULL, NULL);
    return true;
}

/* ---- keeping ---- */

static const char *nothing_to_keep(const Session *session) {
    return is_as_it_was(session) ? "change.nothing_to_keep" : NULL;
}

static const Action actions[] = {
    {"change_cell", .act = edit_found, .why_not = no_cell,
     .traits = ACTION_TOOL(TOOL_CHANGE)},
    {"nudge_down", "[", "[   ]", .act_by = nudge_found, .by = -1, .why_not = no_cell},
    {"nudge_up", "]", .act_by = nudge_found, .by = 1, .why_not = no_cell},
    {"cut_cell", "Delete", "Delete", .act = cut_found, .why_not = no_score,
     .traits = ACTION_ON_CELL},
    {"undo", "Ctrl+Z", "Ctrl+Z   Ctrl+Y", .act = undo, .why_not = nothing_to_undo},
    {"redo", "Ctrl+Y|Ctrl+Shift+Z", .act = redo, .why_not = nothing_to_redo},
    {"keep", .request = SESSION_KEEP, .why_not = nothing_to_keep, .traits = ACTION_SAVES},
};

const ActionGroup actions_edit = ACTION_GROUP(&mode_lesson, actions);

const ActionGroup actions_restore = {
    &mode_lesson, 1,
    &(const Action){"restore", "R", "R", .act = restore, .why_not = is_as_it_was}};
