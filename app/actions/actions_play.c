#include "actions/actions.h"

#include <math.h>
#include <stdio.h>

static const double LONGEST_TICK = 600000; /* milliseconds */

static bool toggle_playing(Session *session) {
    Autoplay *play = &session->play;
    play->runs = !play->runs;
    play->fresh = play->runs;
    if (play->runs && !autoplay_is_here(session))
        autoplay_arrive(session);
    return true;
}

static bool change_speed(Session *session, int by) {
    int speed = session->play.speed + by;
    session->play.speed = speed < 1 ? 1 : speed > PACE_SPEEDS ? PACE_SPEEDS : speed;
    char number[16], most[16];
    snprintf(number, sizeof number, "%d", session->play.speed);
    snprintf(most, sizeof most, "%d", PACE_SPEEDS);
    session_show_message(session, "pace.speed", number, most);
    return true;
}

static void stop_saying(Session *session, const char *key) {
    autoplay_stop(session);
    session_show_message(session, key, NULL, NULL);
}

/* Autoplay that starts at a lesson's end goes on to the next lesson. */
static void cross_lesson(Session *session) {
    Player before = session->player;
    lesson_step_on(session);
    if (session_is_opening(session))
        return;
    if (mode_on(session, &mode_lesson) && session->player.lesson != before.lesson)
        autoplay_arrive(session);
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
    pace_go_on(&session->player);
    lesson_leave_place(session);
    autoplay_begin_motion(session, &before);
    if (questions_wait(session))
        stop_saying(session, "pace.question");
}

static const Action actions[] = {
    {"play", "A", "A", .act = toggle_playing,
     .traits = ACTION_OF_PLAYING | ACTION_MORE | ACTION_TOOL(TOOL_PLAY)},
    {"faster", "+|=|Keypad +", "+   −", .act_by = change_speed, .by = 1,
     .traits = ACTION_OF_PLAYING | ACTION_TOOL(TOOL_FASTER)},
    {"slower", "-|Keypad -", .act_by = change_speed, .by = -1,
     .traits = ACTION_OF_PLAYING | ACTION_TOOL(TOOL_SLOWER)},
};

const ActionGroup actions_play = ACTION_GROUP(&mode_lesson, actions);

/* ---- time ---- */

static double rate_of(const Session *session) {
    return session->play.runs ? pace_rate(session->play.speed) : 1;
}

/* Returns the milliseconds until autoplay goes on, at its own rate; infinity if it is
 * off. */
static double until_playing_on(const Session *session) {
    const Autoplay *play = &session->play;
    if (!play->runs || !mode_on(session, &mode_lesson) || session_is_opening(session))
        return INFINITY;
    double stay = play->fresh ? 0 : pace_stay(&session->player, session->language);
    if (!autoplay_is_here(session)) /* a lesson that has just been opened */
        return stay;
    return fmax(pace_length(&play->motion) + stay - play->elapsed, 0);
}

double autoplay_until_tick(const Session *session) {
    const Autoplay *play = &session->play;
    double moving = autoplay_is_here(session)
                        ? pace_until_change(&play->motion, play->elapsed)
                        : INFINITY;
    return fmin(moving, until_playing_on(session)) / rate_of(session);
}

static bool same_moment(const PaceMoment *a, const PaceMoment *b) {
    return a->kind == b->kind && !(fabs(a->time - b->time) > 0) &&
           !(fabs(a->zoom - b->zoom) > 0);
}

bool autoplay_tick(Session *session, double milliseconds) {
    Autoplay *play = &session->play;
    bool changed = false;
    if (!mode_on(session, &mode_lesson))
        return false;
    PaceMoment before = session_moment(session);
    double left = fmin(milliseconds, LONGEST_TICK) * rate_of(session);
    if (play->runs && !autoplay_is_here(session) && !session_is_opening(session))
        autoplay_arrive(session);
    for (double until; (until = until_playing_on(session)) <= left; left -= until) {
        play_on(session);
        changed = true;
    }
    play->elapsed += left;
    PaceMoment after = session_moment(session);
    return changed || !same_moment(&before, &after);
}
