/* Autoplay. */
#pragma once

#include "session/session.h"

/* Advances autoplay and animations by a time; true if the picture may have changed. And
 * the milliseconds until the next change. */
bool autoplay_tick(Session *session, double milliseconds);
double autoplay_until_tick(const Session *session);
