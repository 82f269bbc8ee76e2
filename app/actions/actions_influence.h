/* What a change has moved: the steps whose results are others now, from the changed one
 * on, and a key from one to the next. */
#ifndef APP_ACTIONS_INFLUENCE_H
#define APP_ACTIONS_INFLUENCE_H

#include "picture/chrome/trail.h"
#include "session/session.h"

/* What a change has moved, new in the arena; NULL for nothing. */
const Trail *session_moved(const Session *session, Arena *arena);

#endif
