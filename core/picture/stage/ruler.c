#include "picture/stage/ruler.h"

#include <math.h>

/* In points: the largest remainder that isn't distributed; the length from which parts
 * are rounded down. */
static const double NOTHING = 1e-6, WHOLE = 24;

double ruler_whole(double part) {
    return part > WHOLE ? floor(part + NOTHING) : part;
}

static double parts_of(const Track *track) {
    return track->parts > 0 ? track->parts : 1;
}

/* Lowers the limits of tracks within others to the limits of those. */
static void limit_within(const Track *tracks, size_t count, double *limits) {
    bool lowers = true;
    while (lowers) { /* limits may be nested */
        lowers = false;
        for (size_t i = 0; i < count; i++) {
            if (tracks[i].within && limits[tracks[i].within - 1] < limits[i]) {
                limits[i] = limits[tracks[i].within - 1];
                lowers = true;
            }
        }
    }
}

/* Returns the next length above `level` at which a part begins or stops growing;
 * INFINITY. */
static double next_level(const Track *tracks, size_t count, const double *limits,
                         double level) {
    double next = INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (tracks[i].part >= limits[i])
            continue;
        if (tracks[i].part > level)
            next = fmin(next, tracks[i].part);
        else if (limits[i] > level)
            next = fmin(next, limits[i]);
    }
    return next;
}

/* Grows the smallest parts first, up to their limits; returns the rest of `room`. */
static double grow(Track *tracks, size_t count, const double *limits, double room) {
    double level = 0;
    while (room > NOTHING) {
        double next = next_level(tracks, count, limits, level), growing = 0;
        if (isinf(next))
            return room;
        for (size_t i = 0; i < count; i++)
            growing +=
                tracks[i].part <= level && limits[i] > level ? parts_of(&tracks[i]) : 0;
        if (growing > 0 && (next - level) * growing > room) {
            next = level + room / growing;
            room = 0;
        } else {
            room -= (next - level) * growing;
        }
        for (size_t i = 0; i < count; i++) {
            if (tracks[i].part <= level && limits[i] > level)
                tracks[i].part = next;
        }
        level = next;
    }
    return room;
}

/* Sets *rank to the smallest rank above it; returns false if there is none. */
static bool next_rank(const Track *tracks, size_t count, int *rank, bool first) {
    bool found = false;
    int next = 0;
    for (size_t i = 0; i < count; i++) {
        if ((first || tracks[i].rank > *rank) && (!found || tracks[i].rank < next)) {
            next = tracks[i].rank;
            found = true;
        }
    }
    *rank = found ? next : *rank;
    return found;
}

void ruler_place(Track *tracks, size_t count, double begin) {
    for (size_t i = 0; i < count; i++) {
        tracks[i].at = begin;
        tracks[i].size = parts_of(&tracks[i]) * tracks[i].part;
        begin += tracks[i].size;
    }
}

bool ruler_share(Track *tracks, size_t count, double begin, double room) {
    double limits[RULER_MAX] = {0};
    for (size_t i = 0; i < count; i++) {
        tracks[i].part = fmax(tracks[i].least, 0);
        room -= parts_of(&tracks[i]) * tracks[i].part;
    }
    bool fits = room >= -NOTHING;
    int rank = 0;
    for (bool first = true; next_rank(tracks, count, &rank, first); first = false) {
        for (size_t i = 0; i < count; i++)
            limits[i] = fmax(tracks[i].part, tracks[i].rank == rank ? tracks[i].want : 0);
        limit_within(tracks, count, limits);
        room = grow(tracks, count, limits, room);
    }
    for (size_t i = 0; i < count; i++)
        limits[i] = fmax(tracks[i].part, tracks[i].most);
    limit_within(tracks, count, limits);
    grow(tracks, count, limits, room);
    ruler_place(tracks, count, begin);
    return fits;
}

double ruler_used(const Track *tracks, size_t count) {
    double used = 0;
    for (size_t i = 0; i < count; i++)
        used += tracks[i].size;
    return used;
}
