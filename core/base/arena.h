/* Memory that is dropped whole.
 *
 * An arena hands out zeroed, aligned memory and frees all of it at once. A lesson lives
 * in one arena, a frame's scene in another. An arena has a limit in bytes: past it, or
 * when the machine has no more memory, every allocation returns NULL and arena_exhausted
 * tells so. Nothing in an arena is ever freed on its own.
 *
 * Work that makes many things, as reading a lesson does, is done under a guard: then no
 * allocation returns NULL, for the first that can't be had ends the whole work, and only
 * whoever set the guard asks. That is sound because dropping the arena drops all that the
 * work had made; what it needs besides memory of the arena (a parser, another arena) must
 * be in reach of whoever set the guard.
 *
 * An arena can have a limit of work, too, counted in operations and not in time, so that
 * the same work is refused on every machine: one operation is a multiplication with its
 * addition, and what takes n times as long counts as n. Whoever does much work spends it
 * on the arena beforehand. Past the limit it is as if there were no more memory. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Arena Arena;

/* What work is spent on. */
typedef enum ArenaWork {
    ARENA_WORK_JSON,       /* reading JSON */
    ARENA_WORK_PATTERNS,   /* matching a tokenizer's patterns */
    ARENA_WORK_MERGES,     /* learning the merges of a vocabulary */
    ARENA_WORK_TEXTS,      /* cutting texts into tokens */
    ARENA_WORK_RANDOM,     /* drawing random numbers */
    ARENA_WORK_PRODUCTS,   /* matrix products */
    ARENA_WORK_OPERATIONS, /* operations on tensors that are no products */
    ARENA_WORK_TRAINING,
    ARENA_WORK_WORDS, /* choosing the words that a model generates */
    ARENA_WORK_COUNT
} ArenaWork;

/* A new arena that gives out at most `limit` bytes; NULL when there is no memory.
 * The caller destroys it. */
Arena *arena_create(size_t limit);

/* A new arena within another, for what is needed for a while only. It is destroyed with
 * the outer one at the latest, and the outer one's guard is its, too. NULL as for
 * arena_alloc. */
Arena *arena_create_within(Arena *outer, size_t limit);

/* Runs the work. While it runs no allocation from the arena, or from one within it, gives
 * NULL: one that can't be had leaves the work where it stands (longjmp), and this then
 * returns false. Guards may stand within one another; the innermost is the one left. */
bool arena_guard(Arena *arena, void (*work)(void *context), void *context);

/* Frees the arena, those within it and all that was allocated from them. NULL is fine. */
void arena_destroy(Arena *arena);

/* Forgets everything allocated, keeps the memory for the next use. */
void arena_reset(Arena *arena);

/* How far an arena was filled: for work of which nothing is to stay, as measuring is. */
typedef struct ArenaMark {
    struct ArenaBlock *block;
    size_t in_block, used;
} ArenaMark;

ArenaMark arena_mark(const Arena *arena);

/* Forgets what was allocated since the mark, which no arena_reset has passed. Whether it
 * is exhausted stays as it is. */
void arena_rewind(Arena *arena, ArenaMark mark);

/* `count` items of `size` bytes each, zeroed, aligned for any type. Never freed alone.
 * NULL when count × size overflows, the limit is reached or memory is short. */
void *arena_alloc(Arena *arena, size_t count, size_t size);

/* A copy of `length` bytes of text with a terminating zero. NULL as for arena_alloc. */
char *arena_copy(Arena *arena, const char *text, size_t length);

/* printf into the arena. NULL as for arena_alloc. */
char *arena_format(Arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the limit of work, in operations, and forgets what was spent. Without a call there
 * is none. */
void arena_allow(Arena *arena, double operations);

/* Spends work on the arena and on those it is within. False, or out of the guard, past
 * the limit of one of them, and ever after. */
bool arena_spend(Arena *arena, ArenaWork work, double operations);

/* The operations spent since the limit was set. */
double arena_spent(const Arena *arena);

/* Sets the error of work that was left because the arena is exhausted, and returns false:
 * ERROR_WORK with a sentence that names what took most of the work and how to allow more,
 * or ERROR_MEMORY with the sentence given. */
bool arena_error(const Arena *arena, const char *no_memory, Error *error);

/* Bytes that can be given out yet. */
size_t arena_room(const Arena *arena);

/* Takes `bytes` that were allocated elsewhere into account, until arena_return. False
 * past the limit; the guard does not hold here. */
bool arena_charge(Arena *arena, size_t bytes);
void arena_return(Arena *arena, size_t bytes);

/* Bytes given out since creation or the last reset. */
size_t arena_used(const Arena *arena);

/* Whether an allocation, or one from an arena within, has failed since creation or the
 * last reset. */
bool arena_exhausted(const Arena *arena);

#endif
