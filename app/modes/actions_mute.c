#include "session/action.h"
#include "session/state.h"

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

static bool toggle_mute(Session *session) {
    size_t node = mutable_node(session);
    bool muted = tape_node(session->lesson->tape, node)->muted;
    if (changes_mute(session->lesson->changes, node, !muted))
        variant_forget_behind(&session->variants);
    else
        session_say(session, "mute.other_shape", NULL, NULL);
    return true;
}

static const char *is_not_mutable(const Session *session) {
    if (player_step(&session->player)->child_count)
        return "mute.opens";
    return mutable_node(session) == TAPE_NONE ? "mute.cannot" : NULL;
}

static const Action actions[] = {
    {"mute_step", {"M"}, "M", toggle_mute, is_not_mutable, 0},
};

const ActionGroup actions_mute = ACTION_GROUP(&mode_lesson, actions);

static const char *name_of(const Tape *tape, size_t number) {
    const TapeNode *node = tape_node(tape, number);
    return node->name[0] ? node->name : operation_of(node->operation)->name;
}

const char *mute_words(const Session *session, Arena *arena) {
    const Tape *tape = session->lesson->tape;
    const char *names = NULL;
    for (size_t i = 0; i < tape_count(tape); i++) {
        if (tape_node(tape, i)->muted)
            names = session_list(session, names, name_of(tape, i), arena);
    }
    return names;
}
