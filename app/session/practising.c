#include "session/state.h"

PractiseState *practise_state(const Session *session) {
    return mode_state(session, &mode_practise);
}

QuizState *quiz_state(const Session *session) {
    return &practise_state(session)->quiz;
}

const ProgressLesson *practise_notes(const Session *session, const char *id) {
    Progress *progress = practise_state(session)->progress;
    return progress ? progress_of(progress, id) : NULL;
}
