/* The course's overview: its parts, and in each a card a lesson, with a small picture of
 * what the lesson is about. */
#ifndef PICTURE_OVERVIEW_H
#define PICTURE_OVERVIEW_H

#include "lesson/read/lesson.h"
#include "picture/draw/canvas.h"

typedef struct OverviewItem {
    const Lesson *lesson; /* borrowed; NULL where it could not be read */
    const char *id;
    const char *part;          /* that it is listed under; NULL: what its lesson says */
    size_t practised, at_once; /* exercises of the last round, and those right at once */
} OverviewItem;

typedef struct Overview {
    size_t count;
    const OverviewItem *items;
    size_t chosen; /* the card that Enter opens */
    const Theme *theme;
    const TextMetrics *metrics;
    const Language *language;
    double width, height; /* points */
} Overview;

/* The card that lies one row below (1) or above (−1) the chosen one; the chosen one
 * itself where there is none. */
size_t overview_step(const Overview *overview, int rows);

/* Draws the overview, scrolled so that the chosen card is in view. Cards carry a
 * LINK_LESSON with their number. */
void overview_draw(Scene *scene, Arena *arena, const Overview *overview);

#endif
