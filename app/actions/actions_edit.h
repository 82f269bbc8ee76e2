/* Cells that are set by hand, and all that is undone, restored and compared. */
#pragma once

#include "session/prompt.h"
#include "session/state.h"

/* Sets the cell that a link is of by hand: has a number written; or nudges it. */
bool edit_cell_of(Session *session, Link link);
bool edit_nudge(Session *session, Link link, int steps);

/* "W_Q[0, 1]" in the arena; NULL when that is exhausted. */
const char *edit_cell_name(const Session *session, const EditedCell *cell, Arena *arena);
