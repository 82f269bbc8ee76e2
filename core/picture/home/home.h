/* Home: the transformer itself, large. A sentence goes in at the bottom, the next word
 * comes out at the top, as a trained model really says it; every block is a door to the
 * lessons that are about it.
 *
 * A pure function of what it is given and of the time: a light travels from the sentence
 * through the towers to the word, turn by turn. Links: a door is a LINK_BLOCK of its
 * block, tower and box; a lesson a LINK_LESSON, in the course's row or in a door's list
 * (HomeLessonRow); all else leads to commands. */
#ifndef PICTURE_HOME_H
#define PICTURE_HOME_H

#include "picture/home/home_sample.h"

/* A lesson's link in the course's row, and in the list of a door; its `row`. 0 is that of
 * links which are no part of home. */
typedef enum HomeLessonRow { HOME_IN_COURSE = 1, HOME_IN_LIST } HomeLessonRow;

/* The block of the link whose list is the user's own lessons. */
enum { HOME_OWN_LESSONS = LESSON_BLOCK_COUNT };

typedef struct HomeLesson {
    size_t number;             /* in its file's name; 0: it has none */
    const char *title, *part;  /* in the page's language */
    const char *goal;          /* what one can do after it; "": not said */
    const char *note;          /* a quiet line below the title; NULL: none */
    LessonBlock block;         /* the door that it is behind; NONE: the whole's */
    const Player *player;      /* its picture is drawn with; NULL: it isn't read yet */
    bool broken;               /* it could not be read */
    double read;               /* the share of its steps that was seen */
    size_t practised, at_once; /* exercises of the last round, and those right at once */
    size_t answered;           /* of its questions, without having them shown */
} HomeLesson;

typedef struct HomeCard {
    Link link;
    const char *title, *detail;
    bool strong; /* what one does next */
} HomeCard;

typedef struct HomeButton {
    Link link;
    const char *words;
} HomeButton;

typedef struct Home {
    size_t count, all; /* of the course's lessons; with the user's behind them */
    const HomeLesson *lessons;
    size_t present;          /* the one that is gone on with */
    const char *title, *say; /* a unit's, in the page's language; NULL: the course's */
    size_t card_count;
    const HomeCard *cards;
    HomeButton find; /* LINK_NONE: nothing can be found */
    size_t button_count;
    const HomeButton *buttons; /* below, at the right; the last ones stay put */
    const HomeSample *sample;  /* NULL: it isn't known yet */
    Link chosen;               /* by key, or under the pointer */
    Link door;                 /* opened: whose lessons are listed; LINK_NONE: none are */
    const char *message;       /* said in place of the keys; NULL: nothing is */
    double time; /* milliseconds that the light has travelled; below 0: it stands still */
    double scale;         /* how much larger than usual the type is; 1: as usual */
    double scroll;        /* of its own points: what lies above the screen, as wanted */
    double width, height; /* points */
} Home;

/* Gives back how far it is scrolled, and in *most how far it can be. */
double home_draw(const Canvas *canvas, const Home *home, double *most);

typedef enum HomeMove { HOME_LEFT, HOME_RIGHT, HOME_UP, HOME_DOWN, HOME_TAB } HomeMove;

/* What lies that way of a link, or, HOME_TAB, what the next group begins with; the link
 * itself where there is nothing. While lessons are listed only their list is gone
 * through. From LINK_NONE it begins with the strong card. */
Link home_step(const Home *home, Arena *scratch, Link from, HomeMove move);

/* How far home is to be scrolled for a link's spot to be seen. */
double home_scroll_to(const Home *home, Arena *scratch, Link to);

/* The card that says what one does next; LINK_NONE where there is none. */
Link home_strong_card(const Home *home);

/* Whether a lesson is behind a door. */
bool home_lists(const Home *home, Link door, size_t lesson);

/* The first lesson of a door's list, as a link; LINK_NONE for an empty one. */
Link home_first_of(const Home *home, Link door);

/* How long the light travels in all. */
double home_length(const HomeSample *sample);

/* How long from `time` on until the picture is another, of a light that travels so long;
 * infinity when it has arrived. */
double home_until_change(double length, double time);

#endif
