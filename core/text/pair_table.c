#include "text/pair_table.h"

static size_t hash(uint32_t left, uint32_t right) {
    uint64_t h = ((uint64_t)left << 32 | right) * 0x9E3779B97F4A7C15u;
    return (size_t)(h ^ h >> 32);
}

/* The pair's place, or the free one where it would go; the table is never full. */
static PairTablePlace *place_of(PairTablePlace *places, size_t capacity, uint32_t left,
                                uint32_t right) {
    size_t i = hash(left, right) & (capacity - 1);
    while (places[i].taken && (places[i].left != left || places[i].right != right))
        i = (i + 1) & (capacity - 1);
    return &places[i];
}

uint32_t pair_table_lookup(const PairTable *table, uint32_t left, uint32_t right) {
    if (!table->count)
        return PAIR_TABLE_NONE;
    const PairTablePlace *place = place_of(table->places, table->capacity, left, right);
    return place->taken ? place->value : PAIR_TABLE_NONE;
}

bool pair_table_add(PairTable *table, uint32_t left, uint32_t right, uint32_t value) {
    if (2 * (table->count + 1) > table->capacity) {
        size_t capacity = table->capacity ? 2 * table->capacity : 64;
        PairTablePlace *places = arena_alloc(table->arena, capacity, sizeof *places);
        if (!places)
            return false;
        for (size_t i = 0; i < table->capacity; i++) {
            const PairTablePlace *old = &table->places[i];
            if (old->taken)
                *place_of(places, capacity, old->left, old->right) = *old;
        }
        table->places = places;
        table->capacity = capacity;
    }
    *place_of(table->places, table->capacity, left, right) =
        (PairTablePlace){left, right, value, true};
    table->count++;
    return true;
}
