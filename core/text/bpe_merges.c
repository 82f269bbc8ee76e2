#include "text/bpe_merges.h"

#include "base/utf8.h"

bool bpe_merging_init(BpeMerging *merging, Arena *arena, size_t capacity) {
    *merging = (BpeMerging){0};
    /* A pair is queued at the start for each neighbour, and at most two for each join. */
    merging->queue = arena_alloc(arena, 3 * capacity, sizeof *merging->queue);
    merging->batch = arena_alloc(arena, capacity, sizeof *merging->batch);
    return sequence_init(&merging->sequence, arena, capacity) && merging->queue &&
           merging->batch;
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

typedef struct Range {
    size_t begin, end; /* the merges that may still be taken */
} Range;

/* Queues the pair at the place when there is a merge for it within the range. */
static void queue_pair(BpeMerging *merging, const Bpe *bpe, uint32_t place, Range range) {
    const Sequence *sequence = &merging->sequence;
    if (place == SEQUENCE_NONE || sequence->next[place] == SEQUENCE_NONE)
        return;
    uint32_t left = sequence->symbols[place];
    uint32_t right = sequence->symbols[sequence->next[place]];
    if (left == SEQUENCE_NONE || right == SEQUENCE_NONE)
        return;
    size_t merge = pair_table_lookup(&bpe->first_merge, left, right);
    if (merge == PAIR_TABLE_NONE)
        return;
    while (merge < range.begin && bpe->merges[merge].again)
        merge = bpe->merges[merge].again;
    if (merge >= range.begin && merge < range.end)
        push(merging, (uint64_t)merge << 32 | place);
}

/* Joins the pairs of one merge; what they become may be queued. */
static void join_batch(BpeMerging *merging, const Bpe *bpe, size_t merge, size_t count,
                       Range range) {
    const BpeMerge *pair = &bpe->merges[merge];
    Sequence *sequence = &merging->sequence;
    for (size_t i = 0; i < count; i++) {
        uint32_t place = (uint32_t)merging->batch[i];
        if (!sequence_has(sequence, place, (uint32_t)pair->left, (uint32_t)pair->right))
            continue;
        sequence_join(sequence, place, (uint32_t)pair->result);
        queue_pair(merging, bpe, sequence->previous[place], range);
        queue_pair(merging, bpe, place, range);
    }
}

void bpe_merging_run(BpeMerging *merging, const Bpe *bpe, size_t count, size_t merges,
                     bool as_learned) {
    Range range = {0, merges};
    merging->queued = 0;
    sequence_link(&merging->sequence, 0, count);
    for (size_t i = 0; i < count; i++)
        queue_pair(merging, bpe, (uint32_t)i, range);
    while (merging->queued) {
        /* A join can make a pair of an earlier merge: it waits until all of this one's
         * are joined. */
        size_t merge = (size_t)(merging->queue[0] >> 32), batch = 0;
        while (merging->queued && merging->queue[0] >> 32 == merge)
            merging->batch[batch++] = pop(merging);
        if (as_learned)
            range.begin = merge + 1;
        join_batch(merging, bpe, merge, batch, range);
    }
}
