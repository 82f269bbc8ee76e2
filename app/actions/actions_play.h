/* Autoplay. */
#ifndef APP_ACTIONS_PLAY_H
#define APP_ACTIONS_PLAY_H

#include "session/session.h"

/* Time passes for autoplay and what moves; whether the picture is another. And how long
 * until it would be, in milliseconds. */
bool autoplay_tick(Session *session, double milliseconds);
double autoplay_until_tick(const Session *session);

#endif
