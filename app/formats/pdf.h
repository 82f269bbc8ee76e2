/* PDF: a deck as lines, shapes and letters, with bookmarks and notes.
 *
 * Letters are Type 3 fonts made of those that are used, told what they stand for, so that
 * a reader searches and copies them in any language. Nothing tells of time or machine:
 * the same deck has the same bytes.
 * Source: ISO 32000-1:2008, Portable Document Format 1.7. */
#ifndef APP_PDF_H
#define APP_PDF_H

#include "formats/deck.h"

typedef struct Pdf Pdf;

/* A deck without pages; the head is borrowed. NULL with ERROR_MEMORY. The caller destroys
 * it. */
Pdf *pdf_create(const DeckHead *head, Error *error);

/* NULL is fine. */
void pdf_destroy(Pdf *pdf);

/* Adds a page. All are to be drawn with the same fonts, which last as long as the deck.
 * When memory is short, pdf_save says so. */
void pdf_add(Pdf *pdf, const DeckPage *page);

/* Writes the deck, whole or not at all; nothing is added to it then. ERROR_FILE,
 * ERROR_MEMORY. */
bool pdf_save(Pdf *pdf, const char *path, Error *error);

#endif
