/* What the finder offers: one table of sources, each a list of what can be done or gone
 * to. A new kind of thing is a row of that table, in modes/offer.c. */
#ifndef APP_OFFER_H
#define APP_OFFER_H

#include "session/session.h"

/* One thing. Texts live in the arena it was asked for with. */
typedef struct OfferItem {
    const char *words;  /* in the session's language; NULL: it isn't offered now */
    const char *other;  /* found by this, too: its English name; "" for none */
    const char *about;  /* and by whole words of this; NULL for none */
    const char *detail; /* its key, its shape; "" for none */
    const char *told;   /* a sentence on the chosen one; NULL for none */
    const char *why;    /* a sentence: why it can't be used; NULL: it can be */
} OfferItem;

typedef struct OfferSource {
    const char *name; /* its words are `finder.NAME` */
    size_t (*count)(const Session *session);
    OfferItem (*at)(Session *session, size_t index, Arena *arena);
    bool (*use)(Session *session, size_t index); /* whether the picture may be another */
} OfferSource;

/* One that a pattern stands for. */
typedef struct Offer {
    const OfferSource *source;
    size_t index;
    OfferItem item;
    int score;
    size_t order;
} Offer;

/* All that the pattern stands for, the best first, in the arena; what can't be done comes
 * behind what can, where they match alike. */
Offer *offers_find(Session *session, const char *pattern, Arena *arena, size_t *count);

#endif
