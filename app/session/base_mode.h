/* The bottom of the stack of modes: a lesson, home, or nothing yet. */
#pragma once

#include "session/mode.h"

typedef struct HomeLesson HomeLesson;
typedef struct Loader Loader;

/* Where to go on in the course. */
typedef struct HomePlace {
    size_t lesson;
    size_t statement; /* of the lesson */
    bool known;       /* the lesson was left there; else it is the course's beginning */
} HomePlace;

/* The state of mode_home. */
typedef struct HomeState {
    HomeLesson *lessons; /* all, in the course's arena; NULL: no memory */
    Link chosen;         /* as in Home */
    Link door;           /* as in Home */
    bool choosing;       /* by a key: until then Right begins a lesson */
    double scroll;       /* of larger type, as home_draw has limited it */
    double scroll_most;
    double time;    /* of the light, in milliseconds */
    double length;  /* of the light's way, in milliseconds; 0: it doesn't travel */
    Loader *loader; /* of a lesson whose picture is wanted, or NULL */
    size_t reading; /* the loader's lesson */
    HomePlace left; /* where the last lesson of the course was left */
} HomeState;

HomeState *home_state(const Session *session);

/* Leaves all modes and begins with another at the bottom. */
void mode_begin(Session *session, const Mode *bottom);

void home_enter(Session *session);

/* Notes where the lesson is left that is read, for home to go on there; and where that
 * is: the course's beginning where nothing is known. */
void home_note_place(Session *session);
HomePlace home_place(const Session *session);
