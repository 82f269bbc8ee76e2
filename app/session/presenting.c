#include "session/state.h"

PresentState *present_state(const Session *session) {
    return mode_state(session, &mode_present);
}

bool session_presents(const Session *session) {
    return mode_on(session, &mode_present);
}

void session_turn_notes(Session *session) {
    present_state(session)->notes_turned = !present_state(session)->notes_turned;
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
