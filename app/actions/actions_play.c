#include "session/action.h"
#include "session/state.h"

#include <math.h>
#include <stdio.h>

/* Motion and autoplay. A motion belongs to the place it leads to: wherever else the
 * session goes, that place is there at once. */

static const double LONGEST_TICK = 600000; /* milliseconds */
enum { SCRATCH_BYTES = 64 << 20 };

static bool at_place(const Session *session) {
    const Player *here = &session->player, *place = &session->play.place;
    return mode_on(session, &mode_lesson) && place->lesson == here->lesson &&
           place->step == here->step && place->cell == here->cell;
}

/* The present place is there at once, as long as autoplay has been on it: no time. */
static void arrive(Session *session) {
    session->play.place = session->player;
    session->play.motion = (PaceMotion){0};
    session->play.elapsed = 0;
}

void autoplay_begin_motion(Session *session, const Player *before) {
    arrive(session);
    session->play.motions++;
    if (!session->play.animates)
        return;
    Arena *scratch = arena_create(SCRATCH_BYTES);
    if (scratch)
        session->play.motion = pace_motion(&session->player, before, scratch);
    if (session->play.animates == SESSION_ENDS)
        session->play.motion = pace_ends(session->play.motion);
    arena_destroy(scratch);
}

void autoplay_end_motion(Session *session) {
    session->play.motion = (PaceMotion){0};
    session->play.place = (Player){0};
}

bool autoplay_skip_motion(Session *session) {
    Autoplay *play = &session->play;
    if (!session_moves(session) || play->motion.kind == PACE_CELLS)
        return false;
    play->elapsed = pace_length(&play->motion);
    return true;
}

void session_animate(Session *session, SessionMotion motion) {
    session->play.animates = motion;
    if (motion == SESSION_STILL)
        session->play.motion = (PaceMotion){0};
}

PaceMoment session_moment(const Session *session) {
    const Autoplay *play = &session->play;
    if (!at_place(session))
        return (PaceMoment){0};
    return pace_moment(&play->motion, play->elapsed);
}

/* ---- autoplay ---- */

void autoplay_stop(Session *session) {
    session->play.runs = false;
}

static bool toggle_playing(Session *session) {
    Autoplay *play = &session->play;
    play->runs = !play->runs;
    play->fresh = play->runs;
    if (play->runs && !at_place(session))
        arrive(session);
    return true;
}

static bool change_speed(Session *session, int by) {
    int speed = session->play.speed + by;
    session->play.speed = speed < 1 ? 1 : speed > PACE_SPEEDS ? PACE_SPEEDS : speed;
    char number[16], most[16];
    snprintf(number, sizeof number, "%d", session->play.speed);
    snprintf(most, sizeof most, "%d", PACE_SPEEDS);
    session_say(session, "pace.speed", number, most);
    return true;
}

static bool play_faster(Session *session) {
    return change_speed(session, 1);
}

static bool play_slower(Session *session) {
    return change_speed(session, -1);
}

static void stop_saying(Session *session, const char *key) {
    autoplay_stop(session);
    session_say(session, key, NULL, NULL);
}

/* Who starts autoplay at a lesson's end wants the next one. */
static void cross_lesson(Session *session) {
    Player before = session->player;
    lesson_step_on(session);
    if (session_is_opening(session))
        return;
    if (mode_on(session, &mode_lesson) && session->player.lesson != before.lesson)
        arrive(session);
    else
        autoplay_stop(session);
}

static void play_on(Session *session) {
    Autoplay *play = &session->play;
    bool fresh = play->fresh;
    PaceStop stop = pace_stop(&session->player);
    play->fresh = false;
    if (stop == PACE_AT_END && fresh) {
        cross_lesson(session);
        return;
    }
    if (stop == PACE_AT_END || (stop == PACE_AT_CHAPTER && !fresh)) {
        stop_saying(session,
                    stop == PACE_AT_END ? "pace.lesson_ends" : "pace.chapter_ends");
        return;
    }
    Player before = session->player;
    lesson_leave_place(session);
    pace_go_on(&session->player);
    autoplay_begin_motion(session, &before);
    if (questions_wait(session))
        stop_saying(session, "pace.question");
}

