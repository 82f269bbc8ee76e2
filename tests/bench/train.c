/* How long an update of a lesson's training takes:
 *   train LESSON.yaml ROUNDS
 * Prints the IDs of the batch, one line "source … target … expected …" an example, and
 * then the median of ROUNDS times 100 updates, in microseconds an update. */
#include "model/learn/train.h"

#include "base/error.h"
#include "lesson/content/content.h"
#include "lesson/load/load.h"
#include "lesson/model/learning.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS_MAX = 10000, UPDATES = 100 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_row(const char *name, const Tensor *row) {
    printf("%s", name);
    for (size_t i = 0; i < tensor_cells(row); i++)
        printf(" %g", row->values[i]);
}

static Trainer *make_trainer(const Lesson *lesson, size_t rounds) {
    Error error;
    TrainOptions options = lesson->training->options;
    options.epochs = (rounds + 1) * UPDATES;
    options.batch = 0;
    Trainer *trainer = lesson_trainer(lesson, lesson->arena, &options, &error);
    if (!trainer)
        fprintf(stderr, "%s\n", error.message);
    return trainer;
}

static double measure(Trainer *trainer) {
    double began = now();
    for (size_t i = 0; i < UPDATES; i++)
        trainer_update(trainer, NULL);
    return (now() - began) / UPDATES;
}

int main(int argc, char **argv) {
    static double times[ROUNDS_MAX];
    size_t rounds = argc == 3 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
    if (!rounds || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: train LESSON.yaml ROUNDS\n");
        return 2;
    }
    ErrorList errors = {0};
    Lesson *lesson = lesson_load(argv[1], &(LessonOptions){.untrained = true}, &errors);
    Trainer *trainer = lesson ? make_trainer(lesson, rounds) : NULL;
    if (!trainer) {
        error_list_print(&errors, stderr);
        lesson_destroy(lesson);
        return 1;
    }
    for (size_t i = 0; i < lesson->training->count; i++) {
        const TrainExample *example = &lesson->training->examples[i];
        print_row("source", &example->source);
        print_row(" target", &example->target);
        print_row(" expected", &example->expected);
        puts("");
    }
    measure(trainer);
    for (size_t i = 0; i < rounds; i++)
        times[i] = measure(trainer);
    qsort(times, rounds, sizeof *times, compare);
    printf("%.3f\n", times[rounds / 2]);
    lesson_destroy(lesson);
    return 0;
}
