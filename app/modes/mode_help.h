/* The help: all keys, over whatever the window shows. */
#pragma once

#include "session/session.h"

typedef struct HelpState {
    double scroll; /* points, as help_draw has limited them */
    int pages;     /* to turn at the next drawing; negative: back */
} HelpState;

HelpState *help_state(const Session *session);
