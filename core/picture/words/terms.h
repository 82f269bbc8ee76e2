/* Terms of the glossary in a page's words. */
#pragma once

#include "picture/stage/page_content.h"

/* Underlines with dots, and links (LINK_TERM), the first occurrence of each term in the
 * items from `first` on, unless the page has marked it already; does nothing without a
 * glossary. */
void terms_mark(const PageParts *parts, size_t first);
