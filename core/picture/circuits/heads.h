/* Circuit of several heads during layout and drawing, shared by heads_circuit.c and
 * heads_layout.c. Only they include this. */
#pragma once

#include "picture/circuits/circuit.h"

/* Heights of a head's title, and of the arcs below its probabilities. */
#define HEADS_TITLE 26.0
#define HEADS_ARCS 44.0

typedef struct Heads {
    Circuit left; /* sources, weights, tables */
    const AttentionHeads *all;
    size_t row;
    Circuit *each;   /* a head's probabilities and the arcs below them */
    size_t across;   /* number of heads side by side */
    double cell;     /* cell size of the probabilities */
    double fraction; /* fraction of their preferred width that tables and gaps beside the
                        heads have */
    bool arcs;
    ChosenTable joined, weight, bias, output;
    bool output_apart; /* the output has a scale and a legend of its own */
} Heads;

/* Lays out everything. */
void heads_layout(Heads *heads);

/* Frame of a head: its title, probabilities and arcs. */
Box heads_frame(const Heads *heads, size_t head);
