/* Pace: how a place of the player comes to be in time, and how autoplay goes on from it.
 *
 * Everything here is a function of the player and of milliseconds that are handed in;
 * nobody reads a clock, and nothing is kept. A motion says what appears and how slowly,
 * pace_moment what of it is there after so long. The first cell of an operation is added
 * up part by part, another cell's parts light up quickly, a step's result fades in. */
#ifndef LESSON_PACE_H
#define LESSON_PACE_H

#include "lesson/play/player.h"
#include "tensor/term.h"

enum { PACE_SPEEDS = 5, PACE_NORMAL = 3 /* of 1 … PACE_SPEEDS */ };

typedef enum PaceKind {
    PACE_REST,  /* nothing moves */
    PACE_STEP,  /* the step's result fades in */
    PACE_CELLS, /* the output's cells behind the first `from`, up to the cursor's */
    PACE_SUM    /* the cursor's cell is added up slowly */
} PaceKind;

/* How the player's present place comes to be; {0}: it is there at once. */
typedef struct PaceMotion {
    PaceKind kind;
    size_t from;  /* PACE_CELLS: so many cells are there at first */
    size_t parts; /* of the cursor's sum (pace_sum); 0: it has none */
} PaceMotion;

/* What is there of it; {0}: all. */
typedef struct PaceMoment {
    bool moves;
    size_t visible; /* cells of the step's output; all of them: (size_t)-1 */
    size_t fading;  /* of these the ones from this on … */
    double shown;   /* … are there by this share, above 0 */
    bool adds;      /* the cursor's cell is being added up: so far … */
    size_t lit;     /* … so many of its parts are shown where they come from, … */
    size_t terms;   /* … and so many stand in the sum */
} PaceMoment;

/* The sum (or, where there is none, the list) that a cell's number is gathered from, part
 * by part, within the term that explains it: a product's pairs, a softmax's total. NULL
 * when nothing in it has two parts. */
const Term *pace_sum(const Term *term);

/* How the player's place comes to be when one arrives from `before`, on the same lesson,
 * by going on: at rest where that wasn't forward. `scratch` holds what is worked out;
 * the motion doesn't need it. When it is exhausted the motion is one without parts. */
PaceMotion pace_motion(const Player *player, const Player *before, Arena *scratch);

/* How long a motion lasts, in milliseconds. A step's and a cell's last 250 at most. */
double pace_length(const PaceMotion *motion);

/* What is there `elapsed` milliseconds after a motion began. */
PaceMoment pace_moment(const Player *player, const PaceMotion *motion, double elapsed);

/* How long after that something else is there: 0 < milliseconds, infinity when never. */
double pace_until_change(const PaceMotion *motion, double elapsed);

/* ---- autoplay ---- */

/* How fast milliseconds pass at a speed. */
double pace_rate(int speed);

/* How long autoplay stays at a place behind its motion: as long as the words take to be
 * read, among cells the shorter the more have been seen. */
double pace_stay(const Player *player, const Language *language);

typedef enum PaceStop {
    PACE_GOES_ON,
    PACE_AT_CHAPTER, /* a new chapter begins behind this place */
    PACE_AT_END      /* of the lesson, at the present depth */
} PaceStop;

/* Whether autoplay would stop before it leaves the present place. */
PaceStop pace_stop(const Player *player);

/* Moves on as autoplay does: at a step's depth to the next; among cells through the first
 * row one by one, or by a few where it is long, then row by row, then in strides that
 * reach the last cell soon. False, and no change, at the lesson's end. */
bool pace_go_on(Player *player);

/* Whether the learner is asked at this place, on arriving there. */
bool pace_asks(const Player *player);

#endif
