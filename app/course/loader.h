/* A loader: one lesson being read in a thread of its own.
 *
 * The owner takes the lesson once it has been read, or abandons the loader; an
 * abandoned loader frees itself when its thread ends. A loader shares nothing with the
 * rest of the program, so that it may end after everything else. */
#pragma once

#include "lesson/play/player.h"

typedef struct ErrorList ErrorList;
typedef struct LessonOptions LessonOptions;
typedef struct Loader Loader;

/* Functions of the owner that a loader calls. */
typedef struct LoaderWatch {
    /* Called from the loader's thread when the lesson is there, or can't be had; never
     * after loader_abandon. NULL: no call. */
    void (*done)(void *context);
    /* Returns true if all files that a lesson reads are there; else has them fetched, and
     * is asked again by loader_wait. NULL: they are. */
    bool (*ready)(void *context, const char *path);
    void *context;
} LoaderWatch;

/* Begins to read a lesson, with options or NULL; all of it is
 * copied. Where no thread can be had it is read at once; where the watch says that files
 * are missing, by the first call that finds them. NULL when there is no memory.
 * The caller finishes it by loader_take or loader_abandon. */
Loader *loader_start(const char *path, const LessonOptions *options, LoaderWatch watch);

/* Waits for the lesson for at most so many milliseconds, and not at all for missing
 * files; true if it has been read. */
bool loader_wait(Loader *loader, double milliseconds);

/* Waits for the lesson, but not for missing files, and returns it with a player on its
 * first step, or NULL with at least one error if it can't be read. The errors' `file`
 * isn't set. The loader is destroyed; the caller destroys the lesson. */
Lesson *loader_take(Loader *loader, Player *player, ErrorList *errors);

/* Abandons a loader whose lesson is not needed. NULL is fine. */
void loader_abandon(Loader *loader);
