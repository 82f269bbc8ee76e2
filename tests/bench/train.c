/* How long an update of a lesson's training takes:
 *   train LESSON.yaml ROUNDS
 * Prints the IDs of the batch, one line "source … target … expected …" an example, and
 * then the medians of ROUNDS times 100 updates, in seconds of the processor and in
 * seconds that passed, of one update. */
#include "model/learn/train.h"

#include "base/error.h"
#include "lesson/content/content.h"
#include "lesson/load/load.h"
#include "lesson/model/learning.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS_MAX = 10000, UPDATES = 100 };

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
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

static void measure(Trainer *trainer, double *cpu, double *wall) {
    double used = now(CLOCK_PROCESS_CPUTIME_ID), began = now(CLOCK_MONOTONIC);
    for (size_t i = 0; i < UPDATES; i++)
        trainer_update(trainer, NULL);
    *cpu = (now(CLOCK_PROCESS_CPUTIME_ID) - used) / UPDATES;
    *wall = (now(CLOCK_MONOTONIC) - began) / UPDATES;
}

int main(int argc, char **argv) {
    static double cpu[ROUNDS_MAX], wall[ROUNDS_MAX];
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
    measure(trainer, cpu, wall);
    for (size_t i = 0; i < rounds; i++)
        measure(trainer, &cpu[i], &wall[i]);
    qsort(cpu, rounds, sizeof *cpu, compare);
    qsort(wall, rounds, sizeof *wall, compare);
    printf("%.9f %.9f\n", cpu[rounds / 2], wall[rounds / 2]);
    lesson_destroy(lesson);
    return 0;
}
