/* Texts of a session: messages, titles and the words of the interface. */
#pragma once

#include "session/state.h"

const char *session_words(const Session *session, const char *key);

/* A list and one more behind it, in the arena; `so_far` may be NULL: then that one. */
const char *session_list(const Session *session, const char *so_far, const char *more,
                         Arena *arena);

/* Reports whether the key that leaves a lesson was pressed twice; at the first press a
 * message says that the second will leave. `key` must outlive the session. */
bool session_leaves(Session *session, const char *key, const char *words);

/* Says that there is no memory for what was asked for. */
void session_report_no_memory(Session *session);

/* Shows why a change was refused: lack of memory, or the limit of work. */
void session_report_no_change(Session *session);
