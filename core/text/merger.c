#include "text/merger.h"

void merger_init(Merger *merger, Arena *arena, size_t most) {
    *merger = (Merger){.rules = arena_alloc(arena, most + 1, sizeof(MergerRule)),
                       .indices = {.arena = arena}};
}

void merger_add(Merger *merger, uint32_t left, uint32_t right, uint32_t result) {
    size_t index = merger->count;
    MergerRule *rule = &merger->rules[index];
    *rule = (MergerRule){{left, right}, result, (uint32_t)merger->count};
    if (table_lookup(&merger->indices, rule->pair, sizeof rule->pair, &index))
        merger->rules[index] = *rule;
    else
        table_add(&merger->indices, rule->pair, sizeof rule->pair, index);
    merger->count++;
}

/* ---- a word ---- */

static const uint32_t NOBODY = UINT32_MAX;

/* A candidate: two neighbours that a rule joins, in order of rules. */
typedef struct MergerCandidate {
    uint32_t rank, at;
} Candidate;

typedef struct MergerLinks {
    uint32_t previous, next;
    bool gone;
} Links;

typedef struct Joining {
    const Merger *merger;
    size_t rules; /* number of rules to apply */
    MergerPart *parts;
    Links *links;
    Candidate *heap; /* priority queue of candidates */
    size_t candidate_count;
    MergerJoin *joins; /* next join to record, or NULL */
} Joining;

void merger_room(MergerRoom *room, Arena *arena, size_t parts) {
    *room = (MergerRoom){arena_alloc(arena, parts + 1, sizeof(Links)),
                         arena_alloc(arena, 3 * parts + 1, sizeof(Candidate))};
}

static bool before(Candidate left, Candidate right) {
    return left.rank != right.rank ? left.rank < right.rank : left.at < right.at;
}

static void push(Joining *joining, Candidate candidate) {
    size_t at = joining->candidate_count++;
    for (; at > 0 && before(candidate, joining->heap[(at - 1) / 2]); at = (at - 1) / 2)
        joining->heap[at] = joining->heap[(at - 1) / 2];
    joining->heap[at] = candidate;
}

static Candidate pop(Joining *joining) {
    Candidate *heap = joining->heap, top = heap[0],
              last = heap[--joining->candidate_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < joining->candidate_count; at = child) {
        child +=
            child + 1 < joining->candidate_count && before(heap[child + 1], heap[child]);
        if (!before(heap[child], last))
            break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return top;
}

/* Returns the rule that joins a part with the next one, or NULL. */
static const MergerRule *rule_at(const Joining *joining, uint32_t at) {
    size_t index;
    if (at == NOBODY || joining->links[at].next == NOBODY)
        return NULL;
    const MergerPart *left = &joining->parts[at];
    const MergerPart *right = &joining->parts[joining->links[at].next];
    const uint32_t pair[2] = {left->symbol, right->symbol};
    bool known = !left->unknown && !right->unknown &&
                 table_lookup(&joining->merger->indices, pair, sizeof pair, &index);
    const MergerRule *rule = known ? &joining->merger->rules[index] : NULL;
    return rule && rule->rank < joining->rules ? rule : NULL;
}

static void await(Joining *joining, uint32_t at) {
    const MergerRule *rule = rule_at(joining, at);
    if (rule)
        push(joining, (Candidate){rule->rank, at});
}

static void join(Joining *joining, uint32_t at, const MergerRule *rule) {
    Links *links = joining->links;
    uint32_t next = links[at].next, behind = links[next].next;
    MergerPart *left = &joining->parts[at], *right = &joining->parts[next];
    if (joining->joins)
        *joining->joins++ = (MergerJoin){rule->rank, left->from, left->to, right->to};
    left->symbol = rule->result;
    left->to = right->to;
    links[next].gone = true;
    links[at].next = behind;
    if (behind != NOBODY)
        links[behind].previous = at;
    await(joining, links[at].previous);
    await(joining, at);
}

size_t merger_run(const Merger *merger, size_t rules, MergerPart *parts, size_t count,
                  const MergerRoom *room, MergerJoin *joins) {
    Joining joining = {merger, rules, parts, room->links, room->heap, 0, joins};
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        joining.links[i] = (Links){i ? (uint32_t)i - 1 : NOBODY,
                                   i + 1 < count ? (uint32_t)i + 1 : NOBODY, false};
    for (size_t i = 0; i < count; i++)
        await(&joining, (uint32_t)i);
    while (joining.candidate_count) {
        Candidate candidate = pop(&joining);
        const MergerRule *rule =
            joining.links[candidate.at].gone ? NULL : rule_at(&joining, candidate.at);
        if (rule && rule->rank == candidate.rank)
            join(&joining, candidate.at, rule);
    }
    for (size_t i = 0; i < count; i++) {
        if (!joining.links[i].gone)
            parts[kept++] = parts[i];
    }
    return kept;
}
