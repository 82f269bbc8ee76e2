/* The bar on top of a page that somebody works with: on the left where one is, a link
 * each: program, lesson, step, the steps within it, cell; on the right what can be done,
 * a button each. */
#ifndef PICTURE_TOP_BAR_H
#define PICTURE_TOP_BAR_H

#include "picture/chrome/crumbs.h"
#include "picture/chrome/tools.h"
#include "picture/stage/page_content.h"

typedef struct BarButton {
    Tool tool;
    const char *word; /* below the sign */
    Link link;
    bool can;     /* it can be done now */
    bool pointed; /* the pointer is on it */
} BarButton;

/* What mode one is in, and what ends it. */
typedef struct Banner {
    const char *words;
    Link leave;
} Banner;

enum { BANNERS_MAX = 8 };

struct TopBar {
    size_t count;
    const BarButton *buttons;
    int speed, speeds; /* autoplay's, of 1 … speeds, while it plays; else 0 */
    CrumbLinks links;
    size_t banner_count; /* BANNERS_MAX at most, what came last first */
    Banner banners[BANNERS_MAX];
};

/* Draws the whole bar of a page that has one (page->bar). */
void top_bar_draw(const PageParts *parts, Box area);

/* Draws the banners from the left end of the strip below the bar, as many as it has room
 * for. */
void top_bar_banners(const Canvas *canvas, const TopBar *bar, Box strip);

#endif
