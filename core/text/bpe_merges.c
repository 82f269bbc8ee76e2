#include "text/bpe_merges.h"

#include "base/utf8.h"

bool bpe_merging_init(BpeMerging *merging, Arena *arena, size_t capacity) {
    *merging = (BpeMerging){0};
    /* A pair is queued at the start for each neighbour, and at most two for each join. */
    merging->queue = arena_alloc(arena, 3 * capacity, sizeof *merging->queue);
    return sequence_init(&merging->sequence, arena, capacity) && merging->queue;
}

uint32_t bpe_symbol_of(const Bpe *bpe, uint32_t code_point) {
    char text[4];
    size_t length = utf8_encode(code_point, text);
    const VocabularyEntry *entry = vocabulary_lookup(bpe->symbols, text, length);
    return entry && entry->id != bpe->mark_symbol ? (uint32_t)entry->id : SEQUENCE_NONE;
}

/* ---- the queue: a binary heap, the smallest first ---- */

static void push(BpeMerging *merging, uint64_t item) {
    size_t i = merging->queued++;
    for (; i > 0 && merging->queue[(i - 1) / 2] > item; i = (i - 1) / 2)
        merging->queue[i] = merging->queue[(i - 1) / 2];
    merging->queue[i] = item;
}

static uint64_t pop(BpeMerging *merging) {
    uint64_t *queue = merging->queue, smallest = queue[0],
             last = queue[--merging->queued];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < merging->queued; i = child) {
        if (child + 1 < merging->queued && queue[child + 1] < queue[child])
            child++;
        if (queue[child] >= last)
            break;
        queue[i] = queue[child];
    }
    queue[i] = last;
    return smallest;
}

/* ---- merging ---- */

/* Queues the pair at the place when it has a merge below `merges`. */
static void queue_pair(BpeMerging *merging, const Bpe *bpe, uint32_t place,
                       size_t merges) {
    const Sequence *sequence = &merging->sequence;
    if (place == SEQUENCE_NONE || sequence->next[place] == SEQUENCE_NONE)
        return;
    uint32_t left = sequence->symbols[place];
    uint32_t right = sequence->symbols[sequence->next[place]];
    if (left == SEQUENCE_NONE || right == SEQUENCE_NONE)
        return;
    uint32_t merge = pair_table_lookup(&bpe->ranks, left, right);
    if (merge != PAIR_TABLE_NONE && merge < merges)
        push(merging, (uint64_t)merge << 32 | place);
}

void bpe_merging_run(BpeMerging *merging, const Bpe *bpe, size_t count, size_t merges) {
    Sequence *sequence = &merging->sequence;
    merging->queued = 0;
    sequence_link(sequence, 0, count);
    for (size_t i = 0; i < count; i++)
        queue_pair(merging, bpe, (uint32_t)i, merges);
    /* A result is in no merge before its own, so what a join queues comes later. */
    while (merging->queued) {
        uint64_t first = pop(merging);
        const BpeMerge *merge = &bpe->merges[first >> 32];
        uint32_t place = (uint32_t)first;
        if (!sequence_has(sequence, place, (uint32_t)merge->left, (uint32_t)merge->right))
            continue; /* one of the two has been joined with another */
        sequence_join(sequence, place, (uint32_t)merge->result);
        queue_pair(merging, bpe, sequence->previous[place], merges);
        queue_pair(merging, bpe, place, merges);
    }
}
