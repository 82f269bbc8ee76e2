/* The menu of a cell, of a step, or of what can be saved: those actions of the table that
 * are about one. What it is about is pinned, or gone to, so that it is seen, and so that
 * its actions are the same as by a key. */
#pragma once

#include "session/list.h"

typedef struct MenuState {
    unsigned about; /* ACTION_ON_CELL, ACTION_ON_STEP or ACTION_SAVES */
    List rows;
    bool anywhere; /* beside the thing it is about, else at `at` */
    Point at;      /* top left corner, in points */
} MenuState;

MenuState *menu_state(const Session *session);

/* Opens the menu of what was drawn with a link, its corner at a point. */
bool menu_open(Session *session, Link link, Point at);
