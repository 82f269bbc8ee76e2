/* Home: the transformer whose blocks are doors to the lessons. */
#pragma once

#include "session/session.h"

/* Takes over a lesson that was read for home; true when there was one. */
bool home_poll(Session *session);

/* Scrolls it, where it is higher than its page; whether it did. */
bool home_roll(Session *session, int steps);

/* Advances the light by a time; true if the picture may have changed. And the
 * milliseconds until the next change. */
bool home_tick(Session *session, double milliseconds);
double home_until_tick(const Session *session);
