/* PDF: a deck as lines, shapes and letters, with bookmarks and notes.
 *
 * Letters are Type 3 fonts made of the glyphs used, with the text they stand for, so that
 * a reader searches and copies them in any language. No time or machine is stored: the
 * same deck has the same bytes. Source: ISO 32000-1:2008, Portable Document Format
 * 1.7. */
#pragma once

#include "formats/deck.h"

extern const DeckKind pdf_deck;
