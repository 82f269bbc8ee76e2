#include "session/session_actions.h"

/* The arrows move a pinned cell within its tensor, and the session where none is. */

static const Tensor *pinned_tensor(const Session *session) {
    const Tape *tape = session->lesson->tape;
    if (!session->has_pin || session->pin.index >= tape_count(tape))
        return NULL;
    return &tape_node(tape, session->pin.index)->output;
}

/* The pin stays at the tensor's edges; the key is taken all the same, so that nobody who
 * holds it down leaves the step. */
static bool put_pin(Session *session, size_t row, size_t col) {
    session->has_hover = false; /* what the pointer happens to rest on */
    session->pin.row = row;
    session->pin.col = col;
    return true;
}

bool arrow_right(Session *session) {
    const Tensor *tensor = pinned_tensor(session);
    if (!tensor)
        return go_right(session);
    Link at = session->pin;
    return put_pin(session, at.row, at.col + (at.col + 1 < tensor->cols));
}

bool arrow_left(Session *session) {
    if (!pinned_tensor(session))
        return go_left(session);
    Link at = session->pin;
    return put_pin(session, at.row, at.col - (at.col > 0));
}

bool arrow_down(Session *session) {
    const Tensor *tensor = pinned_tensor(session);
    if (!tensor)
        return go_down(session);
    Link at = session->pin;
    return put_pin(session, at.row + (at.row + 1 < tensor->rows), at.col);
}

bool arrow_up(Session *session) {
    if (!pinned_tensor(session))
        return go_up(session);
    Link at = session->pin;
    return put_pin(session, at.row - (at.row > 0), at.col);
}

bool pin_first(Session *session) {
    if (!pinned_tensor(session))
        return go_first(session);
    return put_pin(session, session->pin.row, 0);
}

bool pin_last(Session *session) {
    const Tensor *tensor = pinned_tensor(session);
    if (!tensor)
        return go_last(session);
    return put_pin(session, session->pin.row, tensor->cols - 1);
}

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
bool pin_next_tensor(Session *session) {
    const Tape *tape = session->lesson->tape;
    size_t output = player_step(&session->player)->node;
    FollowCell cell;
    if (!session->has_pin) {
        if (!explained_cell(session, &cell))
            return false;
        session->has_pin = true;
        session->has_hover = false;
        session->pin = (Link){LINK_CELL, cell.node, cell.row, cell.col};
        session_say(session, "pin.pinned", NULL, NULL);
        return true;
    }
    size_t next = TAPE_NONE;
    if (player_has_cells(&session->player, session->player.step))
        next = next_tensor(tape, tape_node(tape, output), output, session->pin.index);
    session->has_pin = next != TAPE_NONE;
    if (session->has_pin)
        session->pin = first_cell(next);
    else
        session_say(session, "pin.let_go", NULL, NULL);
    return true;
}
