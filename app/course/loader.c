#include "course/loader.h"

#include "base/error.h"
#include "base/number.h"
#include "files/files.h"
#include "lesson/content/choices.h"
#include "lesson/content/lesson.h"
#include "lesson/load/load.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct Loader {
    char *path, *text; /* text: NULL where there is none */
    LessonOptions options;
    LessonSwitches switches;
    LoaderWatch watch;
    bool postponed; /* until the lesson's files are there; only the owner reads it */
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    bool done, abandoned;
    Lesson *lesson;
    Player player;
    ErrorList errors;
};

static void loader_free(Loader *loader) {
    lesson_destroy(loader->lesson);
    pthread_cond_destroy(&loader->changed);
    pthread_mutex_destroy(&loader->lock);
    free(loader->path);
    free(loader->text);
    free(loader);
}

static void read_lesson(Loader *loader) {
    loader->lesson = lesson_load(loader->path, &loader->options, &loader->errors);
    if (!loader->lesson || player_init(&loader->player, loader->lesson))
        return;
    lesson_destroy(loader->lesson);
    loader->lesson = NULL;
    error_list_add(&loader->errors, ERROR_MEMORY, 0, 0,
                   "there is no memory for this lesson");
}

static void *run(void *data) {
    Loader *loader = data;
    number_take_point();
    read_lesson(loader);
    pthread_mutex_lock(&loader->lock);
    loader->done = true;
    bool abandoned = loader->abandoned;
    pthread_cond_broadcast(&loader->changed);
    if (!abandoned && loader->watch.done)
        loader->watch.done(loader->watch.context);
    pthread_mutex_unlock(&loader->lock);
    if (abandoned)
        loader_free(loader);
    return NULL;
}

/* Starts a detached thread. */
static bool start_thread(Loader *loader) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, loader) != 0)
        return false;
    pthread_detach(thread);
    return true;
}

/* Makes a condition that waits by the monotonic clock, which is never set. */
static void make_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* Begins to read, unless files are missing. */
static void begin(Loader *loader) {
    const LoaderWatch *watch = &loader->watch;
    loader->postponed = watch->ready && !watch->ready(watch->context, loader->path);
    if (!loader->postponed && !start_thread(loader))
        run(loader);
}

/* The options, with copies of what they point to. */
static void copy_options(Loader *loader, const LessonOptions *options) {
    loader->options = *options;
    loader->options.text = loader->text = options->text ? strdup(options->text) : NULL;
    if (!options->switches)
        return;
    loader->switches = *options->switches;
    loader->options.switches = &loader->switches;
}

Loader *loader_start(const char *path, const LessonOptions *options, LoaderWatch watch) {
    Loader *loader = calloc(1, sizeof *loader);
    if (!loader)
        return NULL;
    if (options)
        copy_options(loader, options);
    loader->options.store = &cache_of_trainings;
    loader->path = strdup(path);
    loader->watch = watch;
    pthread_mutex_init(&loader->lock, NULL);
    make_condition(&loader->changed);
    if (!loader->path || (options && options->text && !loader->text)) {
        loader_free(loader);
        return NULL;
    }
    begin(loader);
    return loader;
}

static struct timespec time_after(double milliseconds) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    double nanoseconds = (double)time.tv_nsec + milliseconds * 1e6;
    time.tv_sec += (time_t)(nanoseconds / 1e9);
    time.tv_nsec = (long)(nanoseconds - 1e9 * (double)(time_t)(nanoseconds / 1e9));
    return time;
}

bool loader_wait(Loader *loader, double milliseconds) {
    if (loader->postponed)
        begin(loader);
    if (loader->postponed)
        return false;
    struct timespec until = time_after(milliseconds);
    pthread_mutex_lock(&loader->lock);
    while (!loader->done &&
           pthread_cond_timedwait(&loader->changed, &loader->lock, &until) != ETIMEDOUT) {
    }
    bool done = loader->done;
    pthread_mutex_unlock(&loader->lock);
    return done;
}

Lesson *loader_take(Loader *loader, Player *player, ErrorList *errors) {
    if (loader->postponed)
        run(loader); /* its errors name what is missing */
    pthread_mutex_lock(&loader->lock);
    while (!loader->done)
        pthread_cond_wait(&loader->changed, &loader->lock);
    pthread_mutex_unlock(&loader->lock);
    Lesson *lesson = loader->lesson;
    loader->lesson = NULL;
    *player = loader->player;
    for (size_t i = 0; i < loader->errors.count; i++)
        error_list_append(errors, &loader->errors.items[i], 0, 0);
    errors->dropped += loader->errors.dropped;
    loader_free(loader);
    return lesson;
}

void loader_abandon(Loader *loader) {
    if (!loader)
        return;
    pthread_mutex_lock(&loader->lock);
    bool done = loader->done || loader->postponed;
    loader->abandoned = true;
    pthread_mutex_unlock(&loader->lock);
    if (done)
        loader_free(loader);
}
