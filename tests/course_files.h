/* Files that the program draws with, read from the source folder: strings, themes, and
 * all lessons, including those in tests/lessons that are made to be hard to draw. */
#pragma once

#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/load/load.h"
#include "lesson/read/lesson_files.h"
#include "picture/scene/theme.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COURSE_LESSONS_MAX = 100, COURSE_PATH_SIZE = 1024 };

typedef struct CourseFiles {
    Arena *arena;
    Languages languages;
    const Language *language; /* the default */
    Themes themes;
    size_t count;
    Lesson *lessons[COURSE_LESSONS_MAX];
} CourseFiles;

/* A path within the source folder. */
static inline const char *course_path(char path[COURSE_PATH_SIZE], const char *within) {
    const char *source = getenv("GLASSFORMER_SOURCE");
    if (!source) {
        fail_msg("GLASSFORMER_SOURCE is not set: it is the source folder, where %s is",
                 within);
        return ""; /* not reached */
    }
    snprintf(path, COURSE_PATH_SIZE, "%s/%s", source, within);
    return path;
}

static inline void course_load_lesson(CourseFiles *files, const char *within) {
    char path[COURSE_PATH_SIZE];
    ErrorList errors = {0};
    assert_true(files->count < COURSE_LESSONS_MAX);
    Lesson *lesson = lesson_load(course_path(path, within), NULL, &errors);
    if (!lesson) {
        error_list_print(&errors, stderr);
        fail_msg("%s can't be read: %s", within,
                 errors.count ? errors.items[0].message : "there is no memory");
    }
    files->lessons[files->count++] = lesson;
}

static inline int course_compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Every lesson of a folder, in the order of their names. */
static inline void course_load_folder(CourseFiles *files, const char *folder) {
    char path[COURSE_PATH_SIZE];
    char *names[COURSE_LESSONS_MAX];
    size_t count = 0;
    DIR *listing = opendir(course_path(path, folder));
    assert_non_null(listing);
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        const char *ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".yaml") != 0)
            continue;
        assert_true(count < COURSE_LESSONS_MAX);
        names[count] = malloc(strlen(folder) + strlen(entry->d_name) + 2);
        assert_non_null(names[count]);
        sprintf(names[count++], "%s/%s", folder, entry->d_name);
    }
    closedir(listing);
    qsort(names, count, sizeof *names, course_compare);
    for (size_t i = 0; i < count; i++) {
        course_load_lesson(files, names[i]);
        free(names[i]);
    }
}

static inline void course_begin(CourseFiles *files) {
    char path[COURSE_PATH_SIZE];
    ErrorList errors = {0};
    *files = (CourseFiles){.arena = arena_create(64 << 20)};
    assert_non_null(files->arena);
    bool good = languages_load(&files->languages, files->arena,
                               course_path(path, "assets/strings"), NULL, &errors) &&
                themes_load(files->arena, course_path(path, "assets/themes.yaml"),
                            &files->themes, &errors);
    if (!good)
        error_list_print(&errors, stderr);
    assert_true(good);
    files->language = files->languages.items[0];
}

static inline const Language *course_language(const CourseFiles *files,
                                              const char *code) {
    const Language *language = languages_lookup(&files->languages, code);
    assert_non_null(language);
    return language;
}

static inline void course_finish(CourseFiles *files) {
    for (size_t i = 0; i < files->count; i++)
        lesson_destroy(files->lessons[i]);
    arena_destroy(files->arena);
}

/* A group's files, as cmocka's functions that set them up and tear them down: without
 * lessons, with the course's, and with those, too, that are hard to draw. */
static inline int course_set_up(void **state) {
    CourseFiles *files = calloc(1, sizeof *files);
    assert_non_null(files);
    *state = files;
    course_begin(files);
    return 0;
}

static inline int course_set_up_lessons(void **state) {
    course_set_up(state);
    course_load_folder(*state, "lessons");
    return 0;
}

static inline int course_set_up_all(void **state) {
    course_set_up_lessons(state);
    course_load_folder(*state, "tests/lessons");
    return 0;
}

static inline int course_tear_down(void **state) {
    if (*state) /* else setting up has failed */
        course_finish(*state);
    free(*state);
    return 0;
}
