/* Layout of home and the position of the light. For home's own files only. */
#pragma once

#include "picture/chrome/chrome.h"
#include "picture/home/home.h"
#include "picture/map/map.h"

/* ---- layout: home_layout.c ---- */

typedef enum HomeGroup {
    HOME_FINDING,
    HOME_DOORS,
    HOME_CARDS,
    HOME_COURSE,
    HOME_BUTTONS,
    HOME_LIST
} HomeGroup;

/* A box that can be chosen. */
typedef struct HomeSpot {
    Link link;
    Box box;
    HomeGroup group;
} HomeSpot;

typedef struct HomeLayout {
    Towers towers;
    Box page;      /* the page, whose width is divided into columns */
    double margin; /* margin on either side of the columns */
    bool stacked;  /* all columns stand below each other */
    double height; /* total height */
    double scroll_most;
    Box screen; /* visible part of it without the footer */
    Box cards;
    Box header, sentence, bars, generated; /* areas */
    Point loop;                            /* rightmost point of the feedback path */
    Box course, footer;
    double course_words; /* width of the course's heading at its left; 0: none */
    Box list;            /* of the open door; without width: none is open */
    size_t row_count;    /* rows of the list that have room */
    size_t first_row;    /* first visible one of the door's `of_door` lessons */
    size_t of_door;
    size_t count;
    HomeSpot *spots; /* NULL: the arena is exhausted */
} HomeLayout;

double home_scale(const Home *home);

/* Lays out a page; the spots live in the arena of `canvas`'s scene. */
HomeLayout home_lay_out(const Canvas *canvas, const Home *home);

/* Spot of a link; NULL if there is none. */
const HomeSpot *home_spot(const HomeLayout *layout, Link link);

/* Door of a tower's box, of a tower's frame (box TOWER_BOXES_MAX), or of the whole
 * model. */
Link home_door(const HomeLayout *layout, size_t tower, size_t box);
Link home_whole_door(void);

/* Lesson number `index` of a door, or home->all. */
size_t home_behind(const Home *home, Link door, size_t index);

/* ---- position of the light: home_light.c ---- */

typedef struct HomeLight {
    bool moves;
    size_t turn;   /* step whose token is being generated, or was generated last */
    bool began;    /* the step's candidates are visible */
    double bars;   /* growth of their bars: 0 … 1 */
    double flight; /* progress of the generated token on its feedback path: 0 … 1 */
    bool landed;   /* it has arrived */
    double sentence, memory;              /* brightness; 0: the light isn't there */
    double tower[TRANSFORMER_MAX_TOWERS]; /* height of the light in each tower; below 0 or
                                             above 1: it isn't there */
    double memory_trace;                  /* progress along the encoder output's line */
} HomeLight;

HomeLight home_light(const HomeSample *sample, double time);

/* ---- drawing: home_towers.c, home_sample_view.c, home_course.c, home_list.c ---- */

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

/* Draws the title and goal of the chosen circle, over all else. */
void home_draw_tip(const HomePicture *picture);

/* Reports whether a link is chosen, by key or pointer. */
bool home_is_chosen(const HomePicture *picture, Link link);

/* Draws a lesson's number, or its title's first letter, in a circle: outlined if it was
 * begun, with a tick if it was seen to its end, filled if questions of it were answered
 * as well. */
void home_draw_number(const HomePicture *picture, size_t lesson, Point centre,
                      double radius, bool chosen);

/* Point at a fraction of a path's length, 0 … 1. */
Point home_along(const Point *path, size_t count, double fraction);

/* Description of the user's progress in a lesson; "": not begun. */
const char *home_seen(const Canvas *canvas, const HomeLesson *lesson);

/* Draws a tick in a disc. */
void home_draw_tick(const Canvas *canvas, Point centre, double radius);
