#include "files/json_watch.h"

#include <jansson.h>
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
