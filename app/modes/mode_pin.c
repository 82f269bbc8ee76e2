#include "session/state.h"
#include "tensor/tape/tape.h"

/* A pinned cell stays the one that is explained, and arrows move it within its tensor. */

static const Tensor *pinned_tensor(const Session *session) {
    return &tape_node(session->lesson->tape, session->pin.index)->output;
}

/* ---- moving it ---- */

/* Moves the pin. At the tensor's edge it stays, with a message; the key counts as used,
 * so that a key held down doesn't leave the step. */
static bool put_at(Session *session, size_t row, size_t col) {
    if (row == session->pin.row && col == session->pin.col)
        session_show_message(session, "pin.edge", NULL, NULL);
    session->pin.row = row;
    session->pin.col = col;
    return true;
}

static bool move_right(Session *session) {
    Link at = session->pin;
    return put_at(session, at.row, at.col + (at.col + 1 < pinned_tensor(session)->cols));
}

static bool move_left(Session *session) {
    return put_at(session, session->pin.row, session->pin.col - (session->pin.col > 0));
}

static bool move_down(Session *session) {
    Link at = session->pin;
    return put_at(session, at.row + (at.row + 1 < pinned_tensor(session)->rows), at.col);
}

static bool move_up(Session *session) {
    return put_at(session, session->pin.row - (session->pin.row > 0), session->pin.col);
}

static bool move_first(Session *session) {
    return put_at(session, session->pin.row, 0);
}

static bool move_last(Session *session) {
    return put_at(session, session->pin.row, pinned_tensor(session)->cols - 1);
}

static bool unpin(Session *session) {
    return mode_leave(session, &mode_pin);
}

static const Action pinned[] = {
    {.name = "pin_right", .keys = {"Right"}, .act = move_right, .traits = ACTION_OF_KEYS},
    {.name = "pin_left", .keys = {"Left"}, .act = move_left, .traits = ACTION_OF_KEYS},
    {.name = "pin_down", .keys = {"Down"}, .act = move_down, .traits = ACTION_OF_KEYS},
    {.name = "pin_up", .keys = {"Up"}, .act = move_up, .traits = ACTION_OF_KEYS},
    {.name = "pin_first", .keys = {"Home"}, .act = move_first, .traits = ACTION_OF_KEYS},
    {.name = "pin_last", .keys = {"End"}, .act = move_last, .traits = ACTION_OF_KEYS},
    {.name = "unpin", .keys = {"Escape"}, .act = unpin},
};

const ActionGroup actions_pinned = ACTION_GROUP(&mode_pin, pinned);

/* Under the pointer another cell may be explained for a while. */
static void show(Session *session, Page *page, Arena *arena) {
    (void)arena;
    page->pinned = true;
    if (page->has_focus)
        return;
    page->has_focus = true;
    page->focus = session->pin;
}

const Mode mode_pin = {.name = "pin",
                       .missing = "action.why.not_pinned",
                       .banner = "banner.pin",
                       .show = show};

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
        session->pin = first_cell(next);
        return true;
    }
    mode_leave(session, &mode_pin);
    return true;
}

static const Action pinning[] = {
    {"pin_cell", {"C"}, "C   ← → ↑ ↓", pin_next, lesson_no_cell_reason, ACTION_QUIET},
};

const ActionGroup actions_pin = ACTION_GROUP(&mode_lesson, pinning);
