/* Content of a page: the player's position and the viewer's display settings. Only the
 * types shared by the page's parts are here, from the words above the picture to the map
 * beside it; picture/page/page.h draws them all. */
#pragma once

#include "lesson/content/view.h"
#include "lesson/play/pace.h"
#include "lesson/play/player.h"
#include "picture/scene/scene.h"

typedef struct Canvas Canvas;
typedef struct Glossary Glossary;
typedef struct Layouts Layouts; /* picture/stage/layouts.h */
typedef struct TextMetrics TextMetrics;
typedef struct Theme Theme;

/* Kinds of text at the top of a page. */
typedef enum WordsDepth {
    WORDS_USUAL,   /* heading, sentences, and the formula beside them: of pictures */
    WORDS_STORY,   /* the same and an analogy, where it has room: on the screen */
    WORDS_NUMBERS, /* computation of the explained cell */
    WORDS_FORMULA, /* large formula with the meaning of its symbols */
    WORDS_CODE,    /* code in NumPy and in PyTorch */
    WORDS_COUNT
} WordsDepth;

typedef struct Influence Influence;         /* picture/explain/influence.h */
typedef struct Trail Trail;                 /* picture/chrome/trail.h */
typedef struct PractisePanel PractisePanel; /* picture/explain/practising.h */
typedef struct TopBar TopBar;               /* picture/chrome/top_bar.h */
typedef struct Station Station;             /* picture/chrome/station.h */

enum { PAGE_TRAILS = 3 };

/* Texts that are shown with the right answer to a question, and with the reason that the
 * question gives. */
typedef enum AnswerParts {
    ANSWER_WHOLE,           /* heading and formula, question, the step's sentences */
    ANSWER_WITHOUT_HEADING, /* question, sentences */
    ANSWER_WITHOUT_REASON,  /* heading and formula, question */
    ANSWER_WITH_QUESTION,   /* question */
    ANSWER_ALONE,           /* none */
    ANSWER_PARTS_COUNT
} AnswerParts;

/* Reports whether the step's heading stands above the answer. */
static inline bool answer_has_heading(AnswerParts parts) {
    return parts == ANSWER_WHOLE || parts == ANSWER_WITHOUT_REASON;
}

typedef struct Page {
    const Player *player;
    const Theme *theme;
    const TextMetrics *metrics;
    const Language *language;
    double width, height; /* points */
    bool with_map;        /* the map is shown, left of words and picture */
    double text_scale;    /* font scale relative to the usual size; 0: as usual */
    bool alone;           /* only words and picture are shown */
    bool presents; /* presentation mode: the picture in large type, and little else */
    size_t number; /* the lesson's number in the course; 0: none */
    const char
        /* Titles and numbers of the lessons it builds on; NULL: none. */
        *needs;
    bool interactive; /* shows key hints; false in saved and exported pictures */
    bool counted;     /* the hint on how rows and columns are counted was given before */
    bool has_focus;   /* there is a focused cell, pinned or under the pointer */
    Link focus;       /* focused cell, a LINK_CELL */
    Link lens;   /* LINK_CELL of a tensor that is shown alone, as large as possible */
    bool pinned; /* the focus is pinned */
    /* Moment of the animation that leads to this position; {0}: its end. */
    PaceMoment moment;
    LessonView view;        /* view of the tensor; NONE: the lesson's own */
    bool without_sentences; /* of the usual words only heading and formula are shown */
    bool answer_beside;     /* the answer is left of the picture instead of above it */
    AnswerParts answer;     /* less than the whole where the picture needs the room */
    WordsDepth words;       /* kind of text at the top */
    /* Message in place of the hints, such as "saved …"; NULL: none. */
    const char *message;
    const char *note; /* line of muted text below the picture; NULL: none */
    bool compares;    /* differences are shown instead of values */
    /* Tape that values are compared with; NULL: the lesson's originals. */
    const Tape *base;
    size_t trail_count;
    const Trail *trails[PAGE_TRAILS]; /* strips of links to positions, lowest first */
    const Influence *influence; /* shown in place of values; NULL: values are shown */
    const Glossary *glossary;   /* glossary whose terms are marked in the text; or NULL */
    /* Exercise in place of inspector and timeline, or NULL; the focus is its cell. */
    const PractisePanel *practise;
    /* Station of the tour in place of words, inspector and timeline; or NULL. */
    const Station *station;
    bool sources;      /* steps are compared with the values of their source */
    Link compare;      /* link that switches that comparison; LINK_NONE: there is none */
    Link map;          /* link that shows and hides the map; LINK_NONE: there is none */
    const TopBar *bar; /* bar with position and actions; NULL: the title is shown */
    Layouts *layouts;  /* kept from page to page by whoever draws many; NULL: not kept */
} Page;

/* Arguments that every part of a page gets beside its area. */
typedef struct PageParts {
    const Canvas *canvas;
    const Page *page;
} PageParts;
