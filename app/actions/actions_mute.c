#include "actions/actions.h"

#include "lesson/content/changes.h"
#include "tensor/tape/tape.h"

#include <string.h>

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
    if (!tape_can_mute(session->lesson->tape, node))
        session_show_message(session, "mute.other_shape", NULL, NULL);
    else if (changes_mute(session->lesson->changes, node, !muted))
        variant_forget_behind(&session->variants);
    else
        session_report_no_change(session);
    return true;
}

static const char *is_not_mutable(const Session *session) {
    if (player_step(&session->player)->child_count)
        return "mute.opens";
    return mutable_node(session) == TAPE_NONE ? "mute.cannot" : NULL;
}

const ActionGroup actions_mute = {
    &mode_lesson, 1,
    &(const Action){"mute_step", "M", "M", .act = toggle_mute, .why_not = is_not_mutable,
                    .traits = ACTION_ON_STEP | ACTION_MORE}};

/* Returns the path of a node's step in the tree, "5.4.3"; NULL if it has none. */
static const char *path_of(const Player *player, size_t number) {
    for (size_t i = 0; i < player->step_count; i++) {
        if (player->steps[i].node == number && !player->steps[i].child_count)
            return player->steps[i].path;
    }
    return NULL;
}

/* A lesson's own tensor by its name, a part of a model as the pictures call it, with its
 * step, as several are called so: "after ReLU (5.4.3)". */
static const char *name_of(const Session *session, size_t number, Arena *arena) {
    const TapeNode *node = tape_node(session->lesson->tape, number);
    const char *part = strrchr(node->name, '.');
    const char *path = path_of(&session->player, number);
    if (!node->name[0])
        return operation_of(node->operation)->name;
    if (!part || !path)
        return node->name;
    const char *key = arena_format(arena, "part.%s", part + 1);
    bool has_words = key && language_has(session->language, key);
    return arena_format(arena, "%s (%s)",
                        has_words ? session_words(session, key) : part + 1, path);
}

const char *mute_words(const Session *session, Arena *arena) {
    const Tape *tape = session->lesson->tape;
    const char *names = NULL;
    for (size_t i = 0; i < tape_count(tape); i++) {
        if (tape_node(tape, i)->muted)
            names = session_list(session, names, name_of(session, i, arena), arena);
    }
    return names;
}
