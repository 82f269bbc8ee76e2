/* Chrome: what surrounds pictures and texts on every page. Controls, such as buttons and
 * rows of lists, look alike in the bars, on the home page and in the panels over a page.
 * Lengths are points. */
#pragma once

#include "base/strings/language.h"
#include "picture/chrome/tools.h"
#include "picture/draw/text_block.h"
#include "picture/explain/explain.h"
#include "picture/stage/page_content.h"

/* ---- controls: controls.c ---- */

/* A dark button is the usual action; a present one, which is framed, is on. */
typedef enum ButtonLook { BUTTON_PLAIN, BUTTON_DARK, BUTTON_PRESENT } ButtonLook;

/* Begins a button, a rounded box with an outline: draws its ground, and links what
 * follows until canvas_unlink. */
void button_begin(const Canvas *canvas, Link link, Box box, ButtonLook look);

/* Draws a whole button with a text in its middle. button_width is its width, at least 44.
 */
void button_draw(const Canvas *canvas, Link link, Box box, ButtonLook look,
                 const char *words);
double button_width(const Canvas *canvas, const char *words);

/* A button; one without a link is left out. */
typedef struct Button {
    Link link;
    const char *key; /* key of its text in the interface strings */
    bool main;       /* the usual action */
} Button;

#define BUTTON_HEIGHT 44.0

/* Draws buttons side by side: the first one's upper left corner is at `at` (LABEL_LEFT),
 * or the last one's upper right corner (LABEL_RIGHT). Returns where another one would
 * begin or end. buttons_width is their width with the gap behind them. */
double buttons_draw(const Canvas *canvas, const Button *buttons, size_t count, Point at,
                    LabelAlign side);
double buttons_width(const Canvas *canvas, const Button *buttons, size_t count);

/* Boxes of a given height in lines, each as long as its contents, as words in a text. */
typedef struct Flow {
    Box area;           /* its height limits the lines */
    double height, gap; /* of a line; between two boxes and two lines */
    double x, y; /* end of the last box and top of its line, from the area's corner */
} Flow;

/* Sets *box to the next box, no wider than a line; returns false if it has no room. */
bool flow_take(Flow *flow, double width, Box *box);

/* A row of a list. */
typedef struct ListRow {
    Link link;
    bool chosen, disabled;
    double kind_width;  /* width of the column of kinds; 0: none */
    const char *kind;   /* faint, at the left end */
    const char *words;  /* has more room than the detail */
    const char *detail; /* faint, at the right end; "" for none */
} ListRow;

/* Draws a row on its ground, linked. */
void list_row_draw(const Canvas *canvas, const ListRow *row, Box box);

/* Width that a row needs to be shown uncut. */
double list_row_width(const Canvas *canvas, const ListRow *row);

/* Begins a row with other contents: draws its ground, and links what follows until
 * canvas_unlink. Returns the room inside. */
Box list_row_begin(const Canvas *canvas, Link link, Box box, bool chosen);

/* Draws a scroll bar at the right of a list that shows `shown` of `all` lines, or other
 * units, from `first` on; nothing if it shows all. */
void scroll_bar_draw(const Canvas *canvas, Box list, double first, double shown,
                     double all);

/* Chooses the entries [*first, *end) of a list around `at` that fit a room, with a gap
 * between two: one behind it and one before it in turn, as long as they fit. */
void window_around(const double *sizes, size_t count, size_t at, double room, double gap,
                   size_t *first, size_t *end);

/* Draws a panel in the middle of the page, no larger than it, over a veil that dims the
 * rest; returns its inside. */
Box sheet_draw(const Canvas *canvas, double width, double height);

/* Cuts a panel's title off its inside and draws it: the title, a note at the right end if
 * there is room ("" for none), and the cross that closes the panel. */
void sheet_title(const Canvas *canvas, Box *inside, const char *title, const char *note,
                 Link close);

/* Moves a box into the page. */
Box box_on_page(const Canvas *canvas, Box box);

/* Box below another one, or above it if there is no room, within the page. */
Box box_beside(const Canvas *canvas, Box of, double width, double height);

