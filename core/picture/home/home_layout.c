#include "picture/home/home_parts.h"

#include <math.h>

/* All lengths are units, of a page of 1600 × 900; of a larger one the towers take what
 * there is more, up to what suits them. */
static const double PAGE = 1600, MARGIN = 56, HEADER = 150, COURSE = 128, FOOTER = 56;
static const double TOWERS_LEFT = 392, TOWERS_WIDTH = 686;
static const double RIGHT = 1108, CARD_WIDTH = 344, CARD_GAP = 14, CARD_MOST = 80;
static const double BARS = 126, FIND_WIDTH = 360, FIND_HEIGHT = 50;
static const double CIRCLE_PITCH = 49, COURSE_WORDS = 116, BUTTON_WIDTH = 132;
static const double LIST_WIDTH = 400, LIST_HEAD = 50, ROW_MOST = 108, ROW_LEAST = 56;
enum { SPOTS_BESIDES = 40 };

static const TowersManner manner = {
    .pad = 0, .gap = 76, .pitch = 66, .box = 0.83, .frame = 0.24, .name = 0.72};

/* ---- doors ---- */

Link home_whole_door(void) {
    return (Link){LINK_BLOCK, LESSON_BLOCK_TRANSFORMER, 0, TOWER_BOXES_MAX + 1};
}

Link home_door(const HomeLayout *layout, size_t tower, size_t box) {
    const Tower *of = &layout->towers.items[tower];
    const char *name =
        box < of->count ? of->boxes[box].key + sizeof "map." - 1 : of->tower->name;
    return (Link){LINK_BLOCK, lesson_block_find(name), tower, box};
}

bool home_lists(const Home *home, Link door, size_t lesson) {
    if (door.index == HOME_OWN_LESSONS)
        return lesson >= home->count;
    LessonBlock block = home->lessons[lesson].block;
    block = block ? block : LESSON_BLOCK_TRANSFORMER;
    return lesson < home->count && block == door.index;
}

size_t home_behind(const Home *home, Link door, size_t index) {
    for (size_t i = 0; i < home->all; i++) {
        if (home_lists(home, door, i) && index-- == 0)
            return i;
    }
    return home->all;
}

Link home_first_of(const Home *home, Link door) {
    size_t first = home_behind(home, door, 0);
    return first < home->all ? (Link){LINK_LESSON, first, HOME_IN_LIST, 0} : (Link){0};
}

/* ---- spots ---- */

static void add(HomeLayout *layout, HomeGroup group, Link link, Box box) {
    if (layout->spots && link.kind != LINK_NONE)
        layout->spots[layout->count++] = (HomeSpot){link, box, group};
}

const HomeSpot *home_spot(const HomeLayout *layout, Link link) {
    for (size_t i = 0; i < layout->count; i++) {
        if (link_equal(layout->spots[i].link, link))
            return &layout->spots[i];
    }
    return NULL;
}

static void add_doors(HomeLayout *layout) {
    const Towers *towers = &layout->towers;
    for (size_t t = 0; t < towers->count; t++) {
        const Tower *tower = &towers->items[t];
        Box frame = tower->frame;
        double name = layout->towers.pitch * (manner.name + manner.frame / 2);
        Box label = {frame.x, frame.y, frame.w, name};
        add(layout, HOME_DOORS, home_door(layout, t, TOWER_BOXES_MAX), label);
        for (size_t i = 0; i < tower->count; i++)
            add(layout, HOME_DOORS, home_door(layout, t, i), tower->boxes[i].box);
    }
    Box whole = towers->items[0].boxes[0].box;
    const Tower *last = &towers->items[towers->count - 1];
    whole.y = last->boxes[last->count - 1].box.y;
    add(layout, HOME_DOORS, home_whole_door(), whole);
}

static void add_cards(HomeLayout *layout, const Home *home, Box area) {
    size_t count = home->card_count ? home->card_count : 1;
    double pitch = fmin((area.h + CARD_GAP) / (double)count, CARD_MOST + CARD_GAP);
    for (size_t i = 0; i < home->card_count; i++)
        add(layout, HOME_CARDS, home->cards[i].link,
            (Box){area.x, round(area.y + (double)i * pitch), CARD_WIDTH,
                  round(pitch - CARD_GAP)});
}

static void add_course(HomeLayout *layout, const Home *home) {
    Box area = layout->course;
    double left = area.x + COURSE_WORDS, count = (double)home->count;
    double pitch = fmin((area.w - COURSE_WORDS) / count, CIRCLE_PITCH);
    for (size_t i = 0; i < home->count; i++)
        add(layout, HOME_COURSE, (Link){LINK_LESSON, i, HOME_IN_COURSE, 0},
            (Box){left + (double)i * pitch, area.y + 4, pitch, 46});
}

static void add_buttons(HomeLayout *layout, const Home *home) {
    Box area = layout->footer;
    double x = area.x + area.w - BUTTON_WIDTH * (double)home->button_count;
    for (size_t i = 0; i < home->button_count; i++)
        add(layout, HOME_BUTTONS, home->buttons[i].link,
            (Box){x + BUTTON_WIDTH * (double)i, area.y + 5, BUTTON_WIDTH, area.h - 10});
}

/* ---- the list of a door ---- */

/* Beside its door: of the encoder's at the left, of the decoder's at the right; of a card
 * at its left. */
