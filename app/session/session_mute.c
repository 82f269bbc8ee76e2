#include "session/session_actions.h"

/* Steps that are left out: each becomes the identity of its first input. */

/* The operation that the cursor is on, where it can be muted; a step that opens into
 * several can't. */
static size_t mutable_node(const Session *session) {
    const Player *player = &session->player;
    size_t node = player_step(player)->node;
    const Tape *tape = session->lesson->tape;
    bool can = player_has_cells(player, player->step) &&
               operation_of(tape_node(tape, node)->operation)->mutable;
    return can ? node : TAPE_NONE;
}

bool toggle_mute(Session *session) {
    const Tape *tape = session->lesson->tape;
    size_t node = mutable_node(session);
    if (node == TAPE_NONE ||
        !changes_mute(session->lesson->changes, node, !tape_node(tape, node)->muted))
        session_say(session, "mute.cannot", NULL, NULL);
    return true;
}

static const char *name_of(const Tape *tape, size_t number) {
    const TapeNode *node = tape_node(tape, number);
    return node->name[0] ? node->name : operation_of(node->operation)->name;
}

const char *muted_names(const Session *session, Arena *arena) {
    const Tape *tape = session->lesson->tape;
    const char *names = NULL;
    for (size_t i = 0; i < tape_count(tape); i++) {
        if (!tape_node(tape, i)->muted)
            continue;
        names = names ? arena_format(arena, "%s, %s", names, name_of(tape, i))
                      : name_of(tape, i);
        if (!names)
            return NULL;
    }
    return names;
}
