#include "picture/home/home_parts.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

/* All lengths are units of a page of 1600 × 900; on a larger page the towers use the
 * additional room up to their preferred size. In larger type the page is smaller: its
 * columns become as narrow as possible, and then stand below each other; a page that is
 * too high is scrolled, with a fixed footer. */
static const double PAGE = 1600, LEAST_PAGE = 1180, TOWERS = 550;
static const double HEADER = 150, COURSE = 128, FOOTER = 56;
static const double CARD_GAP = 14, CARD_MOST = 80, BARS = 126;
static const double FIND_WIDTH = 360, FIND_HEIGHT = 50;
static const double CIRCLE_PITCH = 49, COURSE_WORDS = 116, BUTTON_WIDTH = 132;
static const double LEAST_PITCH = 35, WRAPPED_PITCH = 46, COURSE_LINE = 100,
                    COURSE_FOOT = 30, COURSE_MARGIN = 20;
static const double LIST_WIDTH = 400, LIST_HEAD = 50, ROW_MOST = 108, ROW_LEAST = 56;

/* Lengths of a page with its columns below each other. */
static const double STACK_MARGIN = 32, STACK_HEADER = 236, STACK_WIDE = 1000,
                    STACK_LOW_HEADER = 186, STACK_CARD = 96, STACK_CARD_WIDTH = 225,
                    STACK_TOWERS = 560, STACK_TOWERS_WIDTH = 686, STACK_LOOP = 70,
                    STACK_CHIPS = 48, STACK_SENTENCE = 64, STACK_GAP = 36,
                    STACK_LIST = 640;
enum { SENTENCE_LINES = 4 };

/* Columns on the narrowest page with three and on the usual one: the margin, the towers'
 * left end and width, the right column's left end, and a card's width. */
enum { MARGIN, MIDDLE, MIDDLE_WIDTH, RIGHT, CARD_WIDTH, COLUMNS };
static const double narrowest[COLUMNS] = {32, 250, 560, 834, 252},
                    usual[COLUMNS] = {56, 392, 686, 1108, 344};
enum { SPOTS_BESIDES = 40 };

static const TowersStyle style = {.gap = 76,
                                  .pitch = 66,
                                  .box = 0.83,
                                  .frame = 0.24,
                                  .name = 0.72,
                                  .line = 4,
                                  .apart = 8,
                                  .start = 0.5,
                                  .rise = 44};

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
        double name = layout->towers.pitch * (style.name + style.frame / 2);
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

/* Adds the cards, `across` side by side in rows of a pitch, as wide as `area`; returns
 * the lower end of the last row. */
static double add_cards(HomeLayout *layout, const Home *home, Box area, size_t across,
                        double pitch) {
    across = across ? across : 1;
    size_t rows = (home->card_count + across - 1) / across;
    double width = (area.w + CARD_GAP) / (double)across;
    for (size_t i = 0; i < home->card_count; i++)
        add(layout, HOME_CARDS, home->cards[i].link,
            (Box){area.x + (double)(i % across) * width,
                  round(area.y + (double)(i / across) * pitch), floor(width - CARD_GAP),
                  round(pitch - CARD_GAP)});
    return area.y + (double)rows * pitch;
}

/* ---- the course ---- */

static bool same_part(const Home *home, size_t a, size_t b) {
    const char *one = home->lessons[a].part, *other = home->lessons[b].part;
    return one && other && strcmp(one, other) == 0;
}

static size_t part_end(const Home *home, size_t first) {
    size_t end = first + 1;
    while (end < home->count && same_part(home, first, end))
        end++;
    return end;
}

/* Lays out the course in one line, if need be without its heading, or in several of whole
 * parts. Returns its height. */
static double lay_course(HomeLayout *layout, const Home *home, Box area, bool place) {
    double needs = (double)home->count * LEAST_PITCH;
    layout->course_words =
        needs > area.w - COURSE_WORDS && needs <= area.w ? 0 : COURSE_WORDS;
    double left = area.x + layout->course_words, room = area.w - layout->course_words;
    double pitch = fmin(room / fmax((double)home->count, 1), CIRCLE_PITCH);
    bool wraps = pitch < LEAST_PITCH;
    pitch = wraps ? WRAPPED_PITCH : pitch;
    size_t holds = wraps ? (size_t)fmax(floor(room / pitch), 1) : home->count;
    size_t at = 0, line = 0;
    for (size_t first = 0, end; first < home->count; first = end) {
        end = part_end(home, first);
        if (at && at + end - first > holds) { /* parts are not divided */
            line++;
            at = 0;
        }
        for (size_t i = first; i < end; i++, at++) {
            if (at == holds) {
                line++;
                at = 0;
            }
            if (place)
                add(layout, HOME_COURSE, (Link){LINK_LESSON, i, HOME_IN_COURSE, 0},
                    (Box){left + (double)at * pitch,
                          area.y + 4 + (double)line * COURSE_LINE, pitch, 46});
        }
    }
    return wraps ? (double)(line + 1) * COURSE_LINE + COURSE_FOOT : COURSE;
}

