/* The memory that jansson takes.
 *
 * Without memory it leaves out of an array what should stand there, and may call a text
 * wrong that is none. Whoever prints JSON, or judges a file by it, watches what it
 * allocates in the meantime. */
#ifndef BASE_JSON_WATCH_H
#define BASE_JSON_WATCH_H

#include "base/arena.h"

#include <jansson.h>
#include <stdbool.h>

/* Begins to watch jansson's allocations in this thread. */
void json_watch(void);

/* Whether one was refused since. */
bool json_refused(void);

/* Reads JSON, in which no key may come twice, as work of the arena's and within the
 * memory that it has left. What its values need at most, *taken bytes, is the arena's
 * until json_release. NULL with jansson's problem or, if json_refused, with none. */
json_t *json_parse_within(Arena *arena, const char *bytes, size_t length, size_t *taken,
                          json_error_t *problem);
void json_release(Arena *arena, json_t *json, size_t taken);

#endif
