#include "session/state.h"

enum { SCRATCH_BYTES = 64 << 20 };

bool autoplay_is_here(const Session *session) {
    const Player *here = &session->player, *place = &session->play.place;
    return mode_on(session, &mode_lesson) && place->lesson == here->lesson &&
           place->step == here->step && place->cell == here->cell;
}

void autoplay_arrive(Session *session) {
    session->play.place = session->player;
    session->play.motion = (PaceMotion){0};
    session->play.elapsed = 0;
}

void autoplay_begin_motion(Session *session, const Player *before) {
    autoplay_arrive(session);
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
    if (!autoplay_is_here(session))
        return (PaceMoment){0};
    return pace_moment(&play->motion, play->elapsed);
}

void autoplay_stop(Session *session) {
    session->play.runs = false;
}

bool session_moves(const Session *session) {
    return session_moment(session).kind != PACE_REST;
}

double session_motion_length(const Session *session) {
    return autoplay_is_here(session) ? pace_length(&session->play.motion) : 0;
}
