#include "window/window_parts.h"

#include <SDL_error.h>
#include <SDL_stdinc.h>
#include <SDL_thread.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RESERVE = 1 << 15, ALIGNMENT = 16 };

/* Given out from the front, and never taken back. */
static _Alignas(ALIGNMENT) unsigned char reserve[RESERVE];
static size_t given;
static _Thread_local bool beginning; /* only then is the reserve given out */

static bool is_reserve(const void *memory) {
    uintptr_t place = (uintptr_t)memory, begin = (uintptr_t)reserve;
    return place >= begin && place < begin + RESERVE;
}

static void *take_reserve(size_t size) {
    if (!beginning || size > RESERVE)
        return NULL;
    size_t taken = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t place = __atomic_fetch_add(&given, taken, __ATOMIC_RELAXED);
    return place <= RESERVE - taken ? reserve + place : NULL;
}

static void *SDLCALL allocate(size_t size) {
    void *memory = malloc(size);
    return memory ? memory : take_reserve(size);
}

static void *SDLCALL allocate_zeroed(size_t count, size_t size) {
    return calloc(count, size);
}

static void SDLCALL release(void *memory) {
    if (!is_reserve(memory))
        free(memory);
}

static void *SDLCALL allocate_again(void *memory, size_t size) {
    if (memory && !is_reserve(memory))
        return realloc(memory, size);
    void *larger = allocate(size);
    if (larger && memory) {
        size_t most = (size_t)(reserve + RESERVE - (unsigned char *)memory);
        memmove(larger, memory, size < most ? size : most);
    }
    return larger;
}

static void give_to_sdl(void) {
    SDL_SetMemoryFunctions(allocate, allocate_zeroed, allocate_again, release);
}

void sdl_errors_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, give_to_sdl);
    beginning = true;
    SDL_GetError();
    beginning = false;
}

void sdl_errors_end(void) {
    SDL_TLSCleanup();
}
