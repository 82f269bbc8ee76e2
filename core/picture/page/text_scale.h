/* How large a page's type is, as a multiple of the usual size. */
#ifndef PICTURE_TEXT_SCALE_H
#define PICTURE_TEXT_SCALE_H

#include "picture/stage/page_content.h"

/* The next size above one, or below it; the same where there is none. */
double text_scale_above(double scale);
double text_scale_below(double scale);

/* The same for who chooses it; for the back row there is one below the usual. */
double text_scale_smaller(double scale, bool presents);

/* The size that a page asks for, which is another for the back row. */
double text_scale_of(const Page *page);

/* Whether that is more than the back row needs. */
bool text_scale_is_wished(const Page *page);

/* Points that words have at least, of whatever is said to the back row; 0: as they can be
 * read. */
double text_least_of(const Page *page);

#endif
