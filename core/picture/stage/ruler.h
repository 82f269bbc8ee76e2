/* A ruler: one axis of a picture, divided among tracks that follow each other.
 *
 * A track is a run of equal parts, such as the columns of a table, or a single length,
 * such as a gap or a name. Each part gets its least length; the rest goes to the wants,
 * rank by rank, and what is left then lets parts grow up to their most. The smallest
 * parts always grow first, so tracks with equal beginnings stay equal. Lengths are
 * points. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { RULER_MAX = 64 }; /* tracks of a ruler */

typedef struct Track {
    double parts;             /* equal parts; 0: the track is one length */
    double least, want, most; /* least, wanted and largest length of a part */
    int rank;                 /* wants of lower ranks are met first */
    size_t within;            /* 1 + index of a track whose parts limit these; 0: none */
    /* Set by ruler_share: length of a part, begin and length of the track. */
    double part, at, size;
} Track;

/* Returns a track of one fixed length. */
static inline Track track_of(double length) {
    return (Track){.least = length, .want = length, .most = length};
}

/* Returns a part's length, rounded down to whole points if it is large. */
double ruler_whole(double part);

/* Divides `room`, which begins at `begin`, among at most RULER_MAX tracks. A track within
 * another doesn't outgrow it, but always has its own least. Returns false if there is no
 * room even for the least lengths: then each part has its own. */
bool ruler_share(Track *tracks, size_t count, double begin, double room);

/* Sets the tracks' beginnings and lengths from their parts. */
void ruler_place(Track *tracks, size_t count, double begin);

/* Returns the length of all tracks together. */
double ruler_used(const Track *tracks, size_t count);
