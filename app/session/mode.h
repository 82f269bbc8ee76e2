/* Modes: the meaning of keys and the pointer, and what is drawn, as a stack.
 *
 * The bottom mode fills the window: a lesson, home, or nothing yet. Modes that are
 * entered come on top: a pinned cell, the help, a field to write in. A key or click goes
 * down from the top until a mode takes it. A change of the bottom leaves all modes above
 * it, so none outlives its lesson. Each mode is a file of its own with the mode's actions
 * (session/action.h) and its state. */
#pragma once

#include "picture/stage/page_content.h"

typedef struct Mode Mode;
typedef struct Session Session;

/* Outcome of a key or a click. */
typedef enum ModeAnswer {
    MODE_PASSES,  /* it goes on to the mode below */
    MODE_TAKES,   /* it ends here and changes nothing */
    MODE_CHANGES, /* it ends here and may have changed the picture */
} ModeAnswer;

typedef struct ListControl ListControl; /* session/list.h */

/* A mode. Fields that it has no use for are NULL. */
struct Mode {
    const char *name;
    size_t state_size;   /* bytes of the mode's own state, see mode_state */
    const char *missing; /* strings key: why its actions can't be done while it is off */
    const char *banner;  /* strings key: a line on the page while it is on, which leaves
                            the  mode as Escape does when it is clicked */
    bool closed;         /* keys and clicks that it doesn't take go no further */
    bool overlays;       /* it is drawn over the page, which gets no clicks meanwhile */
    bool offers; /* actions of the modes below can be done although it is closed */
    bool grows;  /* its drawing scales with the size of the type */
    bool rolls;  /* the wheel stands for Up and Down */
    const ListControl *list; /* takes keys and clicks before `key` and `press` do */
    bool (*rests)(const Session *session); /* its actions' keys go to the mode below */
    ModeAnswer (*key)(Session *session, const char *key); /* of no action */
    bool (*writes)(const Session *session); /* letters go into the session's field */
    void (*typed)(Session *session);        /* follows a change of the field */
    bool helps; /* "?" opens the help even while letters are written */
    ModeAnswer (*press)(Session *session, Link link);
    bool (*move)(Session *session, const Scene *scene, double x, double y);
    void (*show)(Session *session, Page *page, Arena *arena); /* on the lesson's page */
    void (*fill)(Session *session, const Canvas *canvas, bool interactive); /* bottom */
    void (*draw)(Session *session, const Canvas *canvas); /* above the page */
    void (*arrive)(Session *session); /* begins in a lesson opened for it */
    void (*leave)(Session *session);  /* undoes what it had begun */
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

/* True if a mode is on and nothing closed is above it. */
bool mode_reached(const Session *session, const Mode *mode);

/* True if something is drawn over the page. */
bool mode_overlaid(const Session *session);

/* The mode that has letters go into the session's field now; NULL: they are keys. */
const Mode *mode_writing(const Session *session);
