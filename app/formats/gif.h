/* GIF: a film of at most 256 colours a frame, for slides that take nothing else.
 *
 * Each frame has only the part that differs from the one before, and its own colours.
 * Source: CompuServe, Graphics Interchange Format 89a. */
#pragma once

#include "formats/deck.h"

extern const DeckKind gif_deck;
