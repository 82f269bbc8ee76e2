#include "actions/actions.h"
#include "drive/drive.h"
#include "modes/modes.h"
#include "session/state.h"

#include <math.h>
#include <string.h>

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

/* ---- a lesson that is being read ---- */

/* Presses the keys that were pressed while the lesson was being read. */
static void press_kept(Session *session, const Opening *opening) {
    for (size_t i = 0; i < opening->kept_count && session->request != SESSION_QUIT; i++)
        session_key(session, opening->kept[i]);
}

bool session_poll(Session *session, ErrorList *errors) {
    bool read = home_poll(session);
    if (!session->opening.loader || !loader_wait(session->opening.loader, 0))
        return read;
    bool had_nothing = mode_on(session, &mode_nothing);
    Opening opening = session->opening;
    bool shown = opening_finish(session, errors);
    if (session_is_opening(session)) { /* the same, as its file has it */
        memcpy(session->opening.kept, opening.kept, sizeof opening.kept);
        session->opening.kept_count = opening.kept_count;
        return true;
    }
    session->opening = (Opening){0};
    if (shown)
        press_kept(session, &opening);
    else if (had_nothing)
        session->request = SESSION_QUIT;
    if (!had_nothing)
        errors->count = 0; /* the page reports them */
    return true;
}
