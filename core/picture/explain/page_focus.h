/* The cell that a page explains. */
#pragma once

#include "picture/stage/page_content.h"

/* Finds the explained cell: the page's focus if this step shows it, else the cursor's
 * cell, else the step's own (one set by hand, the one that a question asks for, the one
 * that the lesson names, the first that differs from the source, one whose token the step
 * quotes, the largest; of tables that continue each other one that they have in common).
 * Returns false if the step has no cells to explain. */
bool page_focus(const Page *page, size_t *node, size_t *row, size_t *col);
