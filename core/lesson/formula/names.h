/* Names of a lesson's tensors, with their nodes and lines.
 *
 * They live in the lesson's arena. A name whose statement failed is known but broken:
 * statements that use it fail too, without an error of their own. */
#pragma once

#include "base/table.h"

typedef struct Name {
    const char *name;
    size_t node; /* on the tape; unset for a broken name */
    int line;    /* line of its statement; 0 within a composite */
    bool broken;
} Name;

typedef struct Names {
    Arena *arena;
    size_t count, capacity;
    Name *items;   /* names in the order of addition */
    Table indices; /* indices of items */
} Names;

/* Adds a new name; `name.name` is borrowed. The arena has a guard. */
void names_add(Names *names, Name name);

/* Returns a name's entry, valid until the next names_add; for "said.logits" that of
 * "said" if it is broken. NULL if the name is unknown. */
const Name *names_lookup(const Names *names, const char *name);

enum { NAMES_NEAREST_MAX = 1000 };

/* Returns the known name nearest to an unknown one, or NULL; also NULL if there are more
 * than NAMES_NEAREST_MAX names. Borrowed. */
const char *names_nearest(const Names *names, const char *name);