static double list_left(const Home *home, const HomeSpot *door, double left,
                        double *width) {
    *width = LIST_WIDTH;
    if (door->group == HOME_CARDS)
        return door->box.x - LIST_WIDTH - 10;
    bool encoder = door->box.x < left + TOWERS_LEFT + TOWERS_WIDTH / 3;
    (void)home;
    if (!encoder)
        return door->box.x + door->box.w + 18;
    *width = door->box.x - left - MARGIN / 2 - 18;
    return left + MARGIN / 2;
}

static size_t count_behind(const Home *home, Link door) {
    size_t count = 0;
    for (size_t i = 0; i < home->all; i++)
        count += home_lists(home, door, i);
    return count;
}

/* Which row of the list is chosen; 0: none is. */
static size_t chosen_row(const Home *home) {
    for (size_t i = 0; i < home->all; i++) {
        size_t lesson = home_behind(home, home->door, i);
        if (lesson == home->all)
            break;
        if (home->chosen.kind == LINK_LESSON && home->chosen.row == HOME_IN_LIST &&
            home->chosen.index == lesson)
            return i;
    }
    return 0;
}

static void add_list(HomeLayout *layout, const Home *home, double left) {
    const HomeSpot *door = home_spot(layout, home->door);
    layout->of_door = door ? count_behind(home, home->door) : 0;
    if (!layout->of_door)
        return;
    double top = HEADER - 14, room = layout->course.y - 8 - top, width;
    double x = list_left(home, door, left, &width);
    double count = (double)layout->of_door;
    double pitch = floor(fmin(fmax((room - LIST_HEAD) / count, ROW_LEAST), ROW_MOST));
    double rows = fmin(count, floor((room - LIST_HEAD) / pitch));
    double height = LIST_HEAD + rows * pitch + 6;
    double middle = door->box.y + door->box.h / 2;
    double y = fmin(fmax(middle - height / 2, top), top + room - height);
    layout->list = (Box){round(x), round(y), width, height};
    layout->row_count = (size_t)rows;
    size_t chosen = chosen_row(home);
    layout->first_row = chosen < layout->row_count ? 0 : chosen + 1 - layout->row_count;
    for (size_t i = 0; i < layout->row_count; i++) {
        size_t lesson = home_behind(home, home->door, layout->first_row + i);
        add(layout, HOME_LIST, (Link){LINK_LESSON, lesson, HOME_IN_LIST, 0},
            (Box){layout->list.x + 6, layout->list.y + LIST_HEAD + pitch * (double)i,
                  width - 12, pitch});
    }
}

/* ---- all of it ---- */

HomeLayout home_lay_out(const Canvas *canvas, const Home *home) {
    double left = round((home->width - PAGE) / 2), bottom = home->height - FOOTER;
    HomeLayout layout = {
        .parts = {canvas, NULL},
        .header = {left + MARGIN, 0, PAGE - 2 * MARGIN - FIND_WIDTH - 40, HEADER},
        .course = {left + MARGIN, bottom - COURSE, PAGE - 2 * MARGIN, COURSE},
        .footer = {left + MARGIN, bottom, PAGE - 2 * MARGIN, FOOTER}};
    layout.spots = arena_alloc(canvas->scene->arena, SPOTS_BESIDES + 2 * home->all,
                               sizeof *layout.spots);
    Box towers = {left + TOWERS_LEFT, HEADER, TOWERS_WIDTH,
                  layout.course.y - HEADER - 14};
    towers_prepare_shape(&layout.towers, &layout.parts, NULL, &manner, towers);
    const Tower *encoder = &layout.towers.items[0], *decoder = &layout.towers.items[1];
    Box top = decoder->boxes[decoder->count - 1].box, low = decoder->boxes[0].box;
    double right = left + RIGHT, end = left + PAGE - MARGIN;
    Box ids = encoder->boxes[0].box;
    layout.sentence =
        (Box){left + MARGIN, ids.y - 170, ids.x - left - MARGIN - 44, 170 + ids.h};
    layout.bars = (Box){right, top.y + top.h / 2 - 17, end - right - 56, BARS};
    layout.said = (Box){right, low.y - 4, end - right - 60, low.h + 8};
    layout.loop = (Point){end, (layout.bars.y + low.y) / 2};
    if (home->find.link.kind != LINK_NONE)
        add(&layout, HOME_FINDING, home->find.link,
            (Box){end - FIND_WIDTH, 40, FIND_WIDTH, FIND_HEIGHT});
    add_doors(&layout);
    double cards = layout.bars.y + BARS + 46;
    add_cards(&layout, home, (Box){right, cards, CARD_WIDTH, low.y - 44 - cards});
    add_course(&layout, home);
    add_buttons(&layout, home);
    add_list(&layout, home, left);
    return layout;
}

/* ---- walking ---- */

static Point middle_of(Box box) {
    return (Point){box.x + box.w / 2, box.y + box.h / 2};
}

/* How far a spot lies that way: infinity where it doesn't. What lies across counts more,
 * unless the boxes stand in one row or column. */
static double distance(Box from, Box to, HomeMove move) {
    Point a = middle_of(from), b = middle_of(to);
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

Link home_step(const Home *home, Arena *scratch, Link from, HomeMove move) {
    Scene scene = {.arena = scratch};
    Canvas canvas = {.scene = &scene};
    HomeLayout layout = home_lay_out(&canvas, home);
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
