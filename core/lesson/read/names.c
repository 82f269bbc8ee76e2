#include "lesson/read/names.h"

#include "base/error.h"

#include <stdint.h>
#include <string.h>

/* FNV-1a. */
static uint64_t hash(const char *name) {
    uint64_t h = 0xCBF29CE484222325u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 0x100000001B3u;
    return h;
}

/* The name's place, or the free one where it would go. `capacity` is a power of two and
 * never full. */
static Name *place_of(Name *places, size_t capacity, const char *name) {
    size_t i = hash(name) & (capacity - 1);
    while (places[i].name && strcmp(places[i].name, name) != 0)
        i = (i + 1) & (capacity - 1);
    return &places[i];
}

void names_add(Names *names, Name name) {
    if (2 * (names->count + 1) > names->capacity) {
        size_t capacity = names->capacity ? names->capacity * 2 : 64;
        Name *places = arena_alloc(names->arena, capacity, sizeof *places);
        for (size_t i = 0; i < names->capacity; i++) {
            if (names->places[i].name)
                *place_of(places, capacity, names->places[i].name) = names->places[i];
        }
        names->places = places;
        names->capacity = capacity;
    }
    *place_of(names->places, names->capacity, name.name) = name;
    names->count++;
}

const Name *names_lookup(const Names *names, const char *name) {
    if (!names->count)
        return NULL;
    const Name *place = place_of(names->places, names->capacity, name);
    return place->name ? place : NULL;
}

const char *names_nearest(const Names *names, const char *name) {
    const char *known[NAMES_NEAREST_MAX];
    size_t count = 0;
    if (names->count > NAMES_NEAREST_MAX)
        return NULL;
    for (size_t i = 0; i < names->capacity; i++) {
        if (names->places[i].name)
            known[count++] = names->places[i].name;
    }
    return error_nearest(name, known, count);
}
