/* The panel of what of a model can be put otherwise. Changing a line reads the lesson
 * again with it; the place stays. */
#ifndef APP_MODE_SWITCHES_H
#define APP_MODE_SWITCHES_H

#include "session/session.h"

/* How the model is put otherwise, in the arena; NULL where it isn't. */
const char *switches_words(const Session *session, Arena *arena);

#endif
