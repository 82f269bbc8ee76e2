#ifndef APP_ACTIONS_MOVED_H
#define APP_ACTIONS_MOVED_H

#include "picture/bar/trail.h"
#include "session/session.h"

/* What a change has moved, new in the arena; NULL for nothing. */
const Trail *session_moved(const Session *session, Arena *arena);

#endif
