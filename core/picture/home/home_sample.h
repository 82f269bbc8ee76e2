/* What a trained model says: the sentence it reads, and in each turn the words said so
 * far and the likeliest next ones, as a lesson has computed them. */
#ifndef PICTURE_HOME_HOME_SAMPLE_H
#define PICTURE_HOME_HOME_SAMPLE_H

#include "lesson/play/player.h"
#include "picture/draw/canvas.h"

enum { HOME_CHANCES = 4 };

typedef struct HomeChance {
    const char *word;
    double chance;
} HomeChance;

typedef struct HomeStep {
    size_t read_count; /* words said so far, as the decoder reads them */
    const char *const *read;
    size_t count; /* the likeliest next ones that have a chance; the first is said */
    HomeChance chances[HOME_CHANCES];
} HomeStep;

typedef struct HomeSample {
    size_t word_count; /* of the sentence that goes in; 0: the model has no encoder */
    const char *const *words;
    size_t step_count; /* 1 or more */
    const HomeStep *steps;
} HomeSample;

/* What the lesson's longest generation of single texts says, in the arena, its words
 * borrowed from the lesson. NULL where it says nothing, or the arena is exhausted. */
const HomeSample *home_sample(const Lesson *lesson, Arena *arena);

#endif
