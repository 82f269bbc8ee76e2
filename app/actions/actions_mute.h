/* Steps that are left out: each becomes the identity of its first input. */
#ifndef APP_ACTIONS_MUTE_H
#define APP_ACTIONS_MUTE_H

#include "session/session.h"

/* What is muted, in the arena; NULL for nothing. */
const char *mute_words(const Session *session, Arena *arena);

#endif
