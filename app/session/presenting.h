/* Presenting a lesson to a class: the state of mode_present. */
#pragma once

#include "session/mode.h"

/* Cover of the page. */
typedef enum PresentScreen {
    PRESENT_PAGE, /* nothing */
    PRESENT_BLACK,
    PRESENT_WHITE,
    PRESENT_END /* a slide behind the lesson's last step */
} PresentScreen;

typedef struct PresentState {
    PresentScreen screen;
    bool spotlight;    /* turned on by its key */
    bool held;         /* spotlight as long as Ctrl is held */
    bool points;       /* a dot follows the pointer */
    bool has_at;       /* the pointer is on the page */
    Point at;          /* of the pointer */
    double elapsed;    /* milliseconds since it began */
    bool notes_turned; /* see session_turns_notes */
} PresentState;

PresentState *present_state(const Session *session);
