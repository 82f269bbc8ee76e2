/* The three-minute tour: the stations of a lesson's steps, one large sentence each. */
#pragma once

#include "session/session.h"

typedef struct TourState {
    size_t station; /* from 0 */
} TourState;

TourState *tour_state(const Session *session);
