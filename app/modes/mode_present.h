/* Presenting: type for the back row, a clicker's keys, and on a page of the lecturer's
 * own the notes, the step that comes next and the time. */
#pragma once

#include "session/session.h"

typedef struct TextMetrics TextMetrics;

/* The time of day. */
typedef struct SessionClock {
    int hour, minute;
} SessionClock;

/* Draws the lecturer's own page, while the session presents: as session_draw. */
void session_draw_notes(Session *session, Scene *scene, Arena *arena,
                        const TextMetrics *metrics, SessionClock clock, double width,
                        double height);
