/* A hash table from keys of any bytes to numbers, such as places in an array. It lives in
 * an arena and forgets nothing but all at once. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/arena.h"

typedef struct TableSlot {
    const void *key; /* NULL: free */
    size_t length, value;
} TableSlot;

/* {.arena = …} is an empty table. */
typedef struct Table {
    Arena *arena;
    size_t count, capacity;
    TableSlot *slots;
} Table;

/* Finds a key's number; false when the key is not there. */
bool table_lookup(const Table *table, const void *key, size_t length, size_t *value);

/* Adds a key that is not there yet; its bytes are borrowed and must stay as they are.
 * False, and nothing has changed, when the arena is exhausted. */
bool table_add(Table *table, const void *key, size_t length, size_t value);

/* Makes room, so that the next table_add can't fail. False as there. */
bool table_reserve(Table *table);

/* Forgets all keys; the room stays. */
void table_clear(Table *table);

#endif
