/* Actions: rows of the table of all that can be done, with or without a key.
 *
 * An action has a name, keys, a reason why it can't be done, and a function. It stands in
 * the file that does it, in a group of the mode that it belongs to; session/actions.h
 * reads all groups. Its words are `action.NAME` in the strings, those of its line in the
 * help `key.NAME`. */
#pragma once

#include "picture/chrome/tools.h"
#include "session/mode.h"

enum { ACTION_KEYS = 4 };

typedef enum ActionTraits {
    ACTION_QUIET = 1,      /* its key shows no message when it can't be done */
    ACTION_OF_PLAYING = 2, /* autoplay goes on */
    ACTION_OF_KEYS = 4,    /* it moves a choice that the pointer makes by itself */
    ACTION_ON_CELL = 8,    /* in the menu of a cell */
    ACTION_ON_STEP = 16,   /* in the menu of a step */
    ACTION_SAVES = 32,     /* in the menu of what can be saved */
    ACTION_FIRST = 64      /* at the top of the help */
} ActionTraits;

/* Among the traits: its tool in the bar at the top, with `button.NAME` below. */
enum { ACTION_TOOL_SHIFT = 8 };
#define ACTION_TOOL(tool) ((unsigned)(tool) << ACTION_TOOL_SHIFT)

typedef struct Action {
    const char *name;              /* "mute_step" */
    const char *keys[ACTION_KEYS]; /* SDL's names, any of them; NULL behind the last */
    const char *shown; /* keys as the help writes them; NULL: on another action's line */
    bool (*act)(Session *session); /* true if the picture may have changed */
    /* Returns the strings key of why it can't be done, or NULL if it can; NULL: always.
     */
    const char *(*why_not)(const Session *session);
    unsigned traits;
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
extern const ActionGroup actions_pin, actions_pinned;
extern const ActionGroup actions_follow, actions_followed;
extern const ActionGroup actions_influence, actions_influenced;
extern const ActionGroup actions_model, actions_switching;
extern const ActionGroup actions_practise, actions_exercise;
extern const ActionGroup actions_questions, actions_answering;
extern const ActionGroup actions_present, actions_presenting;
extern const ActionGroup actions_lens, actions_lensed;
extern const ActionGroup actions_copy, actions_compare, actions_compared;
extern const ActionGroup actions_menu, actions_choosing, actions_picture;
extern const ActionGroup actions_find, actions_finding;
extern const ActionGroup actions_writing;
extern const ActionGroup actions_glossary, actions_in_glossary;
extern const ActionGroup actions_opening;
