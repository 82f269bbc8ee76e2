/* The help: all keys, over whatever the window shows. */
#ifndef APP_MODE_HELP_H
#define APP_MODE_HELP_H

#include "session/session.h"

typedef struct HelpState {
    double scroll; /* points, as help_draw has limited them */
    int pages;     /* to turn at the next drawing; negative: back */
} HelpState;

HelpState *help_state(const Session *session);

#endif