static void add_buttons(HomeLayout *layout, const Home *home) {
    Box area = layout->footer;
    double pitch = fmin(BUTTON_WIDTH, area.w / fmax((double)home->button_count, 1));
    double width = pitch * (double)home->button_count;
    double x = area.x + area.w - width;
    for (size_t i = 0; i < home->button_count; i++)
        add(layout, HOME_BUTTONS, home->buttons[i].link,
            (Box){x + pitch * (double)i, area.y + 5, pitch, area.h - 10});
}

/* ---- the list of a door ---- */

/* Left end of a door's list: to the left of the encoder's doors, to the right of the
 * decoder's; above a button. Without room it covers the page. */
static double list_left(const HomeLayout *layout, const HomeSpot *door, double *width) {
    Box page = layout->page;
    double margin = layout->margin / 2, least = page.x + margin;
    *width = fmin(LIST_WIDTH, page.w - 2 * margin);
    if (layout->stacked) {
        *width = fmin(STACK_LIST, page.w - 2 * margin);
        return page.x + (page.w - *width) / 2;
    }
    double most = page.x + page.w - margin - *width;
    if (door->group == HOME_BUTTONS)
        return fmin(door->box.x, most);
    bool encoder = door->box.x < page.x + page.w / 2 - 100;
    if (!encoder)
        return fmin(door->box.x + door->box.w + 18, most);
    double room = door->box.x - least - 18;
    *width = room >= 0.7 * LIST_WIDTH ? room : *width;
    return least;
}

/* Number of the open door's lessons before a lesson. */
static size_t listed_before(const Home *home, size_t lesson) {
    size_t count = 0;
    for (size_t i = 0; i < lesson && i < home->all; i++)
        count += home_lists(home, home->door, i);
    return count;
}

static void add_list(HomeLayout *layout, const Home *home) {
    const HomeSpot *door = home_spot(layout, home->door);
    layout->of_door = door ? listed_before(home, home->all) : 0;
    if (!layout->of_door)
        return;
    Box screen = layout->screen;
    double top = fmax(layout->stacked ? 0 : HEADER - 14, screen.y + 10), width;
    double end =
        fmin(layout->stacked ? INFINITY : layout->course.y - 8, screen.y + screen.h - 10);
    double room = end - top, x = list_left(layout, door, &width);
    double count = (double)layout->of_door;
    double pitch = floor(fmin(fmax((room - LIST_HEAD) / count, ROW_LEAST), ROW_MOST));
    double rows = fmax(fmin(count, floor((room - LIST_HEAD) / pitch)), 1);
    double height = LIST_HEAD + rows * pitch + 6;
    double middle = door->box.y + door->box.h / 2;
    double y = fmin(fmax(middle - height / 2, top), top + room - height);
    layout->list = (Box){round(x), round(y), width, height};
    layout->row_count = (size_t)rows;
    bool chooses = home->chosen.kind == LINK_LESSON && home->chosen.row == HOME_IN_LIST;
    size_t chosen = chooses ? listed_before(home, home->chosen.index) : 0;
    layout->first_row = chosen < layout->row_count ? 0 : chosen + 1 - layout->row_count;
    for (size_t i = 0; i < layout->row_count; i++) {
        size_t lesson = home_behind(home, home->door, layout->first_row + i);
        add(layout, HOME_LIST, (Link){LINK_LESSON, lesson, HOME_IN_LIST, 0},
            (Box){layout->list.x + 6, layout->list.y + LIST_HEAD + pitch * (double)i,
                  width - 12, pitch});
    }
}

/* ---- the page ---- */

double home_scale(const Home *home) {
    return fmax(home->scale, 1);
}

static Box low_box(const HomeLayout *layout, size_t tower) {
    return layout->towers.items[tower].boxes[0].box;
}

static Box top_box(const HomeLayout *layout) {
    const Tower *decoder = &layout->towers.items[1];
    return decoder->boxes[decoder->count - 1].box;
}

/* Lays out the course and everything below it. */
static void end_layout(HomeLayout *layout, const Home *home) {
    add_doors(layout);
    if (!layout->stacked)
        add_cards(layout, home, layout->cards, 1,
                  fmin((layout->cards.h + CARD_GAP) / fmax((double)home->card_count, 1),
                       CARD_MOST + CARD_GAP));
    lay_course(layout, home, layout->course, true);
    add_buttons(layout, home);
    add_list(layout, home);
}

