#include "modes/modes.h"

#include "base/hash.h"
#include "session/state.h"
#include "tensor/tape/gradient.h"

/* Influence: what the page shows while I has turned it on. The gradients' plan lives in
 * an arena of its own, dropped when it is turned off or the lesson left. */

InfluenceState *influence_state(const Session *session) {
    return mode_state(session, &mode_influence);
}

static void leave(Session *session) {
    arena_destroy(influence_state(session)->arena);
    *influence_state(session) = (InfluenceState){0};
}

/* True if a gradient flows back from a node to any of its inputs. */
static bool is_computed(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    for (size_t i = 0; i < at->input_count; i++) {
        if (operation_has_gradient(at->operation, i))
            return true;
    }
    return false;
}

static bool refuse(Session *session, Arena *arena, const char *why) {
    arena_destroy(arena);
    session_show_message(session, why, NULL, NULL);
    return true;
}

/* A gradient's work, to that of all that it goes back through, at most: of a product two
 * others, each of which reads one of its factors by columns. */
static const double GRADIENT_COST = 3;

/* The gradients of a root, planned under the arena's guard. */
typedef struct Plan {
    const Tape *tape;
    size_t root;
    Arena *arena;
    bool meets_gradient;
    Gradients *gradients;
} Plan;

static void plan_guarded(void *context) {
    Plan *this = context;
    this->meets_gradient = follow_meets_gradient(this->tape, this->root, this->arena);
    if (!this->meets_gradient)
        this->gradients = gradients_create(this->tape, this->root, NULL, 0, this->arena);
}

static bool enter_influence(Session *session, FollowCell root) {
    const Tape *tape = session->lesson->tape;
    Plan plan = {
        .tape = tape, .root = root.node, .arena = arena_create(LESSON_MAX_MEMORY)};
    Arena *arena = plan.arena;
    if (!is_computed(tape, root.node))
        return refuse(session, arena, "influence.nothing");
    if (tape_cell_edited(tape, root.node, root.row, root.col, NULL))
        return refuse(session, arena, "influence.by_hand");
    if (GRADIENT_COST * tape_cost(tape) > arena_allowed(session->lesson->arena))
        return refuse(session, arena, "influence.work");
    if (!arena || !arena_guard(arena, plan_guarded, &plan))
        return refuse(session, arena, "influence.memory");
    if (plan.meets_gradient)
        return refuse(session, arena, "influence.gradient");
    *influence_state(session) = (InfluenceState){.arena = arena,
                                                 .gradients = plan.gradients,
                                                 .shown = {tape, plan.gradients, root}};
    mode_enter(session, &mode_influence);
    return true;
}

static bool toggle(Session *session) {
    FollowCell root;
    return mode_leave(session, &mode_influence) ||
           (lesson_explained_cell(session, &root) && enter_influence(session, root));
}

static const char *why_no_cell(const Session *session) {
    return mode_on(session, &mode_influence) ? NULL : lesson_no_cell_reason(session);
}

const ActionGroup actions_influence = {
    &mode_lesson, 1,
    &(const Action){"influence", "I", "I", .act = toggle, .why_not = why_no_cell,
                    .traits = ACTION_QUIET | ACTION_ON_CELL | ACTION_MORE}};

const ActionGroup actions_influenced = {
    &mode_influence, 1, &(const Action){.name = "leave_influence", .keys = "Escape"}};

/* Returns a digest of all that can change a gradient: numbers set by hand, muted steps,
 * and the root's own values, which depend on the rest. */
static uint64_t digest_of(const Influence *shown) {
    const Tape *tape = shown->tape;
    const Tensor *root = &tape_node(tape, shown->root.node)->output;
    uint64_t digest = HASH_START;
    for (size_t i = 0; i < tape_edit_count(tape); i++) {
        const TapeEdit *edit = tape_edit_at(tape, i);
        size_t place[] = {edit->node, edit->row, edit->col};
        digest = hash_bytes(digest, place, sizeof place);
        digest = hash_bytes(digest, &edit->value, sizeof edit->value);
    }
    for (size_t i = 0; i < tape_count(tape); i++) {
        if (tape_node(tape, i)->muted)
            digest = hash_bytes(digest, &i, sizeof i);
    }
    return hash_bytes(digest, root->values, tensor_cells(root) * sizeof *root->values);
}

static void show(Session *session, Page *page, Arena *arena) {
    (void)arena;
    InfluenceState *influence = influence_state(session);
    FollowCell root = influence->shown.root;
    uint64_t digest = digest_of(&influence->shown);
    if (digest != influence->digest)
        gradients_of_cell(influence->gradients, root.row, root.col);
    influence->digest = digest;
    page->influence = &influence->shown;
}

const Mode mode_influence = {.name = "influence",
                             .state_size = sizeof(InfluenceState),
                             .missing = "action.why.no_influence",
                             .banner = "banner.influence",
                             .show = show,
                             .leave = leave};
