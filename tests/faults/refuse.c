/* Wrapper of malloc that refuses the N-th allocation of the program or of any library it
 * uses, to test their behaviour without memory.
 *
 * The environment configures it; allocations are counted from the program's start:
 *
 *   GLASSFORMER_REFUSE=N       refuses allocation N, counted from 1
 *   GLASSFORMER_REFUSE=N-      refuses that one and all that follow
 *   GLASSFORMER_REFUSE_LOG=F   writes at the end, a line each, the numbers of the first
 *                              allocations of each place (of each stack of calls), and
 *                              behind them the number of all allocations
 *   GLASSFORMER_REFUSE_EACH=W:R:N:F  at each allocation from N on, twice, a child that
 *                              is refused it goes on from there to its end, and the
 * program waits: the second is refused all that follow, too. Writes to pipe W the
 * allocation's number, and behind it, of each child, its status (wait's); what a child
 * prints is in F.out and F.err. Reads from R, before each child and behind the last, a
 * byte: 'n', the next, or 'q', no more. Once there are several threads, which no child
 * would have, it stops.
 *
 *   GLASSFORMER_SHORT=N        one call of read or write, of the program's own, takes an
 * N-th of the bytes that it is to take, or one
 *
 * Allocations of Fontconfig and of FreeType's hinter are never refused, because these
 * don't survive that; the program calls them only after it has checked that there is
 * memory. Neither are those of SDL's start, except for text, because its hints don't
 * survive it. */
#define _GNU_SOURCE    /* dladdr */
#undef _FORTIFY_SOURCE /* which has read inline */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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

enum { DEEPEST = 24, PLACES = 1 << 18, OPENED = 32, LONGEST = 120 /* seconds */ };

extern bool events_begun; /* events.c: SDL can be refused memory */

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
    bool was = inside;
    inside = true;
    stack.depth = backtrace(stack.calls, DEEPEST);
    inside = was;
    return stack;
}

static bool is_spared(const Stack *stack) {
    Dl_info info;
    bool found = false, in_sdl = false, for_text = false;
    for (int i = 0; i < stack->depth && !found; i++) {
        if (!dladdr(stack->calls[i], &info) || !info.dli_fname)
            continue;
        const char *function = info.dli_sname ? info.dli_sname : "";
        found = strstr(info.dli_fname, "libfontconfig") ||
                strcmp(function, "FT_Load_Glyph") == 0;
        in_sdl |= strstr(info.dli_fname, "libSDL2-") != NULL;
        for_text |= strstr(info.dli_fname, "libSDL2_ttf") ||
                    strcmp(function, "SDL_RWFromConstMem") == 0;
    }
    return found || (in_sdl && !for_text && !events_begun);
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

/* ---- a child for each ---- */

static int told = -1, asked = -1;
static const char *printed;

static void print_into(int file, const char *ending) {
    char path[1024];
    snprintf(path, sizeof path, "%s.%s", printed, ending);
    dup2(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), file);
}

/* Sends a number to the driver; returns true if the answer, 'n', is to go on. */
static bool ask(const char *format, unsigned long number) {
    char line[32], answer = 'q';
    int length = snprintf(line, sizeof line, format, number);
    return write(told, line, (size_t)length) == length && read(asked, &answer, 1) == 1 &&
           answer == 'n';
}

static bool is_alone(void) {
    struct stat tasks;
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

/* Forks at the call of this number; returns true in the child, where the call is to be
 * refused. Parent and child share file offsets: the parent's are restored. */
static bool fork_at(unsigned long number) {
    Stack stack = stack_now();
    off_t at[OPENED];
    if (is_spared(&stack))
        return false;
    bool on = is_alone() && ask("%lu", number);
    for (int way = 0; on && way < 2; way++) {
        int status = 0;
        for (int i = 0; i < OPENED; i++)
            at[i] = lseek(i, 0, SEEK_CUR);
        pid_t child = fork();
        if (child == 0) {
            alarm(LONGEST);
            print_into(STDOUT_FILENO, "out");
            print_into(STDERR_FILENO, "err");
            first = number;
            last = way ? ~0ul : number;
            told = -1;
            return true;
        }
        waitpid(child, &status, 0);
        for (int i = 0; i < OPENED; i++)
            if (at[i] >= 0)
                lseek(i, at[i], SEEK_SET);
        on = child > 0 && ask(way ? " %lu\n" : " %lu", (unsigned long)status);
    }
    if (!on)
        told = -1;
    return false;
}

static bool is_refused(void) {
    if (!watching || inside)
        return false;
    unsigned long number = __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
    if (told >= 0 && number >= first) {
        inside = true;
        bool child = fork_at(number);
        inside = false;
        if (!child)
            return false;
    }
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

/* ---- short calls; sanitizers have these functions themselves ---- */

#ifndef SANITIZED
static size_t shortness = 1;

static size_t shorter(size_t size) {
    return size < shortness ? size > 0 : size / shortness;
}

ssize_t read(int file, void *bytes, size_t size) {
    return syscall(SYS_read, file, bytes, shorter(size));
}

ssize_t __read_chk(int file, void *bytes, size_t size, size_t room);

ssize_t __read_chk(int file, void *bytes, size_t size, size_t room) {
    return size <= room ? read(file, bytes, size) : -1;
}

ssize_t write(int file, const void *bytes, size_t size) {
    return syscall(SYS_write, file, bytes, shorter(size));
}

static void be_slow(void) {
    const char *slow = getenv("GLASSFORMER_SLOW");
    if (slow)
        usleep((useconds_t)(1000 * strtoul(slow, NULL, 10)));
}

int fsync(int file) {
    be_slow();
    return (int)syscall(SYS_fsync, file);
}

int syncfs(int file) {
    be_slow();
    return (int)syscall(SYS_syncfs, file);
}

__attribute__((constructor)) static void begin_short(void) {
    const char *wanted = getenv("GLASSFORMER_SHORT");
    shortness = wanted ? strtoul(wanted, NULL, 10) : 1;
}
#endif

__attribute__((constructor)) static void begin(void) {
    const char *refuse = getenv("GLASSFORMER_REFUSE");
    logging = getenv("GLASSFORMER_REFUSE_LOG") != NULL;
    if (refuse) {
        char *end;
        first = strtoul(refuse, &end, 10);
        last = *end == '-' ? ~0ul : first;
    }
    const char *each = getenv("GLASSFORMER_REFUSE_EACH");
    int names = 0;
    if (each && sscanf(each, "%d:%d:%lu:%n", &told, &asked, &first, &names) == 3)
        printed = each + names;
    watching = refuse || logging || each;
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
