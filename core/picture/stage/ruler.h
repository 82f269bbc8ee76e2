/* A ruler: one axis of a picture, shared out among tracks that follow each other.
 *
 * A track is a run of equal parts, as the columns of a table are, or one length, as a gap
 * or a name is. Each part gets its least; the rest goes to the wants, rank by rank, and
 * what is left then lets parts grow up to their most. The smallest parts always grow
 * first, so tracks that start alike stay alike. Lengths are points. */
#ifndef PICTURE_RULER_H
#define PICTURE_RULER_H

#include <stdbool.h>
#include <stddef.h>

enum { RULER_MAX = 48 }; /* tracks of a ruler */

typedef struct Track {
    double parts;             /* equal parts; 0: the track is one length */
    double least, want, most; /* lengths of a part */
    int rank;                 /* lower ranks get what they want first */
    size_t within;            /* 1 + index of a track whose parts limit these; 0: none */
    double part, at, size;    /* set by ruler_share: of a part, the begin, the whole */
} Track;

/* A track of one fixed length. */
static inline Track track_of(double length) {
    return (Track){.least = length, .want = length, .most = length};
}

/* Shares out `room`, whose begin is `begin`, among at most RULER_MAX tracks. A track
 * within another doesn't outgrow it, but has its own least in any case. False where there
 * is no room even for the least: then each part has that. */
bool ruler_share(Track *tracks, size_t count, double begin, double room);

/* Sets where tracks begin, and their sizes, from their parts. */
void ruler_place(Track *tracks, size_t count, double begin);

/* The length of all tracks together. */
double ruler_used(const Track *tracks, size_t count);

#endif
