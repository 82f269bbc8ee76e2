/* Pace: how a place of the player comes to be in time, and how autoplay goes on from it.
 *
 * Everything here is a function of the player and of milliseconds that are handed in;
 * nobody reads a clock, and nothing is kept. A motion says what comes to be and how long
 * that takes, pace_moment where in it one is after so long; what then moves, and where
 * to, is drawn by picture/animation. A step's result comes to be as its operation does it
 * (lesson/play/transition.h), the first cell of an operation is added up part by part,
 * what is opened grows from its place. */
#ifndef LESSON_PACE_H
#define LESSON_PACE_H

#include "lesson/play/player.h"
#include "lesson/play/transition.h"
#include "tensor/terms/term.h"

enum { PACE_SPEEDS = 5, PACE_NORMAL = 3 /* of 1 … PACE_SPEEDS */ };

#define PACE_LAST_PART 0.4  /* of a composite's motion: its last operation has it */
#define PACE_LONGEST 5000.0 /* milliseconds: no motion lasts longer */

typedef enum PaceKind {
    PACE_REST,  /* nothing moves */
    PACE_STEP,  /* the step's result comes to be */
    PACE_CELLS, /* the output's cells from `from` up to the cursor's do */
    PACE_SUM,   /* the cursor's cell is added up slowly */
    PACE_CLOSE  /* the step that was open goes back to its place */
} PaceKind;

/* How the player's present place comes to be; {0}: it is there at once. */
typedef struct PaceMotion {
    PaceKind kind;
    bool ends;   /* only its first frame is shown, and then its last */
    size_t from; /* PACE_CELLS, PACE_SUM: so many cells are there at first */
    TransitionExplanation told;
    double zoom;   /* so long what is opened or closed grows or shrinks, at first … */
    size_t around; /* … to or from its place in this step's picture, or as this step */
    double length; /* milliseconds behind that */
} PaceMotion;

/* Where in it one is; {0}: all is there. */
typedef struct PaceMoment {
    PaceKind kind;
    double time;   /* the share of its motion that has passed, from 0 to below 1 */
    double zoom;   /* the share of the zoom; 1: there is none, or it is over */
    size_t around; /* the motion's */
    size_t from;   /* so many cells are at rest */
    TransitionExplanation told; /* the motion's */
    bool adds;                  /* the explained cell isn't there yet: so far … */
    double sum;                 /* … this share of its sum has passed (see pace_part) */
} PaceMoment;

/* The sum (or, where there is none, the list) that a cell's number is gathered from, part
 * by part, within the term that explains it: a product's pairs, a softmax's total. NULL
 * when nothing in it has two parts. */
const Term *pace_sum(const Term *term);

/* How far part `index` of `count` is, from 0 (not begun) to 1 (in the sum), when the
 * share `sum` of the sum has passed. The first ones take longest. */
double pace_part(double sum, size_t count, size_t index);

/* How many of `count` parts are in the sum then. */
size_t pace_parts_complete(double sum, size_t count);

/* How the player's place comes to be when one arrives from `before`, on the same lesson,
 * by going on, opening or closing: at rest where that wasn't so. `scratch` holds what is
 * worked out; the motion doesn't need it. When it is exhausted the motion is one without
 * parts. */
PaceMotion pace_motion(const Player *player, const Player *before, Arena *scratch);

/* The same with its first and its last frame alone. */
PaceMotion pace_ends(PaceMotion motion);

/* What the player's step turns on its own before it multiplies by it: a transpose that is
 * no step; TAPE_NONE. It has the first PACE_TRANSPOSE_TIME of the motion's time. */
#define PACE_TRANSPOSE_TIME 0.22
size_t pace_transposed(const Player *player);

/* How long a motion lasts, in milliseconds. */
double pace_length(const PaceMotion *motion);

/* What is there `elapsed` milliseconds after a motion began. */
PaceMoment pace_moment(const PaceMotion *motion, double elapsed);

/* The step that is seen then: of a training that comes to be one of its epochs, from
 * before the first update on; else the player's. */
size_t pace_shown(const Player *player, const PaceMoment *moment);

/* How long after that something else is there: 0 < milliseconds, infinity when never. */
double pace_until_change(const PaceMotion *motion, double elapsed);

/* ---- autoplay ---- */

/* How fast milliseconds pass at a speed. */
double pace_rate(int speed);

/* How long autoplay stays at a place behind its motion: as long as the words take to be
 * read, among cells the shorter the more have been seen. */
double pace_stay(const Player *player, const Language *language);

typedef enum PaceStop {
    PACE_CONTINUES,
    PACE_AT_CHAPTER, /* a new chapter begins behind this place */
    PACE_AT_END      /* of the lesson, at the present depth */
} PaceStop;

/* Whether autoplay would stop before it leaves the present place. */
PaceStop pace_stop(const Player *player);

/* Moves on as autoplay does: at a step's depth to the next; among cells through the first
 * row one by one, or by a few where it is long, then row by row, then in strides that
 * reach the last cell soon. False, and no change, at the lesson's end. */
bool pace_go_on(Player *player);

#endif