/* Lays out three columns: the sentence, the towers, the next token with the cards. */
static void lay_columns(HomeLayout *layout, const Home *home) {
    Box page = layout->page;
    double columns[COLUMNS];
    double fraction = fmin(fmax((page.w - LEAST_PAGE) / (PAGE - LEAST_PAGE), 0), 1);
    for (size_t i = 0; i < COLUMNS; i++)
        columns[i] = narrowest[i] + (usual[i] - narrowest[i]) * fraction;
    layout->margin = columns[MARGIN];
    double left = page.x, end = left + page.w - layout->margin;
    double first = left + layout->margin, inside = page.w - 2 * layout->margin;
    double row =
        page.w - 2 * COURSE_MARGIN; /* the circles need more room than all else */
    double course = lay_course(layout, home, (Box){0, 0, row, 0}, false);
    layout->height = fmax(layout->screen.h, HEADER + TOWERS + 14 + course + FOOTER);
    double bottom = layout->height - FOOTER;
    layout->footer = (Box){first, bottom, inside, FOOTER};
    layout->header = (Box){first, 0, inside - FIND_WIDTH - 40, HEADER};
    layout->course = (Box){left + COURSE_MARGIN, bottom - course, row, course};
    Box towers = {left + columns[MIDDLE], HEADER, columns[MIDDLE_WIDTH],
                  layout->course.y - HEADER - 14};
    towers_prepare_shape(&layout->towers, NULL, &style, towers);
    double right = left + columns[RIGHT];
    Box ids = low_box(layout, 0), low = low_box(layout, 1), top = top_box(layout);
    layout->sentence = (Box){first, ids.y - 170, ids.x - first - 44, 170 + ids.h};
    layout->bars = (Box){right, top.y + top.h / 2 - 17, end - right - 56, BARS};
    layout->generated = (Box){right, low.y - 4, end - right - 60, low.h + 8};
    layout->loop = (Point){end, (layout->bars.y + low.y) / 2};
    double cards = layout->bars.y + BARS + 46;
    layout->cards = (Box){right, cards, columns[CARD_WIDTH], low.y - 44 - cards};
    add(layout, HOME_FINDING, home->find.link,
        (Box){end - FIND_WIDTH, 40, FIND_WIDTH, FIND_HEIGHT});
}

/* Lays out a stacked page: the next token above the decoder, the sentences below their
 * towers. */
static void lay_stack(HomeLayout *layout, const Home *home) {
    Box page = layout->page;
    double left = page.x + STACK_MARGIN, inside = page.w - 2 * STACK_MARGIN;
    double end = left + inside;
    layout->stacked = true;
    layout->margin = STACK_MARGIN;
    double header = inside < STACK_WIDE ? STACK_HEADER : STACK_LOW_HEADER;
    layout->header = (Box){left, 0, inside, header};
    double find = fmin(FIND_WIDTH, inside / 2);
    add(layout, HOME_FINDING, home->find.link, (Box){end - find, 20, find, FIND_HEIGHT});
    size_t most =
        (size_t)fmax(floor((inside + CARD_GAP) / (STACK_CARD_WIDTH + CARD_GAP)), 1);
    double cards = add_cards(layout, home, (Box){left, header + 10, inside, 0},
                             home->card_count < most ? home->card_count : most,
                             STACK_CARD + CARD_GAP);
    double top = cards + STACK_GAP;
    double width = fmin(inside - STACK_LOOP, STACK_TOWERS_WIDTH);
    Box towers = {left + round((inside - STACK_LOOP - width) / 2), top + BARS + STACK_GAP,
                  width, STACK_TOWERS};
    towers_prepare_shape(&layout->towers, NULL, &style, towers);
    Box ids = low_box(layout, 0), low = low_box(layout, 1);
    layout->bars = (Box){low.x - 40, top, low.w + 40, BARS};
    double below = low.y + low.h + STACK_SENTENCE;
    double chips = SENTENCE_LINES * STACK_CHIPS;
    layout->sentence = (Box){ids.x, below, ids.w, chips};
    layout->generated = (Box){low.x, below, low.w, low.h + 8};
    layout->loop = (Point){low.x + low.w + STACK_LOOP - 12, (top + below) / 2};
    layout->course = (Box){left, below + chips, inside, 0};
    layout->course.h = lay_course(layout, home, layout->course, false);
    double bottom = layout->course.y + layout->course.h;
    layout->footer = (Box){left, bottom, inside, FOOTER};
    layout->height = fmax(bottom + FOOTER, layout->screen.h);
}

HomeLayout home_lay_out(const Canvas *canvas, const Home *home) {
    double scale = home_scale(home), width = home->width / scale;
    double room = home->height / scale, page = fmin(width, PAGE);
    double left = round((width - page) / 2);
    HomeLayout layout = {.page = {left, 0, page, room},
                         .screen = {0, home->scroll, width, room}};
    layout.spots = arena_alloc(canvas->scene->arena, SPOTS_BESIDES + 2 * home->all,
                               sizeof *layout.spots);
    if (page < LEAST_PAGE)
        lay_stack(&layout, home);
    else
        lay_columns(&layout, home);
    layout.scroll_most = fmax(layout.height - room, 0);
    if (layout.scroll_most >= 1) { /* the scrolled part ends above the footer */
        layout.screen.h = room - FOOTER;
        layout.footer.y = home->scroll + layout.screen.h;
    }
    end_layout(&layout, home);
    return layout;
}
