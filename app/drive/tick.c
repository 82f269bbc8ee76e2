#include "actions/actions.h"
#include "drive/drive.h"
#include "modes/modes.h"

#include <math.h>

static double until_said(const Session *session) {
    return session->message_left > 0 ? session->message_left : INFINITY;
}

static bool end_saying(Session *session, double milliseconds) {
    bool ends = until_said(session) <= milliseconds;
    if (ends)
        session->message[0] = 0;
    session->message_left = fmax(session->message_left - milliseconds, 0);
    return ends;
}

double session_until_change(const Session *session) {
    bool home = mode_on(session, &mode_home);
    double until = home ? home_until_tick(session) : autoplay_until_tick(session);
    double tip = fmin(bar_until_tip(session), until_said(session));
    return fmin(until, fmin(tip, touch_until_held(session)));
}

bool session_tick(Session *session, double milliseconds) {
    if (!(milliseconds > 0))
        return false;
    bool changed = bar_tick(session, milliseconds);
    changed |= touch_tick(session, milliseconds);
    changed |= end_saying(session, milliseconds);
    present_state(session)->elapsed += milliseconds;
    if (mode_on(session, &mode_home))
        return home_tick(session, milliseconds) || changed;
    return autoplay_tick(session, milliseconds) || changed;
}
