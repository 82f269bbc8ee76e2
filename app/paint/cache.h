/* A cache that forgets what was used longest ago.
 *
 * Blocks of memory by key: a number and a text. The cache owns the blocks and keeps at
 * most `limit` bytes of them; a block stays where it is until a later cache_add drops it.
 * Used by one thread at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Cache Cache;

/* An empty cache for `limit` bytes; NULL when there is no memory. */
Cache *cache_create(size_t limit);

/* NULL is fine. */
void cache_destroy(Cache *cache);

/* The block of a key, which counts as used now; NULL when there is none. `text` need not
 * end in a zero. */
void *cache_find(Cache *cache, uint32_t number, const char *text, size_t length);

/* Adds a zeroed block of `size` bytes under a key that has none, aligned for any type.
 * Drops older blocks to stay within the limit, though never the new one. NULL when there
 * is no memory. */
void *cache_add(Cache *cache, uint32_t number, const char *text, size_t length,
                size_t size);
