/* APNG: a film as an animated PNG, with the pages' own pixels.
 *
 * Each frame has only the part that differs from the one before. A reader without
 * animations shows the first.
 * Source: W3C, Portable Network Graphics (third edition), 2025. */
#pragma once

#include "formats/deck.h"

extern const DeckKind apng_deck;
