/* Arenas: memory that is freed as a whole.
 *
 * An arena hands out zeroed, aligned memory and frees all of it at once. A lesson lives
 * in one arena, a frame's scene in another. An arena has a limit in bytes: past it, or
 * when the machine has no more memory, every allocation returns NULL and arena_exhausted
 * reports it. Nothing in an arena is freed on its own.
 *
 * Code that allocates a lot runs under a guard: then no allocation returns NULL, because
 * the first that fails ends the whole work, and only the code that set the guard checks.
 * A lesson's reader, the tape, tokenizers, terms, code and pictures run under a guard.
 * This is sound because destroying the arena frees everything the work allocated; other
 * resources (a parser, another arena) must be reachable from the code that set the guard.
 *
 * An arena can also limit work, counted in operations rather than in time, so that the
 * same work is refused on every machine: one operation is a multiplication with its
 * addition, and anything that takes n times as long counts as n. Expensive code spends
 * its work on the arena beforehand. Past the limit the arena behaves as if there were no
 * more memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;
typedef struct Error Error;

/* Kinds of work. */
typedef enum ArenaWork {
    ARENA_WORK_JSON,       /* reading JSON */
    ARENA_WORK_PATTERNS,   /* matching a tokenizer's patterns */
    ARENA_WORK_MERGES,     /* learning the merges of a vocabulary */
    ARENA_WORK_TEXTS,      /* tokenizing texts */
    ARENA_WORK_RANDOM,     /* drawing random numbers */
    ARENA_WORK_PRODUCTS,   /* matrix products */
    ARENA_WORK_OPERATIONS, /* other tensor operations */
    ARENA_WORK_TRAINING,
    ARENA_WORK_WORDS,  /* choosing the tokens that a model generates */
    ARENA_WORK_LABELS, /* finding cells by their labels */
    ARENA_WORK_OUTPUT, /* printing numbers */
    ARENA_WORK_COUNT
} ArenaWork;

/* Creates an arena of at most `limit` bytes; NULL when there is no memory. The caller
 * destroys it. */
Arena *arena_create(size_t limit);

/* Creates an arena within another, for temporary data. It is destroyed with the outer one
 * at the latest, and shares its guard. NULL as for arena_alloc. */
Arena *arena_create_within(Arena *outer, size_t limit);

/* Runs the work. While it runs, no allocation from the arena, or from one within it,
 * returns NULL: one that fails abandons the work (longjmp), and arena_guard returns
 * false. Guards may be nested; the innermost is the target. */
bool arena_guard(Arena *arena, void (*work)(void *context), void *context);

/* Frees the arena, those within it and all that was allocated from them. NULL is fine. */
void arena_destroy(Arena *arena);

/* Discards all allocations and keeps the memory for reuse. */
void arena_reset(Arena *arena);

/* Fill level of an arena, to discard temporary allocations such as those of measuring. */
typedef struct ArenaMark {
    struct ArenaBlock *block;
    size_t in_block, used;
} ArenaMark;

ArenaMark arena_mark(const Arena *arena);

/* Discards the allocations since the mark; no arena_reset may have come between. Whether
 * the arena is exhausted doesn't change. */
void arena_rewind(Arena *arena, ArenaMark mark);

/* Allocates `count` items of `size` bytes each, zeroed, aligned for any type. NULL when
 * count × size overflows, the limit is reached or memory is short. */
void *arena_alloc(Arena *arena, size_t count, size_t size);

/* Copies `length` bytes of text and adds a terminating zero. NULL as for arena_alloc. */
char *arena_copy(Arena *arena, const char *text, size_t length);

/* printf into the arena. NULL as for arena_alloc. */
char *arena_format(Arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the limit of work, in operations, and resets the amount spent. The default is no
 * limit. */
void arena_allow(Arena *arena, double operations);

/* Spends work on the arena and on those that enclose it. Past the limit of one of them,
 * and from then on, returns false or jumps to the guard. */
bool arena_spend(Arena *arena, ArenaWork work, double operations);

/* Returns the operations spent since the limit was set. */
double arena_spent(const Arena *arena);

/* Returns the limit of work, in operations; INFINITY if there is none. */
double arena_allowed(const Arena *arena);

/* Sets the error for work abandoned because the arena is exhausted, and returns false:
 * ERROR_WORK with a message that names the largest kind of work and how to allow more, or
 * ERROR_MEMORY with the message given. */
bool arena_error(const Arena *arena, const char *no_memory, Error *error);

/* Returns the bytes that are left. */
size_t arena_room(const Arena *arena);

/* Counts `bytes` that were allocated elsewhere as used, until arena_return. False past
 * the limit; doesn't jump to the guard. */
bool arena_charge(Arena *arena, size_t bytes);
void arena_return(Arena *arena, size_t bytes);

/* Returns the bytes used since creation or the last reset. */
size_t arena_used(const Arena *arena);

/* Reports whether an allocation, or one from an arena within, has failed since creation
 * or the last reset. */
bool arena_exhausted(const Arena *arena);
