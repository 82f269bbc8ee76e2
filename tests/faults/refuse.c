/* Stands in front of malloc and refuses the N-th allocation, of the program or of any
 * library it uses, so that what they do without memory can be tested.
 *
 * It is told by the environment, and counts from the program's beginning:
 *
 *   GLASSFORMER_REFUSE=N       refuses allocation N, counted from 1
 *   GLASSFORMER_REFUSE=N-      refuses that one and all that follow
 *   GLASSFORMER_REFUSE_LOG=F   writes at the end, a line each, the numbers of the first
 *                              allocations of each place (of each stack of calls), and
 *                              behind them the number of all allocations
 *
 * Fontconfig is refused nothing, nor is FreeType's hinter: they don't survive that, and
 * are asked only where the program has seen that there is memory. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This file isn't watched itself: a sanitizer allocates before it can watch. */
#ifdef SANITIZED
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *memory, size_t size);
void *REAL(memalign)(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size);

enum { DEEPEST = 24, PLACES = 1 << 18 };

static unsigned long allocations, first = ~0ul, last;
static bool watching, logging;
static uint64_t places[PLACES]; /* hashes of the stacks seen; open addressing */
static unsigned place_numbers[PLACES];
static size_t place_count;
static _Thread_local bool inside; /* walking a stack may allocate */

typedef struct Stack {
    void *calls[DEEPEST];
    int depth;
} Stack;

static Stack stack_now(void) {
    Stack stack;
    inside = true;
    stack.depth = backtrace(stack.calls, DEEPEST);
    inside = false;
    return stack;
}

static bool is_spared(const Stack *stack) {
    Dl_info info;
    bool found = false;
    for (int i = 0; i < stack->depth && !found; i++)
        found = dladdr(stack->calls[i], &info) && info.dli_fname &&
                (strstr(info.dli_fname, "libfontconfig") ||
                 (info.dli_sname && strcmp(info.dli_sname, "FT_Load_Glyph") == 0));
    return found;
}

/* Keeps the allocation's number where no other was made by the same stack of calls. */
static void note_place(unsigned long number) {
    Stack stack = stack_now();
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < stack.depth; i++)
        hash = (hash ^ (uintptr_t)stack.calls[i]) * 1099511628211u;
    hash += !hash;
    size_t at = (hash ^ hash >> 32) % PLACES;
    while (places[at] && places[at] != hash)
        at = (at + 1) % PLACES;
    if (places[at] || place_count == PLACES / 2 || is_spared(&stack))
        return;
    places[at] = hash;
    place_numbers[place_count++] = (unsigned)number;
}

/* For a debugger to stop at. */
__attribute__((noinline)) static void refused_now(void) {
    __asm__ volatile("");
}

static bool is_refused(void) {
    if (!watching || inside)
        return false;
    unsigned long number = __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
    if (logging)
        note_place(number);
    if (number < first || number > last)
        return false;
    Stack stack = stack_now();
    if (is_spared(&stack))
        return false;
    refused_now();
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) {
    return is_refused() ? NULL : REAL(malloc)(size);
}

void *calloc(size_t count, size_t size) {
    return is_refused() ? NULL : REAL(calloc)(count, size);
}

void *realloc(void *memory, size_t size) {
    return is_refused() ? NULL : REAL(realloc)(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    return is_refused() ? NULL : REAL(memalign)(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return is_refused() ? NULL : REAL(memalign)(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *made = is_refused() ? NULL : REAL(memalign)(alignment, size);
    if (made)
        *memory = made;
    return made ? 0 : ENOMEM;
}

__attribute__((constructor)) static void begin(void) {
    const char *refuse = getenv("GLASSFORMER_REFUSE");
    logging = getenv("GLASSFORMER_REFUSE_LOG") != NULL;
    if (refuse) {
        char *end;
        first = strtoul(refuse, &end, 10);
        last = *end == '-' ? ~0ul : first;
    }
    watching = refuse || logging;
}

__attribute__((destructor)) static void finish(void) {
    watching = false;
    FILE *file = logging ? fopen(getenv("GLASSFORMER_REFUSE_LOG"), "w") : NULL;
    if (!file)
        return;
    for (size_t i = 0; i < place_count; i++)
        fprintf(file, "%u\n", place_numbers[i]);
    fprintf(file, "%lu\n", allocations);
    fclose(file);
}
