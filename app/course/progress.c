#include "course/progress.h"

#include "files/folder.h"
#include "files/whole_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, COUNT_MAX = 1000000, MEMORY_MAX = 8 << 20 };

struct Progress {
    Arena *arena; /* the path's and the name's of a file set aside */
    const char *path, *aside;
    ProgressState state;
    json_t *root;         /* {"version": 1, "lessons": {ID: {…}}} */
    ProgressLesson found; /* what progress_of gave last */
};

const char *progress_path(Arena *arena) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && *data == '/')
        return arena_format(arena, "%s/glassformer/progress.json", data);
    if (!home || !*home)
        return NULL;
    return arena_format(arena, "%s/.local/share/glassformer/progress.json", home);
}

/* ---- reading ---- */

static json_t *empty_notes(void) {
    return json_pack("{s:i, s:{}}", "version", VERSION, "lessons");
}

static bool is_count(const json_t *lesson, const char *key) {
    const json_t *number = json_object_get(lesson, key);
    return json_is_integer(number) && json_integer_value(number) >= 0 &&
           json_integer_value(number) <= COUNT_MAX;
}

/* Whether this program could have written it. */
static bool are_notes(json_t *root) {
    json_t *lessons = json_object_get(root, "lessons"), *lesson;
    const char *id;
    if (!json_is_object(lessons) || !json_is_integer(json_object_get(root, "version")))
        return false;
    json_object_foreach(lessons, id, lesson) {
        if (!is_count(lesson, "rounds") || !is_count(lesson, "at_once") ||
            !is_count(lesson, "after_hints") || !is_count(lesson, "skipped"))
            return false;
    }
    return true;
}

/* Renames what can't be read; what can't be renamed stays, and is not written over. */
static void set_aside(Progress *progress) {
    const char *dot = strrchr(progress->path, '.');
    const char *slash = strrchr(progress->path, '/');
    size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - progress->path)
                                                 : strlen(progress->path);
    const char *folder =
        slash ? arena_copy(progress->arena, progress->path,
                           slash == progress->path ? 1 : (size_t)(slash - progress->path))
              : ".";
    const char *name =
        arena_format(progress->arena, "%.*s-damaged%s",
                     (int)(stem - (slash ? (size_t)(slash + 1 - progress->path) : 0)),
                     slash ? slash + 1 : progress->path, progress->path + stem);
    const char *aside =
        folder && name ? folder_unused_path(progress->arena, folder, name) : NULL;
    progress->state = PROGRESS_STUCK;
    if (!aside || rename(progress->path, aside) != 0)
        return;
    progress->state = PROGRESS_SET_ASIDE;
    progress->aside = aside;
}

/* The file's notes; NULL where it isn't there, or can't be used. */
static json_t *read_notes(Progress *progress) {
    errno = 0;
    FILE *file = fopen(progress->path, "r");
    if (!file && errno != ENOENT)
        progress->state = PROGRESS_STUCK;
    if (!file)
        return NULL;
    json_error_t error;
    json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    json_int_t version = json_integer_value(json_object_get(root, "version"));
    if (root && version > VERSION) {
        progress->state = PROGRESS_NEWER;
    } else if (root && are_notes(root)) {
        return root;
    } else {
        set_aside(progress);
    }
    json_decref(root);
    return NULL;
}

Progress *progress_open(const char *path) {
    Progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        return NULL;
    progress->arena = arena_create(MEMORY_MAX);
    progress->path =
        progress->arena ? arena_copy(progress->arena, path, strlen(path)) : NULL;
    progress->aside = "";
    if (progress->path)
        progress->root = read_notes(progress);
    if (progress->path && !progress->root)
        progress->root = empty_notes();
    if (progress->root)
        return progress;
    progress_close(progress);
    return NULL;
}

Progress *progress_open_own(void) {
    Arena *arena = arena_create(MEMORY_MAX);
    const char *path = arena ? progress_path(arena) : NULL;
    Progress *progress = path ? progress_open(path) : NULL;
    arena_destroy(arena);
    return progress;
}

void progress_close(Progress *progress) {
    if (!progress)
        return;
    json_decref(progress->root);
    arena_destroy(progress->arena);
    free(progress);
}

ProgressState progress_state(const Progress *progress) {
    return progress->state;
}

const char *progress_file(const Progress *progress) {
    return progress->path;
}

const char *progress_aside(const Progress *progress) {
    return progress->aside;
}

static size_t count_of(const json_t *lesson, const char *key) {
    return (size_t)json_integer_value(json_object_get(lesson, key));
}

const ProgressLesson *progress_of(Progress *progress, const char *id) {
    json_t *lessons = json_object_get(progress->root, "lessons");
    const json_t *lesson = json_object_get(lessons, id);
    if (!lesson)
        return NULL;
    progress->found = (ProgressLesson){.id = id,
                                       .rounds = count_of(lesson, "rounds"),
                                       .at_once = count_of(lesson, "at_once"),
                                       .after_hints = count_of(lesson, "after_hints"),
                                       .skipped = count_of(lesson, "skipped")};
    return &progress->found;
}

/* ---- writing ---- */

static bool write_notes(Progress *progress, Error *error) {
    char *text = json_dumps(progress->root, JSON_INDENT(2) | JSON_SORT_KEYS);
    if (!text)
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    const char *slash = strrchr(progress->path, '/');
    char *folder = slash && slash > progress->path
                       ? arena_copy(progress->arena, progress->path,
                                    (size_t)(slash - progress->path))
                       : NULL;
    WholeFile file;
    bool made = !folder || folder_make(folder, error);
    if (made) {
        whole_file_begin(&file, progress->path);
        whole_file_add(&file, text, strlen(text));
        whole_file_add(&file, "\n", 1);
        made = whole_file_end(&file, error);
    }
    free(text);
    return made;
}

/* What another window has noted since. */
static void read_again(Progress *progress) {
    if (progress->state == PROGRESS_SET_ASIDE)
        progress->state = PROGRESS_FINE;
    json_t *root = read_notes(progress);
    if (!root)
        return;
    json_decref(progress->root);
    progress->root = root;
}

bool progress_record(Progress *progress, const ProgressLesson *round, Error *error) {
    if (progress->state == PROGRESS_FINE || progress->state == PROGRESS_SET_ASIDE)
        read_again(progress);
    const ProgressLesson *before = progress_of(progress, round->id);
    size_t rounds = (before ? before->rounds : 0) + 1;
    json_t *lesson =
        json_pack("{s:I, s:I, s:I, s:I}", "rounds",
                  (json_int_t)(rounds < COUNT_MAX ? rounds : COUNT_MAX), "at_once",
                  (json_int_t)round->at_once, "after_hints",
                  (json_int_t)round->after_hints, "skipped", (json_int_t)round->skipped);
    if (json_object_set_new(json_object_get(progress->root, "lessons"), round->id,
                            lesson) != 0)
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    if (progress->state == PROGRESS_STUCK)
        return error_set(error, ERROR_FILE, 0, 0,
                         "'%s' is damaged and can't be set aside; nothing was written",
                         progress->path);
    if (progress->state == PROGRESS_NEWER)
        return error_set(error, ERROR_FILE, 0, 0,
                         "'%s' was written by a later version; it was left as it is",
                         progress->path);
    return write_notes(progress, error);
}
