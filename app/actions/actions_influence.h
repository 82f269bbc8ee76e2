/* Effects of a change: the steps whose results changed, from the changed one on, and a
 * key that goes from one to the next. */
#pragma once

#include "picture/chrome/trail.h"
#include "session/session.h"

/* Returns the steps that a change has affected, new in the arena; NULL for none. */
const Trail *session_moved(const Session *session, Arena *arena);
