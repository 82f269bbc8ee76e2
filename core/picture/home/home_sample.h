/* Sample of a trained model: the sentence it reads, and in each step the tokens generated
 * so far and the likeliest next ones, as computed by a lesson. */
#pragma once

#include "lesson/play/player.h"
#include "picture/draw/canvas.h"

enum { HOME_CHANCES = 4 };

typedef struct HomeChance {
    const char *word;
    double chance;
} HomeChance;

typedef struct HomeStep {
    size_t read_count; /* tokens generated so far, as the decoder reads them */
    const char *const *read;
    size_t count; /* likeliest next tokens with a visible probability; the first is
                     generated */
    HomeChance chances[HOME_CHANCES];
} HomeStep;

typedef struct HomeSample {
    size_t word_count; /* tokens of the input sentence; 0: the model has no encoder */
    const char *const *words;
    size_t step_count; /* 1 or more */
    const HomeStep *steps;
} HomeSample;

/* The lesson's longest generation of a single text, in the arena, its words borrowed from
 * the lesson. NULL if there is none, or the arena is exhausted. */
const HomeSample *home_sample(const Lesson *lesson, Arena *arena);
