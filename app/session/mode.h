/* Modes and actions: what keys and the pointer mean where, and the table of all that can
 * be done. */
#pragma once

#include "picture/chrome/tools.h"
#include "picture/stage/page_content.h"
#include "session/session.h"

typedef struct Action Action;
typedef struct HelpEntry HelpEntry;
typedef struct ListControl ListControl;
typedef struct Mode Mode;

/* ---- A field: one line of text being written, with a caret.
 *
 * Keys have SDL's names, as everywhere; letters come as text. {0} is an empty field. */

enum { FIELD_SIZE = 400 };

typedef struct Field {
    char text[FIELD_SIZE]; /* UTF-8, zero-terminated */
    size_t caret;          /* in bytes, between two characters */
    bool selected;         /* all of it; what is typed takes its place */
} Field;

/* Puts a text into the field, selected, its caret behind it; of one that is too long the
 * beginning. */
void field_begin(Field *field, const char *text);

/* True if a key edits the field. */
bool field_key_exists(const char *key);

/* Moves the caret or takes something away; false when nothing changed. */
bool field_key(Field *field, const char *key);

/* Does what a key of a number does (picture/overlays/overlays.h). */
bool field_number_key(Field *field, size_t key);

/* Puts UTF-8 text where the caret is; line ends and other control characters become
 * blanks. False, and no change, when it isn't UTF-8 or there is no room for it. */
bool field_insert(Field *field, const char *text);

/* ---- Modes: the meaning of keys and the pointer, and what is drawn, as a stack.
 *
 * The bottom mode fills the window: a lesson, home, or nothing yet. Modes that are
 * entered come on top: a pinned cell, the help, a field to write in. A key or click goes
 * down from the top until a mode takes it. A change of the bottom leaves all modes above
 * it, so none outlives its lesson. Each mode is a file of its own with the mode's actions
 * (session/mode.h) and its state. */

/* Outcome of a key or a click. */
typedef enum ModeAnswer {
    MODE_PASSES,  /* it goes on to the mode below */
    MODE_TAKES,   /* it ends here and changes nothing */
    MODE_CHANGES, /* it ends here and may have changed the picture */
} ModeAnswer;

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
    bool always_writes;                     /* letters go into the session's field */
    bool (*writes)(const Session *session); /* the same, as long as it says so */
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
extern const Mode mode_pin, mode_pin_rests, mode_trace, mode_influence, mode_switches,
    mode_practise, mode_question;
extern const Mode mode_prompt, mode_help, mode_glossary, mode_opening, mode_tour;
extern const Mode mode_present, mode_lens;
extern const Mode mode_finder, mode_menu, mode_setting, mode_differences;

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

/* Puts a mode that is on above all others. */
void mode_raise(Session *session, const Mode *mode);

/* Takes a mode out, wherever it is; false when it isn't on. */
bool mode_leave(Session *session, const Mode *mode);

/* Puts a mode at the place of one that is on; does nothing where that is off. */
void mode_exchange(Session *session, const Mode *mode, const Mode *by);

bool mode_on(const Session *session, const Mode *mode);

/* True if a mode is on and nothing closed is above it. */
bool mode_reached(const Session *session, const Mode *mode);

/* True if something is drawn over the page. */
bool mode_overlaid(const Session *session);

/* True if letters go into the session's field where the mode is reached. */
bool mode_writes(const Session *session, const Mode *mode);

/* The mode that has letters go into the session's field now; NULL: they are keys. */
const Mode *mode_writing(const Session *session);

/* ---- Lists: rows of a mode, one of which is chosen by keys, the pointer or the wheel. A
 * mode with a list has a ListControl; drive/dispatch.c hands it keys and clicks before
 * the mode's own functions get them. */

/* The state of a list; its mode owns it. */
typedef struct List {
    size_t chosen; /* row; none if behind the last */
    size_t first;  /* row at the top of the view */
    size_t shown;  /* rows that the view has room for; 0: all */
} List;

