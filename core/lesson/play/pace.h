/* Timing of animation and of autoplay.
 *
 * Everything here is a function of the player and of given milliseconds; there is no
 * clock and no state. A motion describes what appears and for how long; pace_moment gives
 * its state after a time; picture/animation draws it. A step's result appears in the way
 * of its operation (lesson/play/transition.h), the first cell of an operation is summed
 * up part by part, a step that is opened grows from its place in the picture. */
#pragma once

#include "lesson/play/player.h"
#include "lesson/play/transition.h"

typedef struct Language Language;

enum { PACE_SPEEDS = 5, PACE_NORMAL = 3 /* speeds are 1 … PACE_SPEEDS */ };

#define PACE_LAST_PART                                                                   \
    0.4 /* fraction of a composite's motion that its last operation has */
#define PACE_LONGEST 5000.0 /* milliseconds: maximum length of a motion */

typedef enum PaceKind {
    PACE_REST,  /* nothing moves */
    PACE_STEP,  /* the step's result appears */
    PACE_CELLS, /* the output's cells from `from` up to the cursor's appear */
    PACE_SUM,   /* the cursor's cell is summed up slowly */
    PACE_CLOSE  /* the step that was open shrinks back into the picture */
} PaceKind;

/* The motion that leads to the player's present position; {0}: none. */
typedef struct PaceMotion {
    PaceKind kind;
    bool ends;   /* only its first and last frame are shown */
    size_t from; /* PACE_CELLS, PACE_SUM: number of cells shown from the start */
    TransitionExplanation explanation;
    double zoom; /* milliseconds of zooming at the start */
    /* the step before the motion: it contains the opened step, or is closed */
    size_t around;
    double length; /* milliseconds after the zoom */
} PaceMotion;

/* The state of a motion at a time; {0}: it is complete. */
typedef struct PaceMoment {
    PaceKind kind;
    double time;   /* fraction of its motion that has passed, from 0 to below 1 */
    double zoom;   /* fraction of the zoom; 1: no zoom, or it is over */
    size_t around; /* the motion's */
    size_t from;   /* number of cells at rest */
    TransitionExplanation explanation; /* how the motion explains a cell */
    bool adds;  /* the sum of the explained cell is being computed */
    double sum; /* fraction of that sum that is complete (see pace_part) */
} PaceMoment;

/* Returns the sum (or else the list) within a cell's term that is animated part by part:
 * a product's pairs, a softmax's total. NULL if no part of it has two parts. */
const Term *pace_sum(const Term *term);

/* Returns the progress of part `index` of `count`, from 0 (not begun) to 1 (in the sum),
 * when the fraction `sum` of the sum has passed. The first ones take longest. */
double pace_part(double sum, size_t count, size_t index);

/* Returns how many of `count` parts are then in the sum. */
size_t pace_parts_complete(double sum, size_t count);

/* Returns the motion from the position `before`, on the same lesson, to the player's, by
 * going on, opening or closing; at rest otherwise. `scratch` is only used during the
 * call. When it is exhausted the motion has no parts. */
PaceMotion pace_motion(const Player *player, const Player *before, Arena *scratch);

/* Reduces a motion to its first and last frame. */
PaceMotion pace_ends(PaceMotion motion);

/* Returns the transpose without a step whose animation begins the player's step, or
 * TAPE_NONE. It takes the first PACE_TRANSPOSE_TIME of the motion. */
#define PACE_TRANSPOSE_TIME 0.22
size_t pace_transposed(const Player *player);

/* Returns the length of a motion, in milliseconds. */
double pace_length(const PaceMotion *motion);

/* Returns the state `elapsed` milliseconds after a motion began. */
PaceMoment pace_moment(const PaceMotion *motion, double elapsed);

/* Returns the step shown at that time: during a training one of its epochs, beginning
 * before the first update; else the player's. */
size_t pace_shown(const Player *player, const PaceMoment *moment);

/* Returns the milliseconds until the state changes: above 0, infinite if never. */
double pace_until_change(const PaceMotion *motion, double elapsed);

/* ---- autoplay ---- */

/* Returns the factor of time at a speed. */
double pace_rate(int speed);

/* Returns how long autoplay stays after a motion, in milliseconds: the reading time of
 * the words; for cells shorter the more have been shown. */
double pace_stay(const Player *player, const Language *language);

typedef enum PaceStop {
    PACE_CONTINUES,
    PACE_AT_CHAPTER, /* a new chapter follows */
    PACE_AT_END      /* the lesson's end, at the present depth */
} PaceStop;

/* Returns the reason to stop autoplay before it leaves the present position. */
PaceStop pace_stop(const Player *player);

/* Advances autoplay: at a step's depth to the next; among cells one by one through the
 * first row, or by several if it is long, then row by row, then in growing strides to the
 * last cell. False, changing nothing, at the lesson's end. */
bool pace_go_on(Player *player);
