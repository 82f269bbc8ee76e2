/* Steps that are left out: each becomes the identity of its first input. */
#pragma once

#include "session/session.h"

/* Returns the names of the muted steps, in the arena; NULL for none. */
const char *mute_words(const Session *session, Arena *arena);
