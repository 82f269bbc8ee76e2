#include "base/json_watch.h"
#include "drive/drive.h"
#include "lesson/content/changes.h"
#include "lesson/play/changes_file.h"
#include "modes/modes.h"
#include "picture/tensors/views.h"
#include "picture/words/words.h"
#include "session/state.h"
#include "tensor/tape/tape.h"

#include <jansson.h>

/* The session's place and all changes, as JSON. */

enum { SCRATCH_BYTES = 4 << 20 };

/* Lets go of the arena; what was made with it is given up where that had no room. */
static json_t *unless_exhausted(Arena *arena, json_t *made) {
    bool exhausted = arena_exhausted(arena);
    arena_destroy(arena);
    if (!exhausted)
        return made;
    json_decref(made);
    return NULL;
}

static json_t *edits_of(const Session *session) {
    const Tape *tape = session->lesson->tape;
    Arena *arena = arena_create(SCRATCH_BYTES);
    if (!arena)
        return NULL;
    json_t *edits = json_array();
    for (size_t i = 0; i < tape_edit_count(tape); i++) {
        const TapeEdit *edit = tape_edit_at(tape, i);
        const char *name = changes_name(&session->player, edit->node, arena);
        json_array_append_new(edits,
                              json_pack("[sIIo]", name ? name : "", (json_int_t)edit->row,
                                        (json_int_t)edit->col, json_number(edit->value)));
    }
    return unless_exhausted(arena, edits);
}

static json_t *muted_of(const Tape *tape) {
    json_t *muted = json_array();
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (node->muted)
            json_array_append_new(
                muted, json_string(node->name[0] ? node->name
                                                 : operation_of(node->operation)->name));
    }
    return muted;
}

static json_t *place_of(const Session *session) {
    const PlayerStep *step = player_step(&session->player);
    size_t row, col;
    bool on_cell = player_cell(&session->player, &row, &col);
    json_t *cell =
        on_cell ? json_pack("[II]", (json_int_t)row, (json_int_t)col) : json_null();
    return json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:o}", "lesson", session->lesson->id,
                     "path", step->path, "name", step->name, "depth",
                     (json_int_t)(step->depth + on_cell), "cell", cell, "edited",
                     edits_of(session), "muted", muted_of(session->lesson->tape));
}

/* Progress of a training at the session's step; null elsewhere. */
static json_t *training_of(const Session *session) {
    size_t frame;
    if (!player_film(&session->player, &frame))
        return json_object();
    size_t batches = session->lesson->training->batches;
    return json_pack("{s:I, s:I}", "epoch", (json_int_t)(frame / batches), "updates",
                     (json_int_t)frame);
}

static json_t *cell_json(const Tape *tape, FollowCell cell) {
    const TapeNode *node = tape_node(tape, cell.node);
    return json_pack("[sII]",
                     node->name[0] ? node->name : operation_of(node->operation)->name,
                     (json_int_t)cell.row, (json_int_t)cell.col);
}

/* Pinned cell, the path followed back, and the cell whose influence is shown. */
static json_t *cells_of(const Session *session) {
    Arena *arena = arena_create(SCRATCH_BYTES);
    if (!arena)
        return NULL;
    const Tape *tape = session->lesson->tape;
    const Trail *trail = session_trail(session, arena);
    json_t *way = json_array();
    for (size_t i = 0; trail && i < trail->count; i++)
        json_array_append_new(way, cell_json(tape, trail->chips[i].cell));
    const char *end = trail ? follow_end_name(trail->end) : "";
    FollowCell pin = {session->pin.index, session->pin.row, session->pin.col};
    bool influence = mode_on(session, &mode_influence);
    json_t *cells = json_pack(
        "{s:o, s:o, s:s?, s:s?, s:o}", "pinned",
        mode_on(session, &mode_pin) ? cell_json(tape, pin) : json_null(), "trail", way,
        "trail_ends", end[0] ? end : NULL, "trail_word", trail ? trail->word : NULL,
        "influence",
        influence ? cell_json(tape, influence_state(session)->shown.root) : json_null());
    return unless_exhausted(arena, cells);
}

/* Numbers set by hand, the steps that they affect, and the changes of the model. */
static json_t *changes_of(const Session *session) {
    const Changes *changes = session->lesson->changes;
    const LessonSwitches *switches = &session->lesson->switches;
    static const char *const norms[] = {NULL, "post", "pre"};
    static const char *const masks[] = {NULL, "causal", "none"};
    ChangesCount count = changes_count(changes);
    size_t behind = session->variants.count - session->variants.at - 1;
    json_t *put = json_pack(
        "{s:o, s:s?, s:s?, s:o, s:o}", "heads",
        switches->heads ? json_integer((json_int_t)switches->heads) : json_null(), "norm",
        norms[switches->norm], "mask", masks[switches->mask], "temperature",
        switches->temperature > 0 ? json_real(switches->temperature) : json_null(),
        "seed",
        switches->seeded ? json_integer((json_int_t)switches->seed) : json_null());
    return json_pack("{s:{s:I, s:I, s:I}, s:I, s:I, s:b, s:b, s:o}", "changed", "cells",
                     (json_int_t)count.cells, "tensors", (json_int_t)count.tensors,
                     "computed", (json_int_t)count.computed, "undo",
                     (json_int_t)(changes_undoable(changes) + session->variants.at),
                     "redo", (json_int_t)(changes_redoable(changes) + behind),
                     "differences", mode_on(session, &mode_differences), "switching",
                     mode_on(session, &mode_switches), "switches", put);
}

