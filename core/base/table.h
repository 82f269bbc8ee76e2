/* A hash table from byte strings to numbers, such as array indices. It lives in an arena;
 * keys are never removed individually. */
#pragma once

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

/* Finds a key's number; false if the table doesn't have the key. */
bool table_lookup(const Table *table, const void *key, size_t length, size_t *value);

/* Adds a new key; its bytes are borrowed and must not change. False, with nothing
 * changed, when the arena is exhausted. */
bool table_add(Table *table, const void *key, size_t length, size_t value);

/* Reserves room, so that the next table_add can't fail. False as there. */
bool table_reserve(Table *table);

/* Removes all keys and keeps the room. */
void table_clear(Table *table);
