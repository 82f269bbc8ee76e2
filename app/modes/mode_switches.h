/* The panel of the model's switches. Changing a line reads the lesson again with it, at
 * the same place. */
#pragma once

#include "session/session.h"

/* Returns the words about the model's changed switches, in the arena; NULL for none. */
const char *switches_words(const Session *session, Arena *arena);
