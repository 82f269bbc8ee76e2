#include "base/table.h"

#include "base/hash.h"

#include <string.h>

enum { FIRST_CAPACITY = 64 };

/* Returns the key's slot, or the free one where it belongs. `capacity` is a power of two,
 * and at least half of the slots are free. */
static TableSlot *find_slot(TableSlot *slots, size_t capacity, const void *key,
                            size_t length) {
    uint64_t hash = hash_bytes(HASH_START, key, length);
    size_t i = (size_t)(hash ^ hash >> 32) & (capacity - 1);
    while (slots[i].key &&
           (slots[i].length != length || memcmp(slots[i].key, key, length) != 0))
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

bool table_lookup(const Table *table, const void *key, size_t length, size_t *value) {
    if (!table->count)
        return false;
    const TableSlot *slot = find_slot(table->slots, table->capacity, key, length);
    if (slot->key)
        *value = slot->value;
    return slot->key != NULL;
}

bool table_reserve(Table *table) {
    if (2 * (table->count + 1) <= table->capacity)
        return true;
    size_t capacity = table->capacity ? 2 * table->capacity : FIRST_CAPACITY;
    TableSlot *slots = arena_alloc(table->arena, capacity, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < table->capacity; i++) {
        const TableSlot *old = &table->slots[i];
        if (old->key)
            *find_slot(slots, capacity, old->key, old->length) = *old;
    }
    table->slots = slots;
    table->capacity = capacity;
    return true;
}

bool table_add(Table *table, const void *key, size_t length, size_t value) {
    if (!table_reserve(table))
        return false;
    *find_slot(table->slots, table->capacity, key, length) =
        (TableSlot){key, length, value};
    table->count++;
    return true;
}

void table_clear(Table *table) {
    if (table->count)
        memset(table->slots, 0, table->capacity * sizeof *table->slots);
    table->count = 0;
}
