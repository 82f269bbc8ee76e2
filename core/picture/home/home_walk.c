#include "picture/home/home_parts.h"

#include <math.h>

/* Keyboard navigation in home, from spot to spot. */

/* Margin in points around a chosen spot that is kept visible. */
static const double AROUND = 60;

/* Distance of a spot in a direction: infinity if it lies elsewhere. Distance across the
 * direction counts more, unless the boxes stand in one row or column. */
static double distance(Box from, Box to, HomeMove move) {
    Point a = box_middle(from), b = box_middle(to);
    bool sideways = move == HOME_LEFT || move == HOME_RIGHT;
    double sign = move == HOME_LEFT || move == HOME_UP ? -1 : 1;
    double along = sign * (sideways ? b.x - a.x : b.y - a.y);
    double beyond = sideways ? fmax(fabs(b.y - a.y) - (from.h + to.h) / 2, 0)
                             : fmax(fabs(b.x - a.x) - (from.w + to.w) / 2, 0);
    double off = sideways ? fabs(b.y - a.y) : fabs(b.x - a.x);
    double least = sideways ? fmin(from.w, to.w) / 2 : fmin(from.h, to.h) / 2;
    return along >= least ? along + 3 * beyond + 0.2 * off : INFINITY;
}

static Link next_group(const HomeLayout *layout, const HomeSpot *from) {
    for (size_t i = 1; i <= layout->count; i++) {
        const HomeSpot *spot =
            &layout->spots[((size_t)(from - layout->spots) + i) % layout->count];
        bool begins = spot == layout->spots || spot[-1].group != spot->group;
        if (begins && spot->group != from->group)
            return spot->link;
    }
    return from->link;
}

Link home_strong_card(const Home *home) {
    for (size_t i = 0; i < home->card_count; i++) {
        if (home->cards[i].strong)
            return home->cards[i].link;
    }
    return (Link){0};
}

/* Layout of home that isn't drawn. */
static HomeLayout layout_of(const Home *home, Arena *scratch) {
    Scene scene = {.arena = scratch};
    Canvas canvas = {.scene = &scene};
    return home_lay_out(&canvas, home);
}

Link home_step(const Home *home, Arena *scratch, Link from, HomeMove move) {
    HomeLayout layout = layout_of(home, scratch);
    const HomeSpot *at = layout.spots ? home_spot(&layout, from) : NULL;
    if (!layout.spots)
        return from;
    if (!at)
        return home_strong_card(home);
    if (move == HOME_TAB)
        return next_group(&layout, at);
    Link best = from;
    double nearest = INFINITY;
    for (size_t i = 0; i < layout.count; i++) {
        const HomeSpot *spot = &layout.spots[i];
        double away = distance(at->box, spot->box, move);
        if ((spot->group == HOME_LIST) == (at->group == HOME_LIST) && away < nearest) {
            nearest = away;
            best = spot->link;
        }
    }
    return best;
}

double home_scroll_to(const Home *home, Arena *scratch, Link to) {
    HomeLayout layout = layout_of(home, scratch);
    const HomeSpot *spot = layout.spots ? home_spot(&layout, to) : NULL;
    if (!spot || spot->group == HOME_LIST)
        return fmin(home->scroll, layout.scroll_most);
    Box screen = layout.screen;
    double low = spot->box.y + spot->box.h + AROUND - screen.h;
    double high = spot->box.y - AROUND;
    return fmin(fmax(fmin(fmax(home->scroll, low), high), 0), layout.scroll_most);
}
