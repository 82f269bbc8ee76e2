/* The table of all actions, read: keys of the window and of `play`, help, manual page,
 * buttons and whatever comes to offer actions find here what can be done, whether it can
 * be done now, and how to do it. */
#pragma once

#include "picture/chrome/tools.h"
#include "session/session.h"

typedef struct Action Action;
typedef struct HelpEntry HelpEntry;
typedef struct Mode Mode;

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

/* The action that a key stands for in a mode (NULL: anywhere); action_count() for none.
 */
size_t action_of_key(const Mode *mode, const char *key);

/* Reports whether a key means anything in any mode; and returns the nearest name to one
 * that doesn't, or NULL. Case is ignored; "Enter" and "Esc" are "Return" and "Escape". */
bool action_key_exists(const char *key);
const char *action_nearest_key(const char *key);
const char *action_plain_key(const char *key);

/* Writes the session's name of a key from its name and from its position on an English
 * keyboard: letters of other alphabets count by position, Shift counts only where it
 * makes a difference. False if the key means nothing. */
bool action_name_key(char name[SESSION_KEY_SIZE], const char *named, const char *placed,
                     bool ctrl, bool shift);

/* Returns the first key of an action as keyboards label it, "→" for "Right", in the
 * arena, or its name if that is exhausted; "" for none. */
const char *action_shown_key(const Action *action, Arena *arena);

/* Returns the lines of the help, new in the arena, and their count. The first *first
 * lines belong to a subject (a key of the strings) or, for NULL, are the actions marked
 * ACTION_FIRST. */
HelpEntry *action_help(const char *subject, Arena *arena, size_t *first, size_t *count);
