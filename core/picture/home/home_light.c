#include "picture/home/home_parts.h"

#include <math.h>

/* Clock of a generation step in milliseconds. The encoder reads the sentence once; every
 * step but the first begins with the decoder. */
typedef struct Span {
    double from, to;
} Span;

static const Span SENTENCE = {0, 700}, ENCODER = {500, 2300}, MEMORY = {2200, 3000},
                  DECODER = {1500, 4300}, BARS = {4200, 4900}, FLIGHT = {5100, 6300};
static const double FIRST = 0, LATER = 1500, STEP_TIME = 7200, FRAME = 80;

static double share_of(Span span, double clock) {
    return fmin(fmax((clock - span.from) / (span.to - span.from), 0), 1);
}

static double bump(Span span, double clock) {
    double fraction = (clock - span.from) / (span.to - span.from);
    return fraction > 0 && fraction < 1 ? 4 * fraction * (1 - fraction) : 0;
}

double home_length(const HomeSample *sample) {
    return (STEP_TIME - FIRST) + (STEP_TIME - LATER) * (double)(sample->step_count - 1);
}

double home_until_change(double length, double time) {
    return time < length ? FRAME - fmod(time, FRAME) : INFINITY;
}

/* State without animation: a step in the middle represents all. */
static HomeLight still(const HomeSample *sample) {
    return (HomeLight){.turn = sample ? sample->step_count / 2 : 0,
                       .began = sample != NULL,
                       .bars = 1,
                       .tower = {-1, -1}};
}

HomeLight home_light(const HomeSample *sample, double time) {
    if (!sample || time < 0)
        return still(sample);
    double left = floor(time / FRAME) * FRAME, length = STEP_TIME - FIRST;
    HomeLight light = {.moves = true};
    while (left >= length && light.turn + 1 < sample->step_count) {
        left -= length;
        length = STEP_TIME - LATER;
        light.turn++;
    }
    double clock = left + (light.turn ? LATER : FIRST);
    if (clock >= STEP_TIME) { /* the generation is complete */
        light = still(sample);
        light.turn = sample->step_count - 1;
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
