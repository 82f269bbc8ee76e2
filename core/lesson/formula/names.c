#include "lesson/formula/formula.h"

#include "base/array.h"
#include "base/error.h"

#include <string.h>

void names_add(Names *names, Name name) {
    names->indices.arena = names->arena;
    names->items = array_reserve(names->arena, names->items, names->count,
                                 &names->capacity, sizeof *names->items);
    table_add(&names->indices, name.name, strlen(name.name), names->count);
    names->items[names->count++] = name;
}

const Name *names_lookup(const Names *names, const char *name) {
    size_t place, whole = strcspn(name, ".");
    if (table_lookup(&names->indices, name, strlen(name), &place))
        return &names->items[place];
    bool within = name[whole] && table_lookup(&names->indices, name, whole, &place);
    return within && names->items[place].broken ? &names->items[place] : NULL;
}

const char *names_nearest(const Names *names, const char *name) {
    const char *known[NAMES_NEAREST_MAX];
    if (names->count > NAMES_NEAREST_MAX)
        return NULL;
    for (size_t i = 0; i < names->count; i++)
        known[i] = names->items[i].name;
    return error_nearest(name, known, names->count);
}
