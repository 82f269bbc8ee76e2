#include "course/notes.h"

#include <string.h>

enum { COUNT_MAX = 1000000 };

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

const NotesKind notes_of_progress = {
    .name = "progress.json", .version = 1, .is = are_rounds};

static size_t count_of(const json_t *lesson, const char *key) {
    return (size_t)json_integer_value(json_object_get(lesson, key));
}

static json_t *answers_of(const Notes *progress, const char *id) {
    json_t *lesson = json_object_get(notes_lessons(progress), id);
    return json_object_get(lesson, "answers");
}

static bool is_own_answer(const json_t *how) {
    const char *text = json_string_value(how);
    return text && strcmp(text, "shown") != 0;
}

bool progress_has_answer(const Notes *progress, const char *id, const char *path) {
    return is_own_answer(json_object_get(answers_of(progress, id), path));
}

static size_t count_answers(const Notes *progress, const char *id) {
    size_t count = 0;
    const char *path;
    json_t *how;
    json_object_foreach(answers_of(progress, id), path, how) {
        count += is_own_answer(how);
    }
    return count;
}

ProgressLesson progress_of(const Notes *progress, const char *id) {
    const json_t *lesson = progress ? json_object_get(notes_lessons(progress), id) : NULL;
    if (!lesson)
        return (ProgressLesson){0};
    return (ProgressLesson){.id = id,
                            .rounds = count_of(lesson, "rounds"),
                            .at_once = count_of(lesson, "at_once"),
                            .after_hints = count_of(lesson, "after_hints"),
                            .skipped = count_of(lesson, "skipped"),
                            .answered = count_answers(progress, id)};
}

/* ---- writing ---- */

/* A lesson's notes, begun where there are none; NULL without memory. */
static json_t *notes_of(const Notes *progress, const char *id) {
    json_t *lessons = notes_lessons(progress), *lesson = json_object_get(lessons, id);
    if (lesson)
        return lesson;
    lesson = json_pack("{s:i, s:i, s:i, s:i}", "rounds", 0, "at_once", 0, "after_hints",
                       0, "skipped", 0);
    return json_object_set_new(lessons, id, lesson) == 0 ? lesson : NULL;
}

static bool end(Notes *progress, bool begun, bool noted, Error *error) {
    if (begun && !notes_end(progress, error))
        return false;
    if (begun && !noted)
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    return begun;
}

bool progress_record(Notes *progress, const ProgressLesson *round, Error *error) {
    bool begun = notes_begin(progress, error);
    json_t *lesson = notes_of(progress, round->id);
    size_t rounds = count_of(lesson, "rounds") + 1;
    json_t *fresh =
        json_pack("{s:I, s:I, s:I, s:I}", "rounds",
                  (json_int_t)(rounds < COUNT_MAX ? rounds : COUNT_MAX), "at_once",
                  (json_int_t)round->at_once, "after_hints",
                  (json_int_t)round->after_hints, "skipped", (json_int_t)round->skipped);
    bool noted = lesson && json_object_update(lesson, fresh) == 0;
    json_decref(fresh);
    return end(progress, begun, noted, error);
}

bool progress_answer(Notes *progress, const char *id, const char *path, const char *how,
                     Error *error) {
    bool begun = notes_begin(progress, error);
    json_t *lesson = notes_of(progress, id);
    json_t *answers = lesson ? json_object_get(lesson, "answers") : NULL;
    if (lesson && !json_is_object(answers)) {
        json_object_set_new(lesson, "answers", json_object());
        answers = json_object_get(lesson, "answers");
    }
    bool noted = answers && json_object_set_new(answers, path, json_string(how)) == 0;
    return end(progress, begun, noted, error);
}
