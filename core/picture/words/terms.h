/* Terms of the glossary within the words of a page. */
#ifndef PICTURE_TERMS_H
#define PICTURE_TERMS_H

#include "picture/stage/page_content.h"

/* Underlines with dots, and links (LINK_TERM), each term that is named in what was drawn
 * since the scene had `first` items, where the page hasn't marked it yet; nothing where
 * it has no glossary. */
void terms_mark(const PageParts *parts, size_t first);

#endif
