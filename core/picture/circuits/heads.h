/* The circuit of several heads, while it is laid out and drawn: what heads_circuit.c and
 * heads_layout.c agree on. Only they include this. */
#ifndef PICTURE_HEADS_H
#define PICTURE_HEADS_H

#include "picture/circuits/circuit.h"

#define HEADS_TITLE 26.0 /* how tall a head's title is, and the arcs below its shares */
#define HEADS_ARCS 44.0

typedef struct Heads {
    Circuit left; /* sources, weights, tables */
    const AttentionHeads *all;
    size_t row;
    Circuit *each;   /* of a head: its shares, and the arcs below them */
    size_t across;   /* heads side by side */
    double cell;     /* of their shares */
    double fraction; /* how wide tables and gaps beside them are: of what they want to
                           be */
    bool arcs;
    ChosenTable joined, weight, bias, output;
    bool output_apart; /* it has a scale, and a legend, of its own */
} Heads;

/* Gives everything its place. */
void heads_layout(Heads *heads);

/* The frame of a head: its title, shares and arcs. */
Box heads_frame(const Heads *heads, size_t head);

#endif
