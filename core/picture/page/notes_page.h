/* The lecturer's own page: what the class sees, small; what comes next; what is to be
 * said; and the time. */
#ifndef PICTURE_NOTES_PAGE_H
#define PICTURE_NOTES_PAGE_H

#include "picture/stage/page_content.h"

typedef struct NotesPage {
    const Page *shown; /* what the class sees, of any size in points */
    const Page *next;  /* the next step's; NULL: the lesson ends */
    const char *after; /* what comes then; NULL where `next` isn't */
    const char *state; /* why the class sees something else: "blank"; NULL: it doesn't */
    double elapsed;    /* seconds since it began */
    int hour, minute;  /* of the day */
    double width, height; /* of this page, in points */
} NotesPage;

/* Draws the page into a scene, which is initialised in `arena` (the frame's). */
void notes_page_draw(Scene *scene, Arena *arena, const NotesPage *notes);

#endif
