#include "session_actions.h"

/* Influence: what the page shows while I has turned it on. The gradients' plan lives in
 * an arena of its own, dropped when it is turned off or the lesson left. */

bool leave_influence(Session *session) {
    bool was = session->influence.arena != NULL;
    arena_destroy(session->influence.arena);
    session->influence = (SessionInfluence){0};
    return was;
}

/* Whether a gradient flows back to anything. */
static bool is_computed(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    for (size_t i = 0; i < at->input_count; i++) {
        if (operation_gives_back(at->operation, i))
            return true;
    }
    return false;
}

static bool enter_influence(Session *session, FollowCell root) {
    const Tape *tape = session->lesson->tape;
    Arena *arena = arena_create(LESSON_MAX_MEMORY);
    Gradients *gradients =
        arena ? gradients_create(tape, root.node, NULL, 0, arena) : NULL;
    if (!gradients) {
        arena_destroy(arena);
        session_say(session, "influence.memory", NULL, NULL);
        return true;
    }
    session->influence = (SessionInfluence){
        .arena = arena, .gradients = gradients, .shown = {tape, gradients, root}};
    return true;
}

bool toggle_influence(Session *session) {
    FollowCell root;
    if (leave_influence(session))
        return true;
    if (!explained_cell(session, &root))
        return false;
    if (is_computed(session->lesson->tape, root.node))
        return enter_influence(session, root);
    session_say(session, "influence.nothing", NULL, NULL);
    return true;
}

const Influence *influence_of(Session *session) {
    SessionInfluence *influence = &session->influence;
    if (!influence->arena)
        return NULL;
    FollowCell root = influence->shown.root;
    gradients_of_cell(influence->gradients, root.row, root.col);
    return &influence->shown;
}
