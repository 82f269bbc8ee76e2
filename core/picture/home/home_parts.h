/* What home consists of: where everything lies, and how far the light has come. For
 * home's own files, nobody else's. */
#ifndef PICTURE_HOME_PARTS_H
#define PICTURE_HOME_PARTS_H

#include "picture/home/home.h"
#include "picture/map/towers_boxes.h"

/* ---- where everything lies: home_layout.c ---- */

typedef enum HomeGroup {
    HOME_FINDING,
    HOME_DOORS,
    HOME_CARDS,
    HOME_COURSE,
    HOME_BUTTONS,
    HOME_LIST
} HomeGroup;

/* A place that can be chosen. */
typedef struct HomeSpot {
    Link link;
    Box box;
    HomeGroup group;
} HomeSpot;

typedef struct HomeLayout {
    PageParts parts; /* of the towers; without a page */
    Towers towers;
    Box page;      /* its width is divided, … */
    double margin; /* … but for this much at either side */
    bool stacked;  /* not in columns: all stands below each other */
    double height; /* of all of it, … */
    double scroll_most;
    Box screen; /* … of which this is seen, and the footer */
    Box cards;
    Box header, sentence, bars, said; /* areas */
    Point loop;                       /* the rightmost point of the way back */
    Box course, footer;
    Box list;         /* of the open door; no width: none is open */
    size_t row_count; /* of the list that has room, … */
    size_t first_row; /* … from this one on of `of_door` lessons */
    size_t of_door;
    size_t count;
    HomeSpot *spots; /* NULL: the arena is exhausted */
} HomeLayout;

double home_scale(const Home *home);

/* Lays out a page; `canvas` has the arena that the spots live in as its scene's. */
HomeLayout home_lay_out(const Canvas *canvas, const Home *home);

/* The spot of a link; NULL where there is none. */
const HomeSpot *home_spot(const HomeLayout *layout, Link link);

/* The door of a tower's box, of a tower's frame (box TOWER_BOXES_MAX), of it all. */
Link home_door(const HomeLayout *layout, size_t tower, size_t box);
Link home_whole_door(void);

/* Lesson number `index` behind a door, or home->all. */
size_t home_behind(const Home *home, Link door, size_t index);

/* ---- how far the light has come: home_light.c ---- */

typedef struct HomeLight {
    bool moves;
    size_t turn;   /* that is said, or was said last */
    bool began;    /* the turn's words are there, with how far their bars have grown */
    double bars;   /* 0 … 1 */
    double flight; /* of the word said, on its way back: 0 … 1 */
    bool landed;   /* it is there */
    double sentence, memory;              /* how bright; 0: the light isn't there */
    double tower[TRANSFORMER_MAX_TOWERS]; /* how high it is, of each; below 0 or above
                                             1: it isn't there */
    double memory_trace;                  /* how far along the memory's line */
} HomeLight;

HomeLight home_light(const HomeSample *sample, double time);

/* ---- what is drawn: home_towers.c, home_sample.c, home_course.c, home_list.c ---- */

typedef struct HomePicture {
    const Canvas *canvas;
    const Home *home;
    HomeLayout layout;
    HomeLight light;
} HomePicture;

void home_draw_towers(const HomePicture *picture);
void home_draw_sample(const HomePicture *picture);
void home_draw_course(const HomePicture *picture);
void home_draw_list(const HomePicture *picture);
void home_draw_footer(const HomePicture *picture);

/* Whether a link is chosen, by key or pointer. */
bool home_is_chosen(const HomePicture *picture, Link link);

/* A lesson's number in a circle: outlined where it was begun, with a tick where it was
 * seen to its end, full where questions of it were answered as well. */
void home_draw_number(const HomePicture *picture, size_t lesson, Point centre,
                      double radius, bool chosen);

/* The point so far along a path, 0 … 1. */
Point home_along(const Point *way, size_t count, double fraction);

/* How far one has come in a lesson, in words; "": it isn't begun. */
const char *home_seen(const Canvas *canvas, const HomeLesson *lesson);

/* A tick in a disc. */
void home_draw_tick(const Canvas *canvas, Point centre, double radius);

#endif
