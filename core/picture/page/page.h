/* The page: everything of one frame, laid out for its size.
 *
 * page_draw is a pure function from a Page (picture/stage/page_content.h) to a scene: the
 * same Page gives the same scene, so stepping back shows exactly what was there. A page
 * is at least PAGE_WIDTH (upright: PAGE_UPRIGHT_WIDTH, on screens of 640 pixels across or
 * more) × PAGE_HEIGHT points; page_fit
 * scales it to a screen of any size. Pages are drawn and read under a guard of the arena
 * (see base/arena.h); notes_page_draw needs a scene whose arena has one. */
#pragma once

#include "picture/stage/page_content.h"

typedef struct Practise Practise;

enum { PAGE_WIDTH = 1600, PAGE_HEIGHT = 900, PAGE_UPRIGHT_WIDTH = 1000 }; /* points */

/* Fit of a page on a screen: laid out in whole points and scaled when it is painted. */
typedef struct PageFit {
    double width, height; /* of the page, in points */
    double scale;         /* pixels per point */
} PageFit;

/* Fit for a picture of a size in pixels, both above 0: PAGE_WIDTH × PAGE_HEIGHT points as
 * large as possible, with more points in one direction if the shape differs;
 * PAGE_UPRIGHT_WIDTH across for an upright shape. Pictures of one shape thus have one
 * layout, whatever their size; but upright ones of less than 640 pixels across have fewer
 * points, so that their type stays readable. */
PageFit page_fit(double pixels_wide, double pixels_high);

/* Draws the page into a scene, which is initialised in `arena` (the frame's). */
void page_draw(Scene *scene, Arena *arena, const Page *page);

/* Returns a page's text for screen readers, in lines: its texts, and the sum of the
 * explained cell or the question. New in the arena. */
const char *page_read(Arena *arena, const Page *page);

/* Text of only the explained cell's sum, as it is heard, and as it is seen: "A[I, am] =
 * e^(1 − 2) ÷ 3". */
const char *page_read_sum(Arena *arena, const Page *page);
const char *page_write_sum(Arena *arena, const Page *page);

/* ---- size of the type, as a multiple of the usual size: text_scale.c ---- */

/* Least text scale, 1 by default: larger on an upright screen, such as a phone's. */
double page_least_type(double width, double height);

/* Least text scale at which small type can be read on a screen with so many reference
 * pixels (1/96 inch) per point: 12 of them on a screen that is held, and on others if it
 * would be much smaller. 1 for an unknown screen (0). */
double text_scale_legible(double pixels, bool held);

/* Next larger and next smaller scale; the same if there is none. */
double text_scale_above(double scale);
double text_scale_below(double scale);

/* Next smaller scale for the user's choice; presented pages have one below the usual. */
double text_scale_smaller(double scale, bool presents);

/* Scale that a page requires; larger on presented pages. */
double text_scale_of(const Page *page);

/* Reports whether that is more than presented pages need. */
bool text_scale_is_wished(const Page *page);

/* Least size of words in points on presented pages; 0: the readable minimum. */
double text_least_of(const Page *page);

/* ---- presenting: notes_page.c, presenter_marks.c ---- */

/* The lecturer's own page: a small view of the presented page; the next one; the
 * speaker's notes; and the time. */
typedef struct NotesPage {
    const Page *shown; /* presented page, of any size in points */
    const Page *next;  /* page of the next step; NULL: the lesson ends */
    const char *after; /* what follows the lesson's end; NULL if `next` isn't */
    const char *state; /* why the class sees something else: "blank"; NULL: it doesn't */
    double elapsed;    /* seconds since the beginning */
    int hour, minute;  /* time of day */
} NotesPage;

/* Draws the page in the size of the scene. */
void notes_page_draw(Scene *scene, const NotesPage *notes);

/* Darkens the page except for a circle with a soft edge around a point. */
void presenter_spotlight(const Canvas *canvas, Point at);

/* Draws a dot that is visible on any ground. */
void presenter_pointer(const Canvas *canvas, Point at);

/* Fills the page with black or white. */
void presenter_blank(const Canvas *canvas, bool white);

/* Draws, in place of the page, what has ended, and in a line below it what follows; NULL:
 * nothing. */
void presenter_end(const Canvas *canvas, const char *ended, const char *next);

/* ---- questions on paper: worksheet.c, worksheet_key.c ----
 *
 * A lesson's worksheet, or an exam over many lessons: questions
 * (lesson/practise/practise.h: paper_compose) below each other, each with its concept,
 * its operation's formula and a small picture. The cells asked for are blank, and so are
 * cells that would reveal them. Numbers that a picture doesn't print, or prints with too
 * few digits for the computation, stand in a line below it. The key adds the numbers, the
 * sums, the right answers and the reasons. */

enum { WORKSHEET_WIDTH = 1000 /* width of a sheet in points */ };

typedef struct WorksheetQuestion {
    Practise *round; /* borrowed; its player is the lesson's */
    size_t exercise; /* index of its exercise */
    size_t points;   /* 0: none are printed */
    size_t lesson;   /* the lesson's number in the course; 0: none */
    double height;   /* measured, like the size of its picture's area */
    double picture_width, picture_height;
} WorksheetQuestion;

typedef struct Worksheet {
    Page page; /* theme, metrics, language; its height is the paper's. Of a worksheet
                  also player and number; an exam has none */
    const char *title;            /* of the course, for an exam */
    size_t count;                 /* number of questions, at least 1 */
    WorksheetQuestion *questions; /* borrowed */
    size_t minutes;               /* time for an exam; 0: a lesson's worksheet */
    size_t at, pages; /* number of the drawn page, from 1, and of all; 0: not written */
    bool key;
    bool redrawn;     /* numbers differ from the lesson's, so its texts may not fit */
    const char *copy; /* name of one of several copies: "7"; NULL: the only one */
} Worksheet;

/* Lays out the worksheet: measures its questions, and sets the number of pages, and `at`
 * before the first one. `scratch` is emptied. Returns false when there is no memory. */
bool worksheet_begin(Worksheet *worksheet, Arena *scratch);

/* Draws the page that begins with question `first` into a scene, which is initialised in
 * `arena`; returns the first question that has no room, or the number of questions. */
size_t worksheet_draw(Scene *scene, Arena *arena, const Worksheet *worksheet,
                      size_t first);
