#include "text/sequence.h"

bool sequence_init(Sequence *sequence, Arena *arena, size_t capacity) {
    *sequence = (Sequence){.capacity = capacity};
    sequence->symbols = arena_alloc(arena, capacity, sizeof *sequence->symbols);
    sequence->next = arena_alloc(arena, capacity, sizeof *sequence->next);
    sequence->previous = arena_alloc(arena, capacity, sizeof *sequence->previous);
    return sequence->symbols && sequence->next && sequence->previous;
}

void sequence_link(Sequence *sequence, size_t start, size_t end) {
    for (size_t i = start; i < end; i++) {
        sequence->next[i] = i + 1 < end ? (uint32_t)i + 1 : SEQUENCE_NONE;
        sequence->previous[i] = i > start ? (uint32_t)i - 1 : SEQUENCE_NONE;
    }
}

bool sequence_has(const Sequence *sequence, uint32_t place, uint32_t left,
                  uint32_t right) {
    return sequence->symbols[place] == left && sequence->next[place] != SEQUENCE_NONE &&
           sequence->symbols[sequence->next[place]] == right;
}

void sequence_join(Sequence *sequence, uint32_t place, uint32_t result) {
    uint32_t freed = sequence->next[place], behind = sequence->next[freed];
    sequence->symbols[place] = result;
    sequence->symbols[freed] = SEQUENCE_NONE;
    sequence->next[place] = behind;
    if (behind != SEQUENCE_NONE)
        sequence->previous[behind] = place;
}
