#include "actions/actions.h"

#include "lesson/content/changes.h"
#include "tensor/tape/tape.h"

/* True if a statement shows a value that differs from the lesson's and that no earlier
 * statement shows. */
static bool is_moved(const Session *session, size_t statement) {
    const Tape *tape = session->lesson->tape;
    const LessonStep *steps = session->lesson->steps, *step = &steps[statement];
    bool moved = tape_changed(tape, step->result);
    for (size_t i = 0; i < step->shown_count; i++)
        moved |= tape_changed(tape, step->shown[i]);
    for (size_t i = 0; i < statement && moved; i++)
        moved = steps[i].result != step->result;
    return moved;
}

/* True if a tensor without numbers set by hand differs from the lesson's. */
static bool moves_others(const Tape *tape) {
    for (size_t i = 0; i < tape_count(tape); i++) {
        if (!tape_node(tape, i)->edited && tape_changed(tape, i))
            return true;
    }
    return false;
}

/* True if anything is computed from a tensor that is muted or has a number set by hand.
 */
static bool is_used(const Tape *tape) {
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        for (size_t k = 0; k < node->input_count; k++) {
            if (tape_node(tape, node->inputs[k])->edited)
                return true;
        }
    }
    return !tape_edit_count(tape);
}

/* The next moved step behind the present one, or else the first; the count of statements
 * where there is none. */
static size_t next_of(const Session *session) {
    size_t count = player_statement_count(&session->player),
           here = player_statement(&session->player);
    for (size_t i = 1; i <= count; i++) {
        if (is_moved(session, (here + i) % count))
            return (here + i) % count;
    }
    return count;
}

static const char *has_moved_nothing(const Session *session) {
    bool moved = next_of(session) < player_statement_count(&session->player);
    return moved ? NULL : "change.nothing_to_compare";
}

/* ---- the strip ---- */

static TrailChip chip_of(const Session *session, size_t statement) {
    return (TrailChip){
        .link = {LINK_STEP, player_statement_step(&session->player, statement), 0, 0},
        .cell = {session->lesson->steps[statement].result, PLAYER_NONE, 0}};
}

const Trail *session_moved(const Session *session, Arena *arena) {
    if (!changes_any(session->lesson->changes))
        return NULL;
    const Tape *tape = session->lesson->tape;
    size_t steps = player_statement_count(&session->player),
           here = player_statement(&session->player);
    Trail *trail = arena_alloc(arena, 1, sizeof *trail);
    TrailChip *chips = arena_alloc(arena, steps + 1, sizeof *chips);
    *trail = (Trail){.chips = chips, .away = true};
    bool moves = moves_others(tape);
    /* First, where it stays put; presenting, its key F is the spotlight's. */
    if (moves && !session_presents(session) && !has_moved_nothing(session))
        chips[trail->count++] =
            (TrailChip){.link = action_link("next_moved"),
                        .words = session_words(session, "change.next")};
    for (size_t i = 0; i < steps; i++) {
        if (!is_moved(session, i))
            continue;
        if (i <= here) {
            trail->at = trail->count;
            trail->away = i != here;
        }
        chips[trail->count++] = chip_of(session, i);
    }
    if (!moves) {
        trail->tail = session_words(session, is_used(tape) ? "change.stops"
                                                           : "change.nothing_after");
        return trail;
    }
    const char *cells =
        arena_format(arena, "%zu", changes_count(session->lesson->changes).cells);
    trail->head = session_words(session, "change.moved");
    trail->tail =
        language_sentence(session->language, "change.moved_count", 1, &cells, arena);
    return trail;
}

/* ---- going along ---- */

static bool go_on(Session *session) {
    lesson_go_to_step(session, player_statement_step(&session->player, next_of(session)));
    return true;
}

const ActionGroup actions_moved = {
    &mode_lesson, 1,
    &(const Action){"next_moved", "F", "F", .act = go_on, .why_not = has_moved_nothing}};
