#include "base/arena.h"

#include "base/error.h"
#include "base/maths.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* AddressSanitizer detects accesses outside a block or to a freed one. Under it, and when
 * allocations are made to fail, each allocation is a block of its own, and resets free
 * it. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(WATCHED)
#define WATCHED
#endif
#elif defined(__SANITIZE_ADDRESS__) && !defined(WATCHED)
#define WATCHED
#endif
#ifdef WATCHED
enum { BLOCK_SIZE = 0, UNIT = 1 };
#else
enum { BLOCK_SIZE = 1 << 16, UNIT = 16 };
#endif
enum { ALIGNMENT = 16 };

static const size_t LARGEST = (size_t)1 << 40; /* bytes, more than any machine has */

typedef struct ArenaBlock {
    struct ArenaBlock *next;
    size_t size, used;
    size_t padding; /* keeps bytes[] aligned to ALIGNMENT */
    unsigned char bytes[];
} Block;

struct Arena {
    Block *first, *current;
    size_t used, limit;
    size_t charged;                 /* bytes charged for allocations elsewhere */
    double allowed;                 /* work, in operations; 0: there is no limit */
    double spent[ARENA_WORK_COUNT]; /* work since the limit was set */
    double all_spent;               /* the sum of `spent` */
    bool overspent;
    bool exhausted;
    jmp_buf *guard;       /* jump target of a failing allocation, or NULL */
    Arena *outer, *inner; /* the arena this one is within; the first of those within it */
    Arena *next;          /* the next within the same one */
};

Arena *arena_create(size_t limit) {
    Arena *arena = calloc(1, sizeof *arena);
    if (arena)
        arena->limit = limit;
    return arena;
}

/* Handles a failed allocation: jumps to the nearest guard. */
static void *fail(Arena *arena) {
    Arena *guarded = NULL;
    for (; arena; arena = arena->outer) {
        arena->exhausted = true;
        if (!guarded && arena->guard)
            guarded = arena;
    }
    if (guarded)
        longjmp(*guarded->guard, 1);
    return NULL;
}

Arena *arena_create_within(Arena *outer, size_t limit) {
    Arena *arena = arena_create(limit);
    if (!arena)
        return fail(outer);
    arena->outer = outer;
    arena->next = outer->inner;
    outer->inner = arena;
    return arena;
}

bool arena_guard(Arena *arena, void (*work)(void *context), void *context) {
    jmp_buf here, *before = arena->guard;
    arena->guard = &here;
    if (setjmp(here) == 0) {
        work(context);
        arena->guard = before;
        return true;
    }
    arena->guard = before;
    return false;
}

static void leave_outer(const Arena *arena) {
    Arena **place = &arena->outer->inner;
    while (*place != arena)
        place = &(*place)->next;
    *place = arena->next;
}

static void free_blocks(Block *block) {
    for (Block *next; block; block = next) {
        next = block->next;
        free(block);
    }
}

void arena_destroy(Arena *arena) {
    if (!arena)
        return;
    while (arena->inner)
        arena_destroy(arena->inner);
    if (arena->outer)
        leave_outer(arena);
    free_blocks(arena->first);
    free(arena);
}

ArenaMark arena_mark(const Arena *arena) {
    Block *block = arena->current;
    return (ArenaMark){block, block ? block->used : 0, arena->used};
}

void arena_rewind(Arena *arena, ArenaMark mark) {
    if (!BLOCK_SIZE) {
        Block **forgotten = mark.block ? &mark.block->next : &arena->first;
        free_blocks(*forgotten);
        *forgotten = NULL;
    }
    arena->current = mark.block ? mark.block : arena->first;
    if (arena->current)
        arena->current->used = mark.in_block;
    arena->used = mark.used;
}

void arena_reset(Arena *arena) {
    arena_rewind(arena, (ArenaMark){0});
    arena->exhausted = false;
}

/* Returns a block with room for `size` bytes: the current one, a later one kept from
 * before a reset, which is empty whatever its `used`, or a new one appended to the
 * list. */
static Block *block_with_room(Arena *arena, size_t size) {
    Block *block = arena->current;
    while (block && block->size - block->used < size) {
        if (!block->next)
            break;
        block = block->next;
        block->used = 0;
    }
    if (!block || block->size - block->used < size) {
        size_t capacity = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        Block *fresh = malloc(sizeof *fresh + capacity);
        if (!fresh)
            return NULL;
        *fresh = (Block){.size = capacity};
        if (block)
            block->next = fresh;
        else
            arena->first = fresh;
        block = fresh;
    }
    arena->current = block;
    return block;
}

size_t arena_room(const Arena *arena) {
    return arena->limit - arena->used - arena->charged;
}

