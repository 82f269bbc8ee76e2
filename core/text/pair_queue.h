/* The pairs of neighbouring symbols in a corpus, the most frequent one first.
 *
 * Counting all pairs anew for every merge would take a merge's time times the corpus.
 * Here each pair keeps its count and the places where it stands, and a heap keeps the
 * pairs in order: by count and, where counts are equal, by first appearance. Private to
 * core/text. */
#ifndef TEXT_PAIR_QUEUE_H
#define TEXT_PAIR_QUEUE_H

#include "text/pair_table.h"
#include "text/sequence.h"

/* A place where a pair stood when it was added: a node of the pair's skew heap, whose
 * root is the earliest. */
typedef struct PairPlace {
    uint32_t place;
    uint32_t children[2]; /* nodes, or SEQUENCE_NONE */
} PairPlace;

typedef struct Pair {
    uint32_t left, right; /* symbols */
    uint64_t count;       /* weighted by the words' counts */
    uint32_t root;        /* of its places; SEQUENCE_NONE: none */
    uint32_t earliest;    /* no place of it that still counts is before this one */
    uint32_t rank;        /* where it stands in the heap */
} Pair;

/* `{.arena = …, .sequence = …}` is an empty queue. */
typedef struct PairQueue {
    Arena *arena;
    const Sequence *sequence; /* borrowed; tells which places still have their pair */
    PairTable table;          /* a pair of symbols to its index in pairs */
    Pair *pairs;
    uint32_t *heap; /* indices in pairs, the best first */
    size_t count, capacity;
    PairPlace *places;
    size_t place_count, place_capacity;
} PairQueue;

/* The pair stands at one more place, in a word that counts `weight` times. False when the
 * arena is exhausted. */
bool pair_queue_add(PairQueue *queue, uint32_t left, uint32_t right, uint32_t place,
                    uint64_t weight);

/* The pair stands at one place less. The pair must be there. */
void pair_queue_remove(PairQueue *queue, uint32_t left, uint32_t right, uint64_t weight);

/* The most frequent pair, the one of them that stands first in the corpus. NULL when no
 * pair is left. Valid until the next pair_queue_add. */
const Pair *pair_queue_best(PairQueue *queue);

/* Takes the earliest place where the pair still stands out of its places; false when
 * there is none. The pair's count stays as it is. */
bool pair_queue_take(PairQueue *queue, uint32_t left, uint32_t right, uint32_t *place);

#endif
