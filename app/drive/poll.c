#include "drive/drive.h"
#include "modes/modes.h"
#include "session/state.h"

#include <string.h>

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
