#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 1 << 16, ALIGNMENT = 16 };

typedef struct ArenaBlock {
    struct ArenaBlock *next;
    size_t size, used;
    size_t padding; /* keeps bytes[] aligned to ALIGNMENT */
    unsigned char bytes[];
} Block;

struct Arena {
    Block *first, *current;
    size_t used, limit;
    bool exhausted;
    jmp_buf *guard;       /* where a failing allocation goes, or NULL */
    Arena *outer, *inner; /* the one it is within; the first of those within it */
    Arena *next;          /* the next within the same one */
};

Arena *arena_create(size_t limit) {
    Arena *arena = calloc(1, sizeof *arena);
    if (arena)
        arena->limit = limit;
    return arena;
}

/* An allocation that can't be had: leaves the work that is under the nearest guard. */
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

void arena_destroy(Arena *arena) {
    if (!arena)
        return;
    while (arena->inner)
        arena_destroy(arena->inner);
    if (arena->outer)
        leave_outer(arena);
    for (Block *block = arena->first, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(arena);
}

ArenaMark arena_mark(const Arena *arena) {
    Block *block = arena->current;
    return (ArenaMark){block, block ? block->used : 0, arena->used};
}

void arena_rewind(Arena *arena, ArenaMark mark) {
    arena->current = mark.block ? mark.block : arena->first;
    if (arena->current)
        arena->current->used = mark.in_block;
    arena->used = mark.used;
}

void arena_reset(Arena *arena) {
    arena_rewind(arena, (ArenaMark){0});
    arena->exhausted = false;
}

/* The block that has room for `size` bytes: the current one, a later one kept from before
 * a reset, which is empty whatever it says, or a new one linked in behind the last. */
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
        Block *fresh = capacity <= SIZE_MAX - sizeof *fresh
                           ? malloc(sizeof *fresh + capacity)
                           : NULL;
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

void *arena_alloc(Arena *arena, size_t count, size_t size) {
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - ALIGNMENT)
        return fail(arena);
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > arena->limit - arena->used)
        return fail(arena);
    Block *block = block_with_room(arena, bytes);
    if (!block)
        return fail(arena);
    void *memory = block->bytes + block->used;
    block->used += bytes;
    arena->used += bytes;
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

size_t arena_used(const Arena *arena) {
    return arena->used;
}

bool arena_exhausted(const Arena *arena) {
    return arena->exhausted;
}