/* State and speed of autoplay, and the animated part of the present place. */
static json_t *playing_of(const Session *session) {
    PaceMoment moment = session_moment(session);
    return json_pack("{s:b, s:i, s:b, s:b}", "playing", session->play.runs, "speed",
                     session->play.speed, "moving", moment.kind != PACE_REST, "adds",
                     moment.adds);
}

/* Returns the name of the view of the present step's tensor. */
static const char *view_of(const Session *session) {
    const char *name =
        lesson_view_name(views_present(&session->player, session_tensor_view(session)));
    return name[0] ? name : "picture";
}

/* Takes over the members of an object, which goes. */
static bool add(json_t *state, json_t *members) {
    bool added = state && members && json_object_update(state, members) == 0;
    json_decref(members);
    return added;
}

static json_t *score_json(const Practise *round) {
    PractiseScore score = practise_score(round);
    return json_pack("{s:I, s:I, s:I}", "at_once", (json_int_t)score.at_once,
                     "after_hints", (json_int_t)score.after_hints, "skipped",
                     (json_int_t)score.skipped);
}

/* The exercise and how it stands; "question": "score" behind the last one. */
static json_t *practise_of(const Session *session) {
    const Practise *round = &practise_state(session)->round;
    if (!mode_on(session, &mode_practise) && !mode_on(session, &mode_question))
        return json_pack("{s:n}", "practise");
    const Exercise *exercise = practise_exercise(round);
    json_t *again = json_array();
    for (size_t i = 0; i < round->count; i++) {
        const Exercise *one = &round->exercises[i];
        if (one->outcome != EXERCISE_OPEN && one->outcome != EXERCISE_AT_ONCE)
            json_array_append_new(again,
                                  json_string(session->player.steps[one->step].path));
    }
    json_t *state =
        json_pack("{s:s, s:I, s:I, s:o, s:o}", "question",
                  exercise ? practise_kind_name(exercise->kind) : "score", "number",
                  (json_int_t)(round->at + (exercise != NULL)), "of",
                  (json_int_t)round->count, "score", score_json(round), "again", again);
    if (exercise)
        json_object_update_missing_new(
            state, json_pack("{s:o, s:b, s:I, s:b, s:s}", "cell",
                             cell_json(session->lesson->tape, exercise->cell), "asked",
                             exercise->question != NULL, "tries",
                             (json_int_t)exercise->tries, "hidden", practise_hides(round),
                             "hint", practise_hint_name(round->hint.kind)));
    return json_pack("{s:o}", "practise", state);
}

/* Returns the name of the thing that Return opens at home: a lesson, a block's list, or
 * an action. */
static const char *chosen_of(const Session *session) {
    Link chosen = home_state(session)->chosen;
    if (chosen.kind == LINK_COMMAND)
        return action_at(chosen.index)->name;
    if (chosen.kind == LINK_BLOCK && chosen.index < LESSON_BLOCK_COUNT)
        return lesson_block_name((LessonBlock)chosen.index);
    size_t lesson =
        chosen.kind == LINK_LESSON ? chosen.index : home_place(session).lesson;
    return session->course->lessons[lesson].id;
}

/* Prints the session. At home there is no lesson. */
bool session_print(const Session *session, FILE *stream) {
    json_watch();
    bool home = mode_on(session, &mode_home);
    json_t *state =
        home ? json_pack("{s:n, s:s, s:b}", "lesson", "chosen", chosen_of(session),
                         "listing", home_state(session)->door.kind != LINK_NONE)
             : place_of(session);
    bool tours = mode_on(session, &mode_tour);
    json_t *rest = json_pack(
        "{s:s, s:s, s:s, s:s, s:b, s:s?, s:s?, s:o}", "language", session->language->code,
        "theme", session->theme->name, "words", words_name(session->words), "view",
        home ? "home" : view_of(session), "help", mode_on(session, &mode_help), "writing",
        session_is_writing(session) ? session->field.text : NULL, "message",
        session->message[0] ? session->message : NULL, "station",
        tours ? json_integer((json_int_t)tour_state(session)->station + 1) : json_null());
    bool whole = state != NULL;
    static json_t *(*const more[])(const Session *) = {practise_of, training_of, cells_of,
                                                       changes_of, playing_of};
    for (size_t i = 0; !home && i < sizeof more / sizeof *more; i++)
        whole = add(state, more[i](session)) && whole;
    whole = add(state, rest) && whole;
    bool printed = false;
    if (whole)
        printed = print_json(stream, state, JSON_REAL_PRECISION(17));
    else
        json_decref(state);
    if (printed)
        print_text(stream, "\n");
    return printed || ferror(stream); /* main reports an error of the stream */
}
