/* HTML: a deck in one file that a browser opens from a disk.
 *
 * Its pages are drawn as SVG (formats/svg.h), whose letters they share. Arrows, Home and
 * End turn them, and so do links to steps; whoever points at a cell, or listens, is told
 * how it came to be; N shows the notes. Without its script the pages stand below each
 * other. Nothing is fetched from anywhere. */
#ifndef APP_HTML_H
#define APP_HTML_H

#include "formats/deck.h"

extern const DeckKind html_deck;

#endif
