#include "course/progress.h"

#include <stdlib.h>

enum { COUNT_MAX = 1000000, PATH_MEMORY = 1 << 16 };

struct Progress {
    Notes *notes;         /* "lessons": {ID: {"rounds": …}} */
    ProgressLesson found; /* what progress_of gave last */
};

/* ---- reading ---- */

static bool is_count(const json_t *lesson, const char *key) {
    const json_t *number = json_object_get(lesson, key);
    return json_is_integer(number) && json_integer_value(number) >= 0 &&
           json_integer_value(number) <= COUNT_MAX;
}

static bool are_rounds(json_t *lessons) {
    const char *id;
    json_t *lesson;
    json_object_foreach(lessons, id, lesson) {
        if (!is_count(lesson, "rounds") || !is_count(lesson, "at_once") ||
            !is_count(lesson, "after_hints") || !is_count(lesson, "skipped"))
            return false;
    }
    return true;
}

Progress *progress_open(const char *path) {
    static const NotesKind kind = {.version = 1, .is = are_rounds};
    Progress *progress = calloc(1, sizeof *progress);
    if (!progress)
        return NULL;
    progress->notes = notes_open(path, &kind);
    if (progress->notes)
        return progress;
    free(progress);
    return NULL;
}

Progress *progress_open_own(void) {
    Arena *arena = arena_create(PATH_MEMORY);
    const char *path = arena ? notes_path(arena, "progress.json") : NULL;
    Progress *progress = path ? progress_open(path) : NULL;
    arena_destroy(arena);
    return progress;
}

void progress_close(Progress *progress) {
    if (!progress)
        return;
    notes_close(progress->notes);
    free(progress);
}

const Notes *progress_notes(const Progress *progress) {
    return progress->notes;
}

static size_t count_of(const json_t *lesson, const char *key) {
    return (size_t)json_integer_value(json_object_get(lesson, key));
}

const ProgressLesson *progress_of(Progress *progress, const char *id) {
    const json_t *lesson = json_object_get(notes_lessons(progress->notes), id);
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

bool progress_record(Progress *progress, const ProgressLesson *round, Error *error) {
    bool begun = notes_begin(progress->notes, error);
    const ProgressLesson *before = progress_of(progress, round->id);
    size_t rounds = (before ? before->rounds : 0) + 1;
    json_t *lesson =
        json_pack("{s:I, s:I, s:I, s:I}", "rounds",
                  (json_int_t)(rounds < COUNT_MAX ? rounds : COUNT_MAX), "at_once",
                  (json_int_t)round->at_once, "after_hints",
                  (json_int_t)round->after_hints, "skipped", (json_int_t)round->skipped);
    bool noted =
        json_object_set_new(notes_lessons(progress->notes), round->id, lesson) == 0;
    if (begun && !notes_end(progress->notes, error))
        return false;
    if (begun && !noted)
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    return begun;
}
