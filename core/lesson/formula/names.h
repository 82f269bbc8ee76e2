/* Names: which tensor a name stands for, and where it was first made.
 *
 * In the lesson's arena. A name whose statement failed is known but broken:
 * what uses it fails too, without a sentence of its own. */
#ifndef LESSON_NAMES_H
#define LESSON_NAMES_H

#include "base/table.h"

typedef struct Name {
    const char *name;
    size_t node; /* the tape's; unset for a broken name */
    int line;    /* where it was made; 0 for what a composite made within */
    bool broken;
} Name;

typedef struct Names {
    Arena *arena;
    size_t count, capacity;
    Name *items;  /* in the order in which they were added */
    Table places; /* in items */
} Names;

/* Adds a name that is not there yet; `name.name` is borrowed. The arena has a guard. */
void names_add(Names *names, Name name);

/* A name's entry, valid until the next names_add; that of "said", where it is broken, for
 * "said.logits" too. NULL when it is unknown. */
const Name *names_lookup(const Names *names, const char *name);

enum { NAMES_NEAREST_MAX = 1000 };

/* The known name nearest to an unknown one, or NULL; among more than NAMES_NEAREST_MAX
 * names none is looked for. Borrowed. */
const char *names_nearest(const Names *names, const char *name);

#endif
