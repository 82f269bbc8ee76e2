/* The cell that a page explains. */
#ifndef PICTURE_PAGE_FOCUS_H
#define PICTURE_PAGE_FOCUS_H

#include "picture/stage/page_content.h"

/* The cell that is explained: the page's focus where this step shows it, else the cell
 * the cursor is on, else the step's own (one set by hand, the one asked for, the one that
 * the lesson says it is about, the first that differs from the document, one whose word
 * the step quotes, the largest; of tables that continue each other one that they have in
 * common). False when the step has no cells to explain. */
bool page_focus(const Page *page, size_t *node, size_t *row, size_t *col);

#endif
