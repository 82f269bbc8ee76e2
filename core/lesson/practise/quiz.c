#include "lesson/practise/practise.h"

size_t quiz_choose(const size_t *is_question, size_t count, uint64_t seed,
                   QuizItem items[QUIZ_QUESTIONS]) {
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += is_question[i];
    size_t length = all < QUIZ_QUESTIONS ? all : QUIZ_QUESTIONS;
    Random random;
    random_init(&random, seed);
    for (size_t i = 0; i < length; i++) {
        size_t from = all * i / length, to = all * (i + 1) / length;
        size_t at = from + random_below(&random, to - from), lesson = 0;
        while (at >= is_question[lesson])
            at -= is_question[lesson++];
        items[i] = (QuizItem){.lesson = lesson, .question = at};
    }
    return length;
}

size_t quiz_step(const Player *player, size_t question) {
    size_t found = PLAYER_NONE, seen = 0;
    for (size_t i = 0; i < player->step_count && seen <= question; i++) {
        if (!exercise_is_choice(player, i))
            continue;
        found = i;
        seen++;
    }
    return found;
}
