#include "session/state.h"

/* The states of modes, and what is asked of them. */

FollowPath *follow_path(const Session *session) {
    return mode_state(session, &mode_trace);
}

bool trace_is_open(const Session *session) {
    const FollowPath *way = follow_path(session);
    if (!way->count)
        return false;
    const FollowPathPoint *end = &way->places[way->count - 1];
    return session->player.step == end->step && session->player.depth == end->depth &&
           session->player.cell == end->at &&
           mode_on(session, &mode_pin) == end->has_pin &&
           (!end->has_pin || link_equal(session->pin, end->pin));
}

PractiseState *practise_state(const Session *session) {
    return mode_state(session, &mode_practise);
}

QuizState *quiz_state(const Session *session) {
    return &practise_state(session)->quiz;
}

PresentState *present_state(const Session *session) {
    return mode_state(session, &mode_present);
}

bool session_presents(const Session *session) {
    return mode_on(session, &mode_present);
}

void session_turn_notes(Session *session) {
    present_state(session)->notes_turned = !present_state(session)->notes_turned;
}

void session_set_notes(Session *session, SessionNotes notes) {
    present_state(session)->notes = notes;
}

bool session_turns_notes(const Session *session) {
    return present_state(session)->notes_turned;
}

bool session_hold_spotlight(Session *session, bool held) {
    bool was = present_state(session)->held;
    present_state(session)->held = held && session_presents(session);
    return was != present_state(session)->held;
}

bool session_hides_pointer(const Session *session) {
    const PresentState *present = present_state(session);
    return session_presents(session) &&
           (present->points || present->screen != PRESENT_PAGE);
}

PromptState *prompt_state(const Session *session) {
    return mode_state(session, &mode_prompt);
}

void prompt_begin(Session *session, const Prompt *prompt, const char *text) {
    prompt_state(session)->prompt = prompt;
    prompt_state(session)->turned = false;
    field_begin(&session->field, text);
    mode_enter(session, &mode_prompt);
}