/* Style of cells' names beside text of a size of the type scale. */
CellStyle cell_style(const Canvas *canvas, FontRole font, double units, Color ink);

/* ---- the tip beside an item under the pointer: controls.c ---- */

typedef struct Tip {
    const char *name, *key; /* key: "" for none */
    const char *why;        /* sentences below, such as why it is disabled; NULL: none */
} Tip;

/* Draws a tip below a box, or above it if there is no room, within the page; and its
 * box. */
void tip_draw(const Canvas *canvas, const Tip *tip, Box of);
Box tip_box(const Canvas *canvas, const Tip *tip, Box of);

/* ---- the bar on top of an interactive page: top_bar.c, crumbs.c ----
 *
 * On the left the present position as links: program, lesson, step, the steps within it,
 * cell; on the right the tools as buttons. */

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

/* Links of the program's name and of the cell. */
typedef struct CrumbLinks {
    Link home, explain;
} CrumbLinks;

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

/* Returns the width of all banners with their margins, in points. */
double top_bar_banners_width(const Canvas *canvas, const TopBar *bar);

/* Draws the banners from the left end of the strip below the bar, as many as have room.
 */
void top_bar_banners(const Canvas *canvas, const TopBar *bar, Box strip);

/* Draws the position. If it is too long, first the lesson's title is cut, then the middle
 * is left out. */
void crumbs_draw(const PageParts *parts, const CrumbLinks *links, Box area);

/* ---- the bar beside a page on a screen that is touched: touch_bar.c ---- */

/* Draws buttons of equal size along the longer side of an area; a button's sign and word
 * are as large as its shorter side lets them be. */
void touch_bar_draw(const Canvas *canvas, const BarButton *buttons, size_t count,
                    Box area);

/* ---- a station of the tour: station.c ----
 *
 * One large sentence above the picture, and below it the progress, with buttons to
 * continue, go back and leave. Replaces a lesson's words, inspector and timeline. */

struct Station {
    const char *words;
    size_t at, count;
    /* Links of the buttons; `text` lets users enter their own. */
    Link back, next, leave, text;
};

/* Heights of the sentence's area and of the strip below. */
#define STATION_WORDS_HEIGHT 104.0
#define STATION_STRIP_HEIGHT 96.0

void station_draw_words(const Canvas *canvas, const Station *station, Box area);
void station_draw_strip(const Canvas *canvas, const Station *station, Box area);

/* ---- a trail: trail.c ----
 *
 * Places to go to, as chips in a strip, with text before and behind them: the path
 * followed back, "P[2, 5] ← L[2, 5] ← … ← E[you, 3]", with a description of its end; the
 * tensors changed by an edit, "What moved:  X  Q  K  …"; the continuations of a lesson.
 * If it is too long for the strip, the first chip and those around the chip `at`
 * remain. */

typedef struct TrailChip {
    Link link;
    FollowCell cell;   /* cell by its name; row PLAYER_NONE: only its tensor */
    const char *words; /* used instead of the cell; NULL: none */
} TrailChip;

struct Trail {
    const char *head;    /* text before the chips; NULL: none */
    const char *between; /* sign between two chips; NULL: none */
    size_t count;
    const TrailChip *chips;
    size_t at;        /* chip that is always shown */
    bool away;        /* no chip is the present place, not even `at` */
    FollowEnd end;    /* of a followed path: kind of its last cell */
    const char *word; /* token of a FOLLOW_WORD */
    const char *tail; /* text behind, if the path has no such end; NULL: none */
};

/* Height of the strip in points, higher where type is larger; 0 if there is nothing to
 * draw (`trail` may be NULL). */
double trail_height(const Canvas *canvas, const Trail *trail);

void trail_draw(const Canvas *canvas, const Player *player, const Trail *trail,
                Box strip);

/* Description of a path's end, new in the arena: "the word “you”"; "" for
 * FOLLOW_CONTINUES. */
const char *trail_ending(const Language *language, FollowEnd end, const char *word,
                         Arena *arena);
