/* What stands at the bottom of the stack: a lesson, home, or nothing yet. */
#ifndef APP_BASE_MODE_H
#define APP_BASE_MODE_H

#include "session/state.h"

/* Leaves all modes and begins with another at the bottom. */
void mode_begin(Session *session, const Mode *bottom);

void home_enter(Session *session);

/* Notes where the lesson is left that is read, for home to go on there; and where that
 * is: the course's beginning where nothing is known. */
void home_note_place(Session *session);
HomePlace home_place(const Session *session);

#endif