/* The behaviour of a mode's list. */
struct ListControl {
    List *(*list)(Session *session);

    /* Number of rows; while it is 0 the list takes no keys. */
    size_t (*count)(Session *session);

    /* Follows a change of the chosen row; may be NULL. */
    void (*chosen)(Session *session);

    /* Does what the chosen row is for, by Return, Space or a click; true if the picture
     * may have changed. NULL: these are left to the mode. */
    bool (*use)(Session *session);

    /* Action whose link, with a row's number from 1 on as `row`, is under the row; NULL:
     * the pointer is left to the mode. */
    const char *link;

    size_t page; /* rows that Page Up and Page Down move by; 0: only Up and Down move */
    bool wraps;  /* the last row is above the first */
};

/* Chooses a row and scrolls it into view; false if it is no row, or chosen already. */
bool list_choose(Session *session, const ListControl *control, size_t row);

/* Sets the rows in view and scrolls no further than the chosen one needs. */
void list_scroll(List *list, size_t shown);

/* Takes Up, Down, Page Up, Page Down, Home and End, and what uses a row: Return, and
 * Space where no text is written. */
ModeAnswer list_key(Session *session, const ListControl *control, const char *key);

/* Chooses the row under the pointer. */
ModeAnswer list_point(Session *session, const ListControl *control, Link link);

/* Chooses the row that is clicked, and uses it. */
ModeAnswer list_press(Session *session, const ListControl *control, Link link);

/* ---- Actions: rows of the table of all that can be done, with or without a key.
 *
 * An action has a name, keys, a reason why it can't be done, and a function. It stands in
 * the file that does it, in a group of the mode that it belongs to; session/actions.c
 * reads all groups. Its words are `action.NAME` in the strings, those of its line in the
 * help `key.NAME`. */

typedef enum ActionTraits {
    ACTION_QUIET = 1,      /* its key shows no message when it can't be done */
    ACTION_OF_PLAYING = 2, /* autoplay goes on */
    ACTION_OF_KEYS = 4,    /* it moves a choice that the pointer makes by itself */
    ACTION_ON_CELL = 8,    /* in the menu of a cell */
    ACTION_ON_STEP = 16,   /* in the menu of a step */
    ACTION_SAVES = 32,     /* in the menu of what can be saved */
    ACTION_FIRST = 64,     /* at the top of the help */
    ACTION_ASKED = 128,    /* in the menu that asks before the notes are shown to all */
    ACTION_MORE = 256      /* in the menu of all that has no button */
} ActionTraits;

/* Among the traits: its tool in the bar at the top, with `button.NAME` below. */
enum { ACTION_TOOL_SHIFT = 12 };
#define ACTION_TOOL(tool) ((unsigned)(tool) << ACTION_TOOL_SHIFT)

typedef struct Action {
    const char *name;  /* "mute_step" */
    const char *keys;  /* SDL's names, any of them: "Right|Space"; NULL: none */
    const char *shown; /* keys as the help writes them; NULL: on another action's line */
    /* Does it; true if the picture may have changed. NULL: `act_by` does, else `request`
     * is asked for, else `toggles`, or the group's mode, is left or entered. */
    bool (*act)(Session *session);
    /* Returns the strings key of why it can't be done, or NULL if it can; NULL: always.
     */
    const char *(*why_not)(const Session *session);
    unsigned traits;
    bool (*act_by)(Session *session, int by);                  /* as `act` */
    const char *(*why_not_by)(const Session *session, int by); /* as `why_not` */
    int by;                 /* for these: how far, which way, which one */
    SessionRequest request; /* to the driver */
    const Mode *toggles;
} Action;

typedef struct ActionGroup {
    const Mode *mode; /* where it can be done; NULL: anywhere */
    size_t count;
    const Action *actions;
} ActionGroup;

#define ACTION_GROUP(mode, actions)                                                      \
    { mode, sizeof(actions) / sizeof *(actions), actions }