static size_t round_up(size_t bytes, size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

void *arena_alloc(Arena *arena, size_t count, size_t size) {
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > LARGEST)
        return fail(arena);
    size_t counted = round_up(bytes, ALIGNMENT), taken = round_up(bytes, UNIT);
    if (counted > arena_room(arena))
        return fail(arena);
    Block *block = block_with_room(arena, taken);
    if (!block)
        return fail(arena);
    void *memory = block->bytes + block->used;
    block->used += taken;
    arena->used += counted;
    return memset(memory, 0, bytes);
}

char *arena_copy(Arena *arena, const char *text, size_t length) {
    char *copy = length < SIZE_MAX ? arena_alloc(arena, length + 1, 1) : fail(arena);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_format(Arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? fail(arena) : arena_alloc(arena, (size_t)length + 1, 1);
    if (text) {
        va_start(arguments, format);
        vsnprintf(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    return text;
}

/* ---- work ---- */

void arena_allow(Arena *arena, double operations) {
    arena->allowed = operations;
    arena->overspent = false;
    arena->all_spent = 0;
    memset(arena->spent, 0, sizeof arena->spent);
}

double arena_spent(const Arena *arena) {
    return arena->all_spent;
}

double arena_allowed(const Arena *arena) {
    return arena->allowed > 0 ? arena->allowed : INFINITY;
}

bool arena_spend(Arena *arena, ArenaWork work, double operations) {
    bool good = true;
    for (Arena *at = arena; at; at = at->outer) {
        if (at->allowed <= 0)
            continue;
        at->spent[work] += operations;
        at->all_spent += operations;
        at->overspent |= at->all_spent > at->allowed;
        good &= !at->overspent;
    }
    if (!good)
        fail(arena);
    return good;
}

/* The kind of work that most was spent on. */
static ArenaWork largest_work(const Arena *arena) {
    size_t largest = 0;
    for (size_t i = 1; i < ARENA_WORK_COUNT; i++)
        largest = arena->spent[i] > arena->spent[largest] ? i : largest;
    return (ArenaWork)largest;
}

/* Names of the kinds of work, and advice to reduce them. */
static const struct {
    const char *name, *advice;
} works[ARENA_WORK_COUNT] = {
    [ARENA_WORK_JSON] = {"reading JSON", "take a smaller file"},
    [ARENA_WORK_PATTERNS] = {"a tokenizer's patterns",
                             "take a shorter text or simpler patterns"},
    [ARENA_WORK_MERGES] = {"learning merges", "take a smaller corpus or fewer merges"},
    [ARENA_WORK_TEXTS] = {"cutting texts into tokens", "take shorter texts"},
    [ARENA_WORK_RANDOM] = {"drawing random numbers", "draw fewer"},
    [ARENA_WORK_PRODUCTS] = {"matrix products", "take fewer or smaller ones"},
    [ARENA_WORK_OPERATIONS] = {"operations other than products",
                               "take fewer, or smaller tensors"},
    [ARENA_WORK_TRAINING] = {"training",
                             "take fewer epochs or a smaller model, or let 'glassformer "
                             "train' do it once and write weights: {file: "
                             "NAME.safetensors}"},
    [ARENA_WORK_WORDS] = {"choosing generated tokens", "generate fewer tokens"},
    [ARENA_WORK_LABELS] = {"finding cells by their labels",
                           "write the numbers of rows and columns instead"},
    [ARENA_WORK_OUTPUT] = {"printing numbers", "print fewer tensors or rows"}};

/* The smallest power of ten that is not below a number. */
static double ten_above(double number) {
    double power = 1;
    while (power < number)
        power *= 10;
    return power;
}

bool arena_error(const Arena *arena, const char *no_memory, Error *error) {
    while (arena && !arena->overspent)
        arena = arena->outer;
    if (!arena)
        return error_set(error, ERROR_MEMORY, 0, 0, "%s", no_memory);
    ArenaWork work = largest_work(arena);
    double needed = arena->all_spent / 1e6;
    return error_set(error, ERROR_WORK, 0, 0,
                     "a lesson may take %.7g million operations, but this one needs %.0f "
                     "million or more, most of them for %s; %s, or allow more with "
                     "'--work %.0f'",
                     arena->allowed / 1e6, ceil(needed), works[work].name,
                     works[work].advice, ten_above(needed));
}

/* ---- memory from elsewhere ---- */

bool arena_charge(Arena *arena, size_t bytes) {
    bool fits = bytes <= arena_room(arena);
    arena->charged += fits ? bytes : 0;
    arena->exhausted |= !fits;
    return fits;
}

void arena_return(Arena *arena, size_t bytes) {
    arena->charged -= bytes;
}

size_t arena_used(const Arena *arena) {
    return arena->used;
}

bool arena_exhausted(const Arena *arena) {
    return arena->exhausted;
}
