#include "session/mode.h"

#include "session/state.h"

#include <stddef.h>
#include <stdlib.h>

/* ---- states ---- */

/* The modes with a state. */
static const Mode *const owners[] = {
    &mode_menu,      &mode_finder, &mode_glossary, &mode_switches, &mode_help,
    &mode_influence, &mode_tour,   &mode_question, &mode_present,  &mode_trace,
    &mode_practise,  &mode_home,   &mode_prompt,   &mode_lens,     &mode_setting};

/* Bytes from the beginning of the states to that of owner number `index`. */
static size_t offset_of(size_t index) {
    size_t offset = 0;
    for (size_t i = 0; i < index; i++)
        offset += (owners[i]->state_size + sizeof(max_align_t) - 1) /
                  sizeof(max_align_t) * sizeof(max_align_t);
    return offset;
}

void *mode_state(const Session *session, const Mode *mode) {
    size_t i = 0;
    while (owners[i] != mode)
        i++;
    return session->states + offset_of(i);
}

bool mode_states_create(Session *session) {
    session->states = calloc(1, offset_of(sizeof owners / sizeof *owners));
    return session->states != NULL;
}

void mode_states_destroy(Session *session) {
    free(session->states);
    session->states = NULL;
}

/* ---- the stack ---- */

static size_t place_of(const Session *session, const Mode *mode) {
    size_t place = 0;
    while (place < session->mode_count && session->modes[place] != mode)
        place++;
    return place;
}

bool mode_on(const Session *session, const Mode *mode) {
    return place_of(session, mode) < session->mode_count;
}

/* Takes the mode at a place out of the stack. */
static void take_out(Session *session, size_t place) {
    session->mode_count--;
    for (; place < session->mode_count; place++)
        session->modes[place] = session->modes[place + 1];
}

void mode_raise(Session *session, const Mode *mode) {
    if (!mode_on(session, mode))
        return;
    take_out(session, place_of(session, mode));
    session->modes[session->mode_count++] = mode;
}

bool mode_leave(Session *session, const Mode *mode) {
    size_t place = place_of(session, mode);
    if (place == session->mode_count)
        return false;
    if (mode_writing(session) == mode) /* the text belongs to the mode */
        session->field = (Field){0}, session->composed[0] = 0;
    if (mode->leave)
        mode->leave(session);
    take_out(session, place_of(session, mode));
    return true;
}

void mode_exchange(Session *session, const Mode *mode, const Mode *by) {
    size_t place = place_of(session, mode);
    if (place < session->mode_count)
        session->modes[place] = by;
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

bool mode_writes(const Session *session, const Mode *mode) {
    return mode->always_writes || (mode->writes && mode->writes(session));
}

const Mode *mode_writing(const Session *session) {
    for (size_t i = session->mode_count; i > 0; i--) {
        const Mode *mode = session->modes[i - 1];
        if (mode_writes(session, mode))
            return mode;
        if (mode->closed)
            return NULL;
    }
    return NULL;
}
