#include "text/pair_queue.h"

#include <string.h>

/* ---- the places of one pair: a skew heap (Sleator and Tarjan 1986) ---- */

/* Puts two heaps together; returns the root. */
static uint32_t meld(PairPlace *places, uint32_t a, uint32_t b) {
    uint32_t root = SEQUENCE_NONE, *link = &root;
    while (a != SEQUENCE_NONE && b != SEQUENCE_NONE) {
        if (places[b].place < places[a].place) {
            uint32_t swapped = a;
            a = b;
            b = swapped;
        }
        uint32_t rest = places[a].children[1];
        places[a].children[1] = places[a].children[0];
        *link = a;
        link = &places[a].children[0];
        a = rest;
    }
    *link = a != SEQUENCE_NONE ? a : b;
    return root;
}

static void drop_root(PairQueue *queue, Pair *pair) {
    const PairPlace *root = &queue->places[pair->root];
    pair->root = meld(queue->places, root->children[0], root->children[1]);
}

/* Drops places where the pair stands no longer. A symbol only grows, so a pair that went
 * from a place never comes back to it. */
static void drop_stale(PairQueue *queue, Pair *pair) {
    while (pair->root != SEQUENCE_NONE &&
           !sequence_has(queue->sequence, queue->places[pair->root].place, pair->left,
                         pair->right))
        drop_root(queue, pair);
}

/* ---- the heap of pairs ---- */

static bool is_better(const Pair *a, const Pair *b) {
    return a->count != b->count ? a->count > b->count : a->earliest < b->earliest;
}

static void put(PairQueue *queue, size_t rank, uint32_t pair) {
    queue->heap[rank] = pair;
    queue->pairs[pair].rank = (uint32_t)rank;
}

static void sift_up(PairQueue *queue, uint32_t pair) {
    size_t rank = queue->pairs[pair].rank;
    while (rank > 0) {
        uint32_t parent = queue->heap[(rank - 1) / 2];
        if (!is_better(&queue->pairs[pair], &queue->pairs[parent]))
            break;
        put(queue, rank, parent);
        rank = (rank - 1) / 2;
    }
    put(queue, rank, pair);
}

static void sift_down(PairQueue *queue, uint32_t pair) {
    size_t rank = queue->pairs[pair].rank;
    for (size_t child; (child = 2 * rank + 1) < queue->count; rank = child) {
        if (child + 1 < queue->count && is_better(&queue->pairs[queue->heap[child + 1]],
                                                  &queue->pairs[queue->heap[child]]))
            child++;
        if (!is_better(&queue->pairs[queue->heap[child]], &queue->pairs[pair]))
            break;
        put(queue, rank, queue->heap[child]);
    }
    put(queue, rank, pair);
}

/* ---- adding and taking ---- */

/* Makes room for one more item in a growing array; NULL when memory is short. */
static void *make_room(Arena *arena, void *items, size_t count, size_t *capacity,
                       size_t size) {
    if (count < *capacity)
        return items;
    size_t grown = *capacity ? 2 * *capacity : 64;
    void *memory = arena_alloc(arena, grown, size);
    if (!memory)
        return NULL;
    if (count)
        memcpy(memory, items, count * size);
    *capacity = grown;
    return memory;
}

/* The pair's index; a new pair gets one. SEQUENCE_NONE when memory is short. */
static uint32_t find_or_add(PairQueue *queue, uint32_t left, uint32_t right) {
    uint32_t index = pair_table_lookup(&queue->table, left, right);
    if (index != PAIR_TABLE_NONE)
        return index;
    size_t capacity = queue->capacity;
    Pair *pairs = make_room(queue->arena, queue->pairs, queue->count, &queue->capacity,
                            sizeof *pairs);
    uint32_t *heap =
        make_room(queue->arena, queue->heap, queue->count, &capacity, sizeof *heap);
    queue->table.arena = queue->arena;
    if (!pairs || !heap)
        return SEQUENCE_NONE;
    queue->pairs = pairs;
    queue->heap = heap;
    index = (uint32_t)queue->count;
    if (!pair_table_add(&queue->table, left, right, index))
        return SEQUENCE_NONE;
    queue->pairs[index] = (Pair){
        .left = left, .right = right, .root = SEQUENCE_NONE, .earliest = SEQUENCE_NONE};
    put(queue, queue->count++, index);
    return index;
}

bool pair_queue_add(PairQueue *queue, uint32_t left, uint32_t right, uint32_t place,
                    uint64_t weight) {
    uint32_t index = find_or_add(queue, left, right);
    PairPlace *places = make_room(queue->arena, queue->places, queue->place_count,
                                  &queue->place_capacity, sizeof *places);
    if (index == SEQUENCE_NONE || !places)
        return false;
    queue->places = places;
    uint32_t node = (uint32_t)queue->place_count++;
    places[node] = (PairPlace){place, {SEQUENCE_NONE, SEQUENCE_NONE}};
    Pair *pair = &queue->pairs[index];
    pair->root = meld(places, pair->root, node);
    pair->count += weight;
    if (place < pair->earliest)
        pair->earliest = place;
    sift_up(queue, index);
    return true;
}

void pair_queue_remove(PairQueue *queue, uint32_t left, uint32_t right, uint64_t weight) {
    uint32_t index = pair_table_lookup(&queue->table, left, right);
    queue->pairs[index].count -= weight;
    sift_down(queue, index);
}

const Pair *pair_queue_best(PairQueue *queue) {
    while (queue->count > 0) {
        uint32_t index = queue->heap[0];
        Pair *pair = &queue->pairs[index];
        if (!pair->count)
            return NULL;
        drop_stale(queue, pair);
        /* The others' places may be stale, too, but then they stand even further back. */
        uint32_t earliest = queue->places[pair->root].place;
        if (pair->earliest == earliest)
            return pair;
        pair->earliest = earliest;
        sift_down(queue, index);
    }
    return NULL;
}

bool pair_queue_take(PairQueue *queue, uint32_t left, uint32_t right, uint32_t *place) {
    uint32_t index = pair_table_lookup(&queue->table, left, right);
    if (index == PAIR_TABLE_NONE)
        return false;
    Pair *pair = &queue->pairs[index];
    drop_stale(queue, pair);
    if (pair->root == SEQUENCE_NONE)
        return false;
    *place = queue->places[pair->root].place;
    drop_root(queue, pair);
    return true;
}
