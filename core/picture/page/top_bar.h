/* The bar on top of a page that somebody works with: on the left where one is, a link
 * each: program, lesson, step, the steps within it, cell; on the right what can be done,
 * a button each. */
#ifndef PICTURE_TOP_BAR_H
#define PICTURE_TOP_BAR_H

#include "picture/page/crumbs.h"
#include "picture/page/tools.h"
#include "picture/stage/page_content.h"

typedef struct BarButton {
    Tool tool;
    const char *word; /* below the sign */
    Link link;
    bool can;     /* it can be done now */
    bool pointed; /* the pointer is on it */
} BarButton;

struct TopBar {
    size_t count;
    const BarButton *buttons;
    int speed, speeds; /* autoplay's, of 1 … speeds, while it plays; else 0 */
    CrumbLinks links;
};

/* Draws the whole bar of a page that has one (page->bar). */
void top_bar_draw(const PageParts *parts, Box area);

#endif
