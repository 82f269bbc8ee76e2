/* What a page shows: the player's place, and how the viewer wants it drawn. Here are only
 * the types that the page's parts share, from the words above the picture to the map
 * beside it; picture/page/page.h draws them all. */
#ifndef PICTURE_PAGE_CONTENT_H
#define PICTURE_PAGE_CONTENT_H

#include "base/strings/glossary.h"
#include "lesson/play/pace.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"

/* How deep the words at the top of a page go. */
typedef enum WordsDepth {
    WORDS_USUAL,   /* heading, sentences, and the formula beside them */
    WORDS_STORY,   /* in plain words */
    WORDS_NUMBERS, /* how the explained cell came to be */
    WORDS_FORMULA, /* large, with what its symbols stand for */
    WORDS_CODE,    /* in NumPy and in PyTorch */
    WORDS_COUNT
} WordsDepth;

typedef struct Influence Influence;         /* picture/explain/influence.h */
typedef struct Trail Trail;                 /* picture/chrome/trail.h */
typedef struct PractisePanel PractisePanel; /* picture/explain/practising.h */
typedef struct TopBar TopBar;               /* picture/chrome/top_bar.h */
typedef struct Station Station;             /* picture/chrome/station.h */

enum { PAGE_TRAILS = 3 };

typedef struct Page {
    const Player *player;
    const Theme *theme;
    const TextMetrics *metrics;
    const Language *language;
    double width, height; /* points */
    bool with_map;        /* also where it is usually left out */
    double text_scale;    /* how much larger than usual the type is to be; 0: as usual */
    bool alone;           /* words and picture, and nothing around them */
    bool presents; /* to the back row: the picture, in large type, and little else */
    size_t number; /* the lesson's number in the course; 0: none */
    const char
        *needs;       /* the lessons that it builds on, by number and title; NULL: none */
    bool interactive; /* with hints for keys; false in saved and exported pictures */
    bool has_focus;   /* a cell that is pinned or under the pointer */
    Link focus;       /* LINK_CELL */
    Link lens;        /* LINK_CELL: its tensor alone, as large as it can be */
    bool pinned;      /* the focus is, and stays there */
    PaceMoment moment; /* where one is in how the place comes to be; {0}: it is there */
    LessonView view;   /* how the tensor is drawn; NONE: as the lesson asks */
    bool without_sentences; /* of the usual words only heading and formula */
    bool answer_beside;  /* a question's answer stands left of the picture, not above */
    WordsDepth words;    /* how deep the words at the top go */
    const char *message; /* said in place of the hints: "saved …"; NULL: none */
    const char *note;    /* a quiet line below the picture; NULL: none */
    bool compares;       /* differences are shown, not values: from the originals, … */
    const Tape *base;    /* … or from what another tape has; NULL: there is none */
    size_t trail_count;
    const Trail *trails[PAGE_TRAILS]; /* strips of places to go to, the lowest first */
    const Influence *influence;       /* shown in place of values; NULL: values are */
    const Glossary *glossary;         /* whose terms are marked in the words, or NULL */
    const PractisePanel *practise; /* an exercise in place of inspector and timeline, or
                                      NULL; the focus is its cell */
    const Station *station; /* of the tour, in place of words, inspector and timeline; or
                            NULL */
    bool sources;           /* steps are compared with what their source says, … */
    Link compare;           /* … which this turns on and off; LINK_NONE: nothing does */
    const TopBar *bar;      /* where one is and what can be done; NULL: the title */
} Page;

/* What every part of a page is given beside its area. */
typedef struct PageParts {
    const Canvas *canvas;
    const Page *page;
} PageParts;

#endif
