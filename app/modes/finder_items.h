/* Items of the finder: one table of sources, each a list of things to do or to go to. A
 * new kind of thing is a row of that table, in modes/finder_items.c. */
#pragma once

#include "session/session.h"

/* An item. Its texts live in the arena of the call. */
typedef struct FinderItem {
    const char *words;  /* in the session's language; NULL: it isn't offered now */
    const char *other;  /* found by this, too: its English name; "" for none */
    const char *about;  /* and by whole words of this; NULL for none */
    const char *detail; /* its key, its shape; "" for none */
    const char *told;   /* a sentence on the chosen one; NULL for none */
    const char *why;    /* a sentence: why it can't be used; NULL: it can be */
} FinderItem;

typedef struct FinderSource {
    const char *name; /* its words are `finder.NAME` */
    size_t (*count)(const Session *session);
    FinderItem (*at)(Session *session, size_t index, Arena *arena);
    bool (*use)(Session *session, size_t index); /* whether the picture may be another */
} FinderSource;

/* An item that matches a pattern. */
typedef struct FinderMatch {
    const FinderSource *source;
    size_t index;
    FinderItem item;
    int score;
    size_t order;
} FinderMatch;

/* Returns all items that match a pattern, the best first, in the arena; of equal
 * matches those that can't be used come last. */
FinderMatch *finder_items_find(Session *session, const char *pattern, Arena *arena,
                               size_t *count);
