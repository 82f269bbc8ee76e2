/* Touch: all that the pointer can do, without a button or a wheel. */
#pragma once

#include "session/session.h"

double touch_until_held(const Session *session); /* infinity: nothing is held */
bool touch_tick(Session *session, double milliseconds);
