/* Monitoring of jansson's memory.
 *
 * When memory is short, jansson drops values from arrays and may report errors in correct
 * text. Code that prints JSON, or rejects a file because of it, therefore monitors the
 * allocations. */
#pragma once

#include "base/arena.h"

#include <jansson.h>
#include <stdbool.h>

/* Begins to monitor jansson's allocations in this thread. */
void json_watch(void);

/* Reports whether an allocation has failed since then. */
bool json_refused(void);

/* Parses JSON without repeated keys, spending work on the arena, within the memory left
 * in it. *taken, an upper bound of its size in bytes, is charged to the arena until
 * json_release. NULL with jansson's problem, or without one if json_refused. */
json_t *json_parse_within(Arena *arena, const char *bytes, size_t length, size_t *taken,
                          json_error_t *problem);
void json_release(Arena *arena, json_t *json, size_t taken);
