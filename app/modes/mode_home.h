/* Home: the transformer whose blocks are doors to the lessons. */
#ifndef APP_MODE_HOME_H
#define APP_MODE_HOME_H

#include "session/session.h"

/* Takes over a lesson that was read for home; true when there was one. */
bool home_poll(Session *session);

/* Scrolls it, where it is higher than its page; whether it did. */
bool home_roll(Session *session, int steps);

/* Time passes; whether the picture is another. And how long until it would be. */
bool home_tick(Session *session, double milliseconds);
double home_until_tick(const Session *session);

#endif
