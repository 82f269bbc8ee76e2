/* Writing a text: the state of mode_prompt. */
#pragma once

#include "session/mode.h"

/* The purpose of a text. */
typedef struct Prompt {
    const char *title; /* strings key: what to write; at a cell {0} is the cell's name */
    const char *keys;  /* strings key: what Enter and Escape do */
    /* Takes the text; false leaves the field open, and the session's message has why. */
    bool (*use)(Session *session, const char *text);
    bool at_cell; /* the field is small and at the edited cell */
    /* Words to choose from as the text stands, new in the arena, and their number; NULL
     * for none. */
    const char *const *(*words)(const Session *session, Arena *arena, size_t *count);
} Prompt;

/* A cell being set by hand. */
typedef struct EditedCell {
    Link shown; /* where it was chosen: K.T stands for K */
    size_t node, row, col;
} EditedCell;

typedef struct PromptState {
    const Prompt *prompt; /* borrowed */
    EditedCell edited;    /* if the prompt is at a cell */
} PromptState;

PromptState *prompt_state(const Session *session);

/* Opens a field with a text to edit. The prompt is borrowed. */
void prompt_begin(Session *session, const Prompt *prompt, const char *text);
