/* A deck: pages of one or more lessons that go into one file. */
#ifndef APP_DECK_H
#define APP_DECK_H

#include "paint/sheet.h"

typedef struct DeckHead {
    const char *title;
    const char *language; /* its code */
    size_t handout;       /* pages on a sheet of A4; 0: each is one of its own */
} DeckHead;

/* All is borrowed until the page has been added. */
typedef struct DeckPage {
    SheetPicture picture;
    const char *part;   /* of the course; NULL or "": none */
    const char *lesson; /* its title */
    const char *step;   /* its heading */
    const char *notes;  /* for who presents it; NULL or "": none */
} DeckPage;

#endif
