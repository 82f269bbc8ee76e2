/* Terms of the glossary in a page's words. */
#ifndef PICTURE_TERMS_H
#define PICTURE_TERMS_H

#include "picture/stage/page_content.h"

/* Underlines with dots, and links (LINK_TERM), the first occurrence of each term in the
 * items from `first` on, unless the page has marked it already; does nothing without a
 * glossary. */
void terms_mark(const PageParts *parts, size_t first);

#endif
