/* The lecturer's own page: a small view of the presented page; the next one; the
 * speaker's notes; and the time. */
#pragma once

#include "picture/stage/page_content.h"

typedef struct NotesPage {
    const Page *shown; /* presented page, of any size in points */
    const Page *next;  /* page of the next step; NULL: the lesson ends */
    const char *after; /* what follows the lesson's end; NULL if `next` isn't */
    const char *state; /* why the class sees something else: "blank"; NULL: it doesn't */
    double elapsed;    /* seconds since the beginning */
    int hour, minute;  /* time of day */
} NotesPage;

/* Draws the page in the size of the scene, whose arena must have a guard. */
void notes_page_draw(Scene *scene, const NotesPage *notes);
