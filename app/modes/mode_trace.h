/* Following a number back from cell to cell, and returning. Where the session stands at
 * each cell of the way is kept, so that returning shows what was there. */
#pragma once

#include "picture/chrome/trail.h"
#include "session/session.h"

/* Follows to a cell that the explained one was computed from; returns to a point of the
 * path. */
bool trace_follow_to(Session *session, FollowCell to);
bool trace_return_to(Session *session, size_t index);

/* The way followed back, new in the arena; NULL for none. */
const Trail *session_trail(const Session *session, Arena *arena);
