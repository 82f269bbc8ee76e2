/* HTML: a deck in one file that a browser opens from a disk.
 *
 * Its pages are drawn as SVG (formats/svg.h) and share their letters. Arrows, Home, End
 * and links to steps change the page; pointing at a cell, or a screen reader, shows how
 * it is computed; N shows the notes. Without its script the pages are below each other.
 * Nothing is loaded from the network. */
#pragma once

#include "formats/deck.h"

extern const DeckKind html_deck;
