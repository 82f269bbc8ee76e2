#include "base/json_watch.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { BLOCK_OVERHEAD = 16 }; /* bytes that malloc takes for each block itself */

static _Thread_local bool refused;
static _Thread_local size_t room = SIZE_MAX; /* bytes that may yet be allocated */

static void *allocate(size_t size) {
    bool fits = size <= SIZE_MAX - BLOCK_OVERHEAD && size + BLOCK_OVERHEAD <= room;
    void *memory = fits ? malloc(size) : NULL;
    if (memory && room < SIZE_MAX)
        room -= size + BLOCK_OVERHEAD;
    refused |= !memory;
    return memory;
}

static void give_to_jansson(void) {
    json_set_alloc_funcs(allocate, free);
}

void json_watch(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, give_to_jansson);
    refused = false;
}

bool json_refused(void) {
    return refused;
}

/* Operations that reading a byte takes at most: of a short value, with its memory. */
enum { BYTE_COST = 200 };

json_t *json_parse_within(Arena *arena, const char *bytes, size_t length, size_t *taken,
                          json_error_t *problem) {
    size_t whole = arena_room(arena);
    *taken = 0;
    json_watch();
    if (!arena_spend(arena, ARENA_WORK_JSON, BYTE_COST * (double)length)) {
        refused = true;
        return NULL;
    }
    room = whole;
    json_t *json = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, problem);
    size_t used = whole - room;
    room = SIZE_MAX;
    if (refused || !arena_charge(arena, used)) {
        refused = true;
        json_decref(json);
        return NULL;
    }
    *taken = used;
    return json;
}

void json_release(Arena *arena, json_t *json, size_t taken) {
    json_decref(json);
    arena_return(arena, taken);
}
