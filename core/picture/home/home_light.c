#include "picture/home/home_parts.h"

#include <math.h>

/* The turns' clock, in milliseconds: what happens from when to when. The encoder reads
 * the sentence once; a turn but the first begins with the decoder. */
typedef struct Span {
    double from, to;
} Span;

static const Span SENTENCE = {0, 700}, ENCODER = {500, 2300}, MEMORY = {2200, 3000},
                  DECODER = {1500, 4300}, BARS = {4200, 4900}, FLIGHT = {5100, 6300};
static const double FIRST = 0, LATER = 1500, TURN = 7200, FRAME = 80;

static double share_of(Span span, double clock) {
    return fmin(fmax((clock - span.from) / (span.to - span.from), 0), 1);
}

static double bump(Span span, double clock) {
    double share = (clock - span.from) / (span.to - span.from);
    return share > 0 && share < 1 ? 4 * share * (1 - share) : 0;
}

double home_length(const HomeSample *talk) {
    return (TURN - FIRST) + (TURN - LATER) * (double)(talk->step_count - 1);
}

double home_until_change(double length, double time) {
    return time < length ? FRAME - fmod(time, FRAME) : INFINITY;
}

/* Without motion one turn in the middle stands for all. */
static HomeLight still(const HomeSample *talk) {
    return (HomeLight){.turn = talk ? talk->step_count / 2 : 0,
                       .began = talk != NULL,
                       .bars = 1,
                       .tower = {-1, -1}};
}

HomeLight home_light(const HomeSample *talk, double time) {
    if (!talk || time < 0)
        return still(talk);
    double left = floor(time / FRAME) * FRAME, length = TURN - FIRST;
    HomeLight light = {.moves = true};
    while (left >= length && light.turn + 1 < talk->step_count) {
        left -= length;
        length = TURN - LATER;
        light.turn++;
    }
    double clock = left + (light.turn ? LATER : FIRST);
    if (clock >= TURN) { /* all is said */
        light = still(talk);
        light.turn = talk->step_count - 1;
        return light;
    }
    light.sentence = light.turn ? 0 : bump(SENTENCE, clock);
    light.tower[0] = light.turn || clock < ENCODER.from
                         ? -1
                         : (clock - ENCODER.from) / (ENCODER.to - ENCODER.from);
    light.tower[1] = (clock - DECODER.from) / (DECODER.to - DECODER.from);
    light.memory = bump(MEMORY, clock);
    light.memory_trace = share_of(MEMORY, clock);
    light.began = clock >= BARS.from;
    light.bars = share_of(BARS, clock);
    light.flight = share_of(FLIGHT, clock);
    light.landed = clock >= FLIGHT.to;
    return light;
}
