/* A hash table from pairs of symbols to numbers. In the arena given; private to
 * core/text.
 */
#ifndef TEXT_PAIR_TABLE_H
#define TEXT_PAIR_TABLE_H

#include "base/arena.h"

#include <stdint.h>

static const uint32_t PAIR_TABLE_NONE = UINT32_MAX;

typedef struct PairTablePlace {
    uint32_t left, right, value;
    bool taken;
} PairTablePlace;

/* `{.arena = …}` is an empty table. */
typedef struct PairTable {
    Arena *arena;
    size_t count, capacity;
    PairTablePlace *places;
} PairTable;

/* The pair's number, or PAIR_TABLE_NONE. */
uint32_t pair_table_lookup(const PairTable *table, uint32_t left, uint32_t right);

/* Adds a pair that is not there yet. False when the arena is exhausted. */
bool pair_table_add(PairTable *table, uint32_t left, uint32_t right, uint32_t value);

#endif