static const Action actions[] = {
    {"play",
     {"A"},
     "A",
     toggle_playing,
     NULL,
     ACTION_OF_PLAYING | ACTION_TOOL(TOOL_PLAY)},
    {"faster",
     {"+", "=", "Keypad +"},
     "+   −",
     play_faster,
     NULL,
     ACTION_OF_PLAYING | ACTION_TOOL(TOOL_FASTER)},
    {"slower",
     {"-", "Keypad -"},
     NULL,
     play_slower,
     NULL,
     ACTION_OF_PLAYING | ACTION_TOOL(TOOL_SLOWER)},
};

const ActionGroup actions_play = ACTION_GROUP(&mode_lesson, actions);

/* How long until autoplay goes on, at its own rate; infinity where it doesn't. */
static double until_playing_on(const Session *session) {
    const Autoplay *play = &session->play;
    if (!play->runs || !mode_on(session, &mode_lesson) || session_is_opening(session))
        return INFINITY;
    double stay = play->fresh ? 0 : pace_stay(&session->player, session->language);
    if (!at_place(session)) /* a lesson that has just been opened */
        return stay;
    return fmax(pace_length(&play->motion) + stay - play->elapsed, 0);
}

/* ---- time ---- */

static double rate_of(const Session *session) {
    return session->play.runs ? pace_rate(session->play.speed) : 1;
}

static double until_said(const Session *session) {
    return session->message_left > 0 ? session->message_left : INFINITY;
}

static bool end_saying(Session *session, double milliseconds) {
    bool ends = until_said(session) <= milliseconds;
    if (ends)
        session->message[0] = 0;
    session->message_left = fmax(session->message_left - milliseconds, 0);
    return ends;
}

double session_until_change(const Session *session) {
    double tip = fmin(bar_until_tip(session), until_said(session));
    if (mode_on(session, &mode_home))
        return fmin(home_until_tick(session), tip);
    const Autoplay *play = &session->play;
    double moving =
        at_place(session) ? pace_until_change(&play->motion, play->elapsed) : INFINITY;
    return fmin(fmin(moving, until_playing_on(session)) / rate_of(session),
                fmin(tip, touch_until_held(session)));
}

static bool same_moment(const PaceMoment *a, const PaceMoment *b) {
    return a->kind == b->kind && !(fabs(a->time - b->time) > 0) &&
           !(fabs(a->zoom - b->zoom) > 0);
}

bool session_moves(const Session *session) {
    return session_moment(session).kind != PACE_REST;
}

double session_motion_length(const Session *session) {
    return at_place(session) ? pace_length(&session->play.motion) : 0;
}

bool session_tick(Session *session, double milliseconds) {
    Autoplay *play = &session->play;
    bool changed = milliseconds > 0 && bar_tick(session, milliseconds);
    changed |= milliseconds > 0 && touch_tick(session, milliseconds);
    changed |= milliseconds > 0 && end_saying(session, milliseconds);
    session->present.elapsed += fmax(milliseconds, 0);
    if (milliseconds > 0 && mode_on(session, &mode_home))
        return home_tick(session, milliseconds) || changed;
    if (!(milliseconds > 0) || !mode_on(session, &mode_lesson))
        return changed;
    PaceMoment before = session_moment(session);
    double left = fmin(milliseconds, LONGEST_TICK) * rate_of(session);
    if (play->runs && !at_place(session) && !session_is_opening(session))
        arrive(session);
    for (double until; (until = until_playing_on(session)) <= left; left -= until) {
        play_on(session);
        changed = true;
    }
    play->elapsed += left;
    PaceMoment after = session_moment(session);
    return changed || !same_moment(&before, &after);
}