/* In app/actions/actions_NAME.c, of the lesson's mode. */
extern const ActionGroup actions_steps, actions_lessons, actions_leave;
extern const ActionGroup actions_play, actions_edit, actions_moved, actions_words,
    actions_mute, actions_restore, actions_text;

/* In app/actions/actions_NAME.c, of no mode: they can be done anywhere. */
extern const ActionGroup actions_map, actions_size, actions_anywhere;

/* In app/modes/mode_NAME.c: actions that enter a mode, and those of the mode. */
extern const ActionGroup actions_home, actions_from_home;
extern const ActionGroup actions_tour, actions_touring;
extern const ActionGroup actions_quiz;
extern const ActionGroup actions_pin, actions_pinned, actions_pin_rests;
extern const ActionGroup actions_follow, actions_followed;
extern const ActionGroup actions_influence, actions_influenced;
extern const ActionGroup actions_model, actions_switching;
extern const ActionGroup actions_practise, actions_exercise;
extern const ActionGroup actions_questions, actions_answering;
extern const ActionGroup actions_present, actions_presenting;
extern const ActionGroup actions_lens, actions_lensed;
extern const ActionGroup actions_copy, actions_compare, actions_compared;
extern const ActionGroup actions_menu, actions_more, actions_choosing, actions_setting,
    actions_looks, actions_picture;
extern const ActionGroup actions_find, actions_finding;
extern const ActionGroup actions_writing;
extern const ActionGroup actions_glossary, actions_in_glossary;
extern const ActionGroup actions_opening;

/* ---- The table of all actions, read: keys of the window and of `play`, help, manual
 * page, buttons and whatever comes to offer actions find here what can be done, whether
 * it can be done now, and how to do it. */

/* All actions, by number: their order is the help's. */
size_t action_count(void);
const Action *action_at(size_t number);

/* The number of an action; action_count() for a name that there isn't. */
size_t action_number(const char *name);

/* The mode that it belongs to; NULL: it can be done anywhere. */
const Mode *action_mode(size_t number);

/* The tool that an action is on the bar on top; TOOL_NONE: it isn't there. */
Tool action_tool(const Action *action);

/* Returns the link that does an action when it is pressed. */
Link action_link(const char *name);

/* Why an action can't be done now, as a sentence in the session's language; NULL: it can
 * be. */
const char *action_why_not(const Session *session, size_t number);

/* Does it; where it can't be done the session says why. True when the picture may be
 * another. */
bool action_do(Session *session, size_t number);

/* ---- keys ---- */

/* True if a mode above an action's own has the action's first key: F5 begins to present,
 * and ends that, too. */
bool action_is_taken(const Session *session, size_t number);

/* The action that a key stands for in a mode (NULL: anywhere); action_count() for none.
 */
size_t action_of_key(const Mode *mode, const char *key);

/* Copies the first of an action's *keys, moving *keys behind it; false behind the last.
 */
bool action_next_key(const char **keys, char key[SESSION_KEY_SIZE]);

/* Reports whether a key means anything in any mode; and copies the nearest name to one
 * that doesn't, false where none is near. Case is ignored; "Enter" and "Esc" are "Return"
 * and "Escape". */
bool action_key_exists(const char *key);
bool action_nearest_key(const char *key, char nearest[SESSION_KEY_SIZE]);
const char *action_plain_key(const char *key);

/* Writes the session's name of a key from its name and from its position on an English
 * keyboard: letters of other alphabets count by position, Shift counts only where it
 * makes a difference. False if the key means nothing. */
bool action_name_key(char name[SESSION_KEY_SIZE], const char *named, const char *placed,
                     bool ctrl, bool shift);

/* Returns the first key of an action as keyboards label it, "→" for "Right", in the
 * arena; "" for none, or if that is exhausted. */
const char *action_shown_key(const Action *action, Arena *arena);

/* Returns the lines of the help, new in the arena, and their count. The first *first
 * lines belong to a subject (a key of the strings) or, for NULL, are the actions marked
 * ACTION_FIRST. */
HelpEntry *action_help(const char *subject, Arena *arena, size_t *first, size_t *count);
