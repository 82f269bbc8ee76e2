/* What jansson was refused.
 *
 * Without memory it leaves out of an array what should stand there, and may call a text
 * wrong that is none. Whoever prints JSON, or judges a file by it, watches what it
 * allocates in the meantime. */
#ifndef APP_JSON_WATCH_H
#define APP_JSON_WATCH_H

#include <stdbool.h>

/* Begins to watch jansson's allocations in this thread. */
void json_watch(void);

/* Whether one was refused since. */
bool json_refused(void);

#endif
