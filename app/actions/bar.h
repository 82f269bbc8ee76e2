/* The bar on top, and the tip of what the pointer rests on. */
#pragma once

#include "picture/chrome/top_bar.h"
#include "session/session.h"

/* Returns the content of the bar at the top, in the arena; NULL when that is exhausted.
 */
const TopBar *session_bar(const Session *session, Arena *arena);

/* The pointer is on this; the tip of a command comes after a while. True when the picture
 * changed. */
bool bar_point_at(Session *session, Link link);
void bar_drop_tip(Session *session);
double bar_until_tip(const Session *session); /* infinity: none is to come */
bool bar_tick(Session *session, double milliseconds);
void bar_draw_tip(const Session *session, const Canvas *canvas);
