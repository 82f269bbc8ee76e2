/* Text scale: the size of a page's type, as a multiple of the usual size. */
#pragma once

#include "picture/stage/page_content.h"

/* Next larger and next smaller scale; the same if there is none. */
double text_scale_above(double scale);
double text_scale_below(double scale);

/* Next smaller scale for the user's choice; presented pages have one below the usual. */
double text_scale_smaller(double scale, bool presents);

/* Scale that a page requires; larger on presented pages. */
double text_scale_of(const Page *page);

/* Reports whether that is more than presented pages need. */
bool text_scale_is_wished(const Page *page);

/* Least size of words in points on presented pages; 0: the readable minimum. */
double text_least_of(const Page *page);
