#include "session/state.h"

PromptState *prompt_state(const Session *session) {
    return mode_state(session, &mode_prompt);
}

void prompt_begin(Session *session, const Prompt *prompt, const char *text) {
    prompt_state(session)->prompt = prompt;
    field_begin(&session->field, text);
    mode_enter(session, &mode_prompt);
}
