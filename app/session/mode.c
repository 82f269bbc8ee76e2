#include "session/mode.h"

static size_t place_of(const Session *session, const Mode *mode) {
    size_t place = 0;
    while (place < session->mode_count && session->modes[place] != mode)
        place++;
    return place;
}

bool mode_on(const Session *session, const Mode *mode) {
    return place_of(session, mode) < session->mode_count;
}

bool mode_leave(Session *session, const Mode *mode) {
    size_t place = place_of(session, mode);
    if (place == session->mode_count)
        return false;
    if (mode_writing(session) == mode) /* its text is nobody else's */
        session->field = (Field){0};
    if (mode->leave)
        mode->leave(session);
    session->mode_count--;
    for (; place < session->mode_count; place++)
        session->modes[place] = session->modes[place + 1];
    return true;
}

void mode_enter(Session *session, const Mode *mode) {
    if (!mode_on(session, mode) && session->mode_count < MODES_MAX)
        session->modes[session->mode_count++] = mode;
}

bool mode_reached(const Session *session, const Mode *mode) {
    for (size_t i = session->mode_count; i > 0; i--) {
        if (session->modes[i - 1] == mode)
            return true;
        if (session->modes[i - 1]->closed && !session->modes[i - 1]->offers)
            return false;
    }
    return false;
}

bool mode_overlaid(const Session *session) {
    for (size_t i = 0; i < session->mode_count; i++) {
        if (session->modes[i]->overlays)
            return true;
    }
    return false;
}

const Mode *mode_writing(const Session *session) {
    for (size_t i = session->mode_count; i > 0; i--) {
        const Mode *mode = session->modes[i - 1];
        if (mode->writes && mode->writes(session))
            return mode;
        if (mode->closed)
            return NULL;
    }
    return NULL;
}
