/* Modes: what keys and the pointer mean, and what is drawn, as a stack.
 *
 * At the bottom is what fills the window: a lesson, home, or nothing yet. What is
 * entered comes on top: a pinned cell, the help, a field to write in. A key or click goes
 * down from the top until a mode takes it. A mode lives no longer than what it stands on:
 * whoever puts another bottom leaves all that was above the old one, so that nothing can
 * outlive its lesson. Each mode is a file of its own, with the actions that are its own
 * (session/action.h); session/state.h has the stack. */
#ifndef APP_MODE_H
#define APP_MODE_H

#include "picture/stage/page_content.h"
#include "session/state.h"

/* What became of a key or a click. */
typedef enum ModeAnswer {
    MODE_PASSES,  /* it goes on to the mode below */
    MODE_TAKES,   /* it ends here, and nothing is another */
    MODE_CHANGES, /* the picture may be another */
} ModeAnswer;

typedef struct ListControl ListControl; /* session/list.h */

/* What a mode has none of is NULL. */
struct Mode {
    const char *name;
    size_t state_size;   /* bytes of the mode's own state, see mode_state */
    const char *missing; /* strings key: where it is not on, why its actions can't be */
    const char *banner;  /* strings key: what a line on the page says while it is on; what
                            Escape does ends it there, too */
    bool closed;         /* what it doesn't take goes no further */
    bool overlays;       /* it is drawn over the page, which isn't pointed at meanwhile */
    bool offers;         /* what can be done below it can be done through it */
    bool grows;          /* what it draws above is as large as the type is */
    bool rolls;          /* the pointer's wheel is Up and Down */
    const ListControl *list; /* takes keys and clicks before `key` and `press` do */
    bool (*rests)(const Session *session); /* its keys are those of what lies below */
    ModeAnswer (*key)(Session *session, const char *key); /* one that no action has */
    bool (*writes)(const Session *session); /* letters go into the session's field now */
    void (*typed)(Session *session);        /* these have changed */
    bool helps; /* … but for "?", which opens the help as ever */
    ModeAnswer (*press)(Session *session, Link link);
    bool (*move)(Session *session, const Scene *scene, double x, double y);
    void (*show)(Session *session, Page *page, Arena *arena); /* on the lesson's page */
    void (*fill)(Session *session, const Canvas *canvas, bool interactive); /* a bottom */
    void (*draw)(Session *session, const Canvas *canvas);                   /* above it */
    void (*arrive)(Session *session); /* begins in a lesson opened for it */
    void (*leave)(Session *session);  /* ends what it had begun */
};

/* The bottom ones; then what comes on top of a lesson, or of anything. */
extern const Mode mode_home, mode_lesson, mode_nothing;
extern const Mode mode_pin, mode_trace, mode_influence, mode_switches, mode_practise,
    mode_question;
extern const Mode mode_prompt, mode_help, mode_glossary, mode_opening, mode_tour;
extern const Mode mode_present, mode_lens;
extern const Mode mode_finder, mode_menu, mode_differences;

/* ---- states ---- */

/* The mode's own state, whose type is in the file that defines the mode or in its header.
 * It begins as zeros and lasts as long as the session, whether the mode is on or not. */
void *mode_state(const Session *session, const Mode *mode);

/* Allocates the states of all modes; false if there is no memory. */
bool mode_states_create(Session *session);
void mode_states_destroy(Session *session);

/* ---- the stack ---- */

/* Puts a mode on top; one that is on stays where it is. */
void mode_enter(Session *session, const Mode *mode);

/* Takes a mode out, wherever it is; false when it isn't on. */
bool mode_leave(Session *session, const Mode *mode);

bool mode_on(const Session *session, const Mode *mode);

/* Whether a mode can be reached: it is on, and nothing closed is above it. */
bool mode_reached(const Session *session, const Mode *mode);

/* Whether something is drawn over the page. */
bool mode_overlaid(const Session *session);

/* The mode that has letters go into the session's field now; NULL: they are keys. */
const Mode *mode_writing(const Session *session);

#endif
