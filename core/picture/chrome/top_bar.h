/* The bar on top of an interactive page: on the left the present position as links:
 * program, lesson, step, the steps within it, cell; on the right the tools as buttons. */
#pragma once

#include "picture/chrome/crumbs.h"
#include "picture/chrome/tools.h"
#include "picture/stage/page_content.h"

typedef struct BarButton {
    Tool tool;
    const char *word; /* text below the sign */
    Link link;
    bool can;     /* it is enabled */
    bool pointed; /* the pointer is on it */
} BarButton;

/* A mode that is active, and the link that ends it. */
typedef struct Banner {
    const char *words;
    Link leave;
} Banner;

enum { BANNERS_MAX = 8 };

struct TopBar {
    size_t count;
    const BarButton *buttons;
    int speed, speeds; /* speed of autoplay, 1 … speeds, during playback; else 0 */
    CrumbLinks links;
    size_t banner_count; /* BANNERS_MAX at most, the latest first */
    Banner banners[BANNERS_MAX];
};

/* Draws the whole bar of a page that has one (page->bar). */
void top_bar_draw(const PageParts *parts, Box area);

/* Draws the banners from the left end of the strip below the bar, as many as have
 * room. */
void top_bar_banners(const Canvas *canvas, const TopBar *bar, Box strip);
