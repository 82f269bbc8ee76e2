#include "session/state.h"

FollowPath *follow_path(const Session *session) {
    return mode_state(session, &mode_trace);
}

bool trace_is_open(const Session *session) {
    const FollowPath *way = follow_path(session);
    if (!way->count)
        return false;
    const FollowPathPoint *end = &way->places[way->count - 1];
    return session->player.step == end->step && session->player.depth == end->depth &&
           session->player.cell == end->at &&
           mode_on(session, &mode_pin) == end->has_pin &&
           (!end->has_pin || link_equal(session->pin, end->pin));
}
