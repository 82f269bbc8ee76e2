/* PPTX: a deck for PowerPoint, LibreOffice and Keynote: on each slide the page as a
 * picture, what is read aloud of it as the picture's description, and the lecturer's
 * notes. Source: ECMA-376, Office Open XML File Formats, parts 1 and 2. */
#pragma once

#include "formats/deck.h"

extern const DeckKind pptx_deck;
