#include "actions/actions.h"
#include "tensor/tape/tape.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A pinned cell stays the one that is explained, whatever the pointer is on, in each step
 * that has it, until it is let go. It rests in other steps, which explain their own.
 * Arrows go from step to step, those with Shift move the pin within its tensor; Enter or
 * the first key of a number opens a field to change it.
 */

static const Tensor *pinned_tensor(const Session *session) {
    return &tape_node(session->lesson->tape, session->pin.index)->output;
}

/* ---- moving it ---- */

static size_t moved(size_t at, int by, size_t count) {
    return (size_t)fmin(fmax((double)at + by, 0), (double)count - 1);
}

/* Pins the explained cell where none is pinned; moves the pin along an axis, no further
 * than to the tensor's edge. */
static bool move_pin(Session *session, int down, int across) {
    FollowCell cell;
    if (!mode_on(session, &mode_pin) && lesson_explained_cell(session, &cell))
        pin_put(session, (Link){LINK_CELL, cell.node, cell.row, cell.col});
    Link before = session->pin;
    const Tensor *tensor = pinned_tensor(session);
    Link to = before;
    to.row = moved(before.row, down, tensor->rows);
    to.col = moved(before.col, across, tensor->cols);
    pin_move(session, to);
    if (link_equal(to, before))
        session_show_message(session, "pin.edge", NULL, NULL);
    return true;
}

static bool move_across(Session *session, int by) {
    return move_pin(session, 0, by);
}

static bool move_down(Session *session, int by) {
    return move_pin(session, by, 0);
}

/* ---- changing it ---- */

static bool change(Session *session) {
    return edit_pinned_with(session, NULL);
}

/* A point is a clicker's key for the black screen. */
static bool begins_number(const Session *session, const char *key) {
    const char *first = session_presents(session) ? "0123456789-" : "0123456789-.";
    return strlen(key) == 1 && strchr(first, *key);
}

static ModeAnswer key(Session *session, const char *name) {
    static const char keypad[] = "Keypad ";
    const char *text =
        name + (strncmp(name, keypad, sizeof keypad - 1) == 0 ? sizeof keypad - 1 : 0);
    if (questions_wait(session) || !begins_number(session, text))
        return MODE_PASSES;
    return edit_pinned_with(session, text) ? MODE_CHANGES : MODE_PASSES;
}

static const Action pinned[] = {
    {.name = "unpin", .keys = "Escape"},
    {"change_pinned", "Return", "Enter", .act = change,
     .traits = ACTION_FIRST | ACTION_OF_KEYS | ACTION_ON_CELL},
};

const ActionGroup actions_pinned = ACTION_GROUP(&mode_pin, pinned);

static void show(Session *session, Page *page, Arena *arena) {
    (void)arena;
    page->pinned = true;
    page->has_focus = true;
    page->focus = session->pin;
}

const Mode mode_pin = {.name = "pin",
                       .missing = "action.why.not_pinned",
                       .banner = "banner.pin",
                       .key = key,
                       .show = show};

/* ---- resting ---- */

const ActionGroup actions_pin_rests = {
    &mode_pin_rests, 1, &(const Action){.name = "unpin_resting", .keys = "Escape"}};

const Mode mode_pin_rests = {.name = "resting-pin",
                             .missing = "action.why.not_pinned",
                             .banner = "banner.pin_rests"};

/* ---- pinning by a key ---- */

static Link first_cell(size_t node) {
    return (Link){LINK_CELL, node, 0, 0};
}

/* The tensor behind `node` among those of an operation, the output before its inputs;
 * TAPE_NONE behind the last. Constants within a formula aren't drawn as cells. */
static size_t next_tensor(const Tape *tape, const TapeNode *operation, size_t output,
                          size_t node) {
    bool behind = node == output;
    for (size_t i = 0; i < operation->input_count; i++) {
        size_t input = operation->inputs[i];
        if (behind && input != output &&
            tensor_cells(&tape_node(tape, input)->output) > 1)
            return input;
        behind |= input == node;
    }
    return TAPE_NONE;
}

/* The explained cell, then the first one of each tensor the present operation is made
 * from, then none. */
static bool pin_next(Session *session) {
    const Tape *tape = session->lesson->tape;
    size_t output = player_step(&session->player)->node;
    FollowCell cell;
    if (!mode_on(session, &mode_pin)) {
        lesson_explained_cell(session, &cell);
        pin_put(session, (Link){LINK_CELL, cell.node, cell.row, cell.col});
        return true;
    }
    size_t next = TAPE_NONE;
    if (player_has_cells(&session->player, session->player.step))
        next = next_tensor(tape, tape_node(tape, output), output, session->pin.index);
    if (next != TAPE_NONE) {
        pin_move(session, first_cell(next));
        return true;
    }
    pin_drop(session);
    return true;
}

static const Action pinning[] = {
    {"pin_cell", "C", "C   Shift+← → ↑ ↓", .act = pin_next,
     .why_not = lesson_no_cell_reason, .traits = ACTION_QUIET},
    {"pin_right", "Shift+Right", .act_by = move_across, .by = 1,
     .why_not = lesson_no_cell_reason, .traits = ACTION_OF_KEYS | ACTION_QUIET},
    {"pin_left", "Shift+Left", .act_by = move_across, .by = -1,
     .why_not = lesson_no_cell_reason, .traits = ACTION_OF_KEYS | ACTION_QUIET},
    {"pin_down", "Shift+Down", .act_by = move_down, .by = 1,
     .why_not = lesson_no_cell_reason, .traits = ACTION_OF_KEYS | ACTION_QUIET},
    {"pin_up", "Shift+Up", .act_by = move_down, .by = -1,
     .why_not = lesson_no_cell_reason, .traits = ACTION_OF_KEYS | ACTION_QUIET},
    {"pin_first", "Shift+Home", .act_by = move_across, .by = -INT_MAX,
     .why_not = lesson_no_cell_reason, .traits = ACTION_OF_KEYS | ACTION_QUIET},
    {"pin_last", "Shift+End", .act_by = move_across, .by = INT_MAX,
     .why_not = lesson_no_cell_reason, .traits = ACTION_OF_KEYS | ACTION_QUIET},
};

const ActionGroup actions_pin = ACTION_GROUP(&mode_lesson, pinning);
