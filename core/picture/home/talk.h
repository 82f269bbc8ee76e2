/* What a trained model says: the sentence it reads, and in each turn the words said so
 * far and the likeliest next ones, as a lesson has computed them. */
#ifndef PICTURE_HOME_TALK_H
#define PICTURE_HOME_TALK_H

#include "lesson/play/player.h"
#include "picture/draw/canvas.h"

enum { HOME_CHANCES = 4 };

typedef struct HomeChance {
    const char *word;
    double chance;
} HomeChance;

typedef struct HomeTurn {
    size_t read_count; /* words said so far, as the decoder reads them */
    const char *const *read;
    size_t count; /* the likeliest next ones that have a chance; the first is said */
    HomeChance chances[HOME_CHANCES];
} HomeTurn;

typedef struct HomeTalk {
    size_t word_count; /* of the sentence that goes in; 0: the model has no encoder */
    const char *const *words;
    size_t turn_count; /* 1 or more */
    const HomeTurn *turns;
} HomeTalk;

/* What the lesson's longest generation of single texts says, in the arena, its words
 * borrowed from the lesson. NULL where it says nothing, or the arena is exhausted. */
const HomeTalk *home_talk(const Lesson *lesson, Arena *arena);

#endif
