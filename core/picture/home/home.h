/* Home: the transformer itself, large. A sentence goes in at the bottom, the next token
 * comes out at the top, as a trained model predicts it; every block is a door to its
 * lessons.
 *
 * A pure function of its data and of the time: a light travels from the sentence through
 * the towers to the token, step by step. Links: a door is a LINK_BLOCK of its block,
 * tower and box; a lesson a LINK_LESSON, in the course's row or in a door's list
 * (HomeLessonRow); all others are commands. */
#pragma once

#include "lesson/content/block.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"

/* ---- the sample of a trained model: home_sample.c ----
 *
 * The sentence that a model reads, and in each step the tokens generated so far and the
 * likeliest next ones, as computed by a lesson. */

enum { HOME_CHANCES = 4 };

typedef struct HomeChance {
    const char *word;
    double chance;
} HomeChance;

typedef struct HomeStep {
    size_t read_count; /* tokens generated so far, as the decoder reads them */
    const char *const *read;
    size_t count; /* likeliest next tokens with a visible probability; the first is
                     generated */
    HomeChance chances[HOME_CHANCES];
} HomeStep;

typedef struct HomeSample {
    size_t word_count; /* tokens of the input sentence; 0: the model has no encoder */
    const char *const *words;
    size_t step_count; /* 1 or more */
    const HomeStep *steps;
} HomeSample;

/* The lesson's longest generation of a single text, in the arena, its words borrowed from
 * the lesson. NULL if there is none, or the arena is exhausted. */
const HomeSample *home_sample(const Lesson *lesson, Arena *arena);

/* ---- what home shows ---- */

/* `row` of a lesson's link: in the course's row, or in the list of a door. Links with 0
 * don't belong to home. */
typedef enum HomeLessonRow { HOME_IN_COURSE = 1, HOME_IN_LIST } HomeLessonRow;

/* Block of the link that lists the user's own lessons. */
enum { HOME_OWN_LESSONS = LESSON_BLOCK_COUNT };

typedef struct HomeLesson {
    size_t number;            /* number in the name of the lesson's file */
    bool unnumbered;          /* the file's name has no number */
    const char *title, *part; /* in the page's language */
    const char *goal;         /* ability after the lesson; "": none is given */
    size_t minutes;           /* time that it takes; 0: not given */
    const char *note;         /* quiet line below the title; NULL: none */
    LessonBlock block;        /* block of its door; NONE: the whole model's */
    const Player *player;     /* draws its picture; NULL: not loaded yet */
    bool broken;              /* it could not be loaded */
    double read;              /* fraction of its steps that were seen */
    /* Exercises of the last round, and those answered at the first try. */
    size_t practised, at_once;
    size_t answered; /* questions answered without showing the answer */
} HomeLesson;

typedef struct HomeCard {
    Link link;
    const char *title, *detail;
    bool strong; /* recommended next */
} HomeCard;

typedef struct HomeButton {
    Link link;
    const char *words;
} HomeButton;

typedef struct Home {
    size_t count, all; /* the course's lessons; with the user's behind them */
    const HomeLesson *lessons;
    size_t present;          /* lesson to continue with */
    const char *title, *say; /* of a unit, in the page's language; NULL: the course's */
    size_t card_count;
    const HomeCard *cards;
    HomeButton find; /* LINK_NONE: there is no finder */
    size_t button_count;
    const HomeButton *buttons; /* at the lower right; the last ones keep their position */
    const HomeSample *sample;  /* NULL: not known yet */
    Link chosen;               /* by key, or under the pointer */
    Link door;                 /* open door, whose lessons are listed; LINK_NONE: none */
    const char *message;       /* shown in place of the keys; NULL: none */
    double time;   /* milliseconds that the light has travelled; below 0: no animation */
    double scale;  /* enlargement of the type; 1: as usual */
    double scroll; /* requested scroll position in home's own points */
    double width, height; /* in points */
} Home;

/* Draws home; returns the scroll position, and sets *most to the largest possible one. */
double home_draw(const Canvas *canvas, const Home *home, double *most);

typedef enum HomeMove { HOME_LEFT, HOME_RIGHT, HOME_UP, HOME_DOWN, HOME_TAB } HomeMove;

/* Link next to `from` in a direction or, for HOME_TAB, the first one of the next group;
 * `from` itself if there is none. While lessons are listed, only in their list. From
 * LINK_NONE it starts at the recommended card. */
Link home_step(const Home *home, Arena *scratch, Link from, HomeMove move);

/* Scroll position at which a link's spot is visible. */
double home_scroll_to(const Home *home, Arena *scratch, Link to);

/* Card of what is recommended next; LINK_NONE if there is none. */
Link home_strong_card(const Home *home);

/* Reports whether a lesson belongs to a door. */
bool home_lists(const Home *home, Link door, size_t lesson);

/* First lesson of a door's list as a link; LINK_NONE if the list is empty. */
Link home_first_of(const Home *home, Link door);

/* Total time of the light in milliseconds. */
double home_length(const HomeSample *sample);

/* Time from `time` until the picture changes, for a light of total time `length`;
 * infinity when it has arrived. */
double home_until_change(double length, double time);
