/* Links: where a session is, as the end of a web page's address, and back.
 *
 *     ?lesson=08-one-head&step=3.1&cell=4&lang=zh&theme=dark
 *
 * `step` is a step's path, `cell` counts its cells from 0, row by row. `changes` is what
 * is changed in the lesson, as its file would have it, blanks as "+":
 *
 *     &changes={cell:+[X,+0,+1],+value:+3},{mute:+S}
 *
 * What is not there stays as it is, what is not known is left out, and so are changes
 * that take more than SESSION_CHANGES_SIZE bytes. */
#pragma once

#include "session/state.h"

/* Returns true if a name that is to be opened is a link: it has such an end. */
bool link_is(const char *name);

/* The lesson that a link leads to, and where in it; false, and no change of these, where
 * it names none. What it says of language and theme holds for this once. */
bool link_read(Session *session, const char *link, char lesson[SESSION_NAME_SIZE],
               Arrival *arrival);

/* The link to what the session shows, new in the arena; NULL when that is exhausted. A
 * lesson that isn't the course's has no place in it. */
const char *link_write(const Session *session, Arena *arena);
