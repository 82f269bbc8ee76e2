/* APNG: a film as a PNG file that moves, pixel by pixel what the pages are.
 *
 * Each frame has only what is another than in the one before. A reader that knows of no
 * motion shows the first.
 * Source: W3C, Portable Network Graphics (third edition), 2025. */
#ifndef APP_APNG_H
#define APP_APNG_H

#include "formats/deck.h"

extern const DeckKind apng_deck;

#endif
