/* Motion: how the present place comes to be. It belongs to the place it leads to:
 * wherever else the session goes, that place is there at once. */
#pragma once

#include "lesson/play/pace.h"

typedef struct Session Session;

/* The session has come on from `before`, on the same lesson. */
void autoplay_begin_motion(Session *session, const Player *before);

/* Ends the animation of the present place, with no time spent on it; and reports
 * whether the times are of this place. */
void autoplay_arrive(Session *session);
bool autoplay_is_here(const Session *session);

/* Nothing moves any more; what takes its time to come is there: false when nothing does;
 * autoplay stops. */
void autoplay_end_motion(Session *session);
bool autoplay_skip_motion(Session *session);
void autoplay_stop(Session *session);

/* Returns the visible part of the present place; {0} for all of it. */
PaceMoment session_moment(const Session *session);
