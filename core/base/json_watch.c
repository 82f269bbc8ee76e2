#include "base/json_watch.h"

#include <pthread.h>
#include <stdlib.h>

static _Thread_local bool refused;

static void *allocate(size_t size) {
    void *memory = malloc(size);
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

/* Upper bound of operations per byte read: for a short value, with its memory. */
enum { BYTE_COST = 200 };

/* Upper bounds of jansson's memory, in bytes, for an object, a list, and another value in
 * one of them, without its text. */
enum { OBJECT_SIZE = 256, LIST_SIZE = 128, VALUE_SIZE = 144 };

enum { DEPTH_MAX = 2048 }; /* jansson's own limit of nesting */

/* Upper bound of the bytes of all values of a text. It is checked before parsing, since
 * jansson doesn't survive every failed allocation. */
static size_t tree_size(const char *bytes, size_t length) {
    size_t size = VALUE_SIZE + 2 * length;
    bool in_string = false;
    for (size_t i = 0, depth = 0; i < length && depth <= DEPTH_MAX; i++) {
        if (bytes[i] == '"')
            in_string = !in_string;
        else if (in_string)
            i += bytes[i] == '\\';
        else if (bytes[i] == '{' || bytes[i] == '[') {
            size += bytes[i] == '{' ? OBJECT_SIZE : LIST_SIZE;
            depth++;
        } else if (bytes[i] == '}' || bytes[i] == ']')
            depth -= depth > 0;
        else if (bytes[i] == ',' || bytes[i] == ':')
            size += VALUE_SIZE;
    }
    return size;
}

json_t *json_parse_within(Arena *arena, const char *bytes, size_t length, size_t *taken,
                          json_error_t *problem) {
    size_t size = tree_size(bytes, length);
    json_watch();
    if (!arena_spend(arena, ARENA_WORK_JSON, BYTE_COST * (double)length) ||
        !arena_charge(arena, size)) {
        refused = true;
        return NULL;
    }
    json_t *json = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, problem);
    *taken = size;
    if (!json)
        arena_return(arena, size);
    return json;
}

void json_release(Arena *arena, json_t *json, size_t taken) {
    json_decref(json);
    arena_return(arena, taken);
}
