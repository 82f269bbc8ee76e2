#include "course/notes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* {"version": 1, "last": KEY, "language": …, "recent": [PATH, …], "lessons": {KEY:
 * {"path": "3.1", "seen": ["1", …], "draft": {…}}}} */
static bool are_places(json_t *lessons) {
    const char *key;
    json_t *lesson;
    json_object_foreach(lessons, key, lesson) {
        if (!json_is_object(lesson))
            return false;
    }
    return true;
}

/* ---- putting together ---- */

static bool has_text(const json_t *list, const char *text) {
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item) {
        if (json_is_string(item) && strcmp(json_string_value(item), text) == 0)
            return true;
    }
    return false;
}

/* Puts texts behind those of a list that it hasn't got. */
static void unite(json_t *list, const json_t *more) {
    size_t i;
    json_t *item;
    json_array_foreach(more, i, item) {
        if (json_is_string(item) && !has_text(list, json_string_value(item)))
            json_array_append(list, item);
    }
}

/* Puts texts before those of a list, each once, and no more of them than there may be. */
static void put_first(json_t *list, const json_t *first) {
    json_t *old = json_copy(list);
    json_array_clear(list);
    unite(list, first);
    unite(list, old);
    json_decref(old);
    while (json_array_size(list) > MEMORY_RECENT_MOST)
        json_array_remove(list, json_array_size(list) - 1);
}

static json_t *list_in(json_t *object, const char *key) {
    json_t *list = json_object_get(object, key);
    if (!json_is_array(list)) {
        json_object_set_new(object, key, json_array());
        list = json_object_get(object, key);
    }
    return list;
}

static json_t *object_in(json_t *object, const char *key) {
    json_t *inner = json_object_get(object, key);
    if (!json_is_object(inner)) {
        json_object_set_new(object, key, json_object());
        inner = json_object_get(object, key);
    }
    return inner;
}

/* Merges new notes into the stored ones: values are replaced, lists grow. */
static void merge(json_t *into, json_t *noted) {
    const char *key;
    json_t *value;
    json_object_foreach(noted, key, value) {
        if (strcmp(key, "seen") == 0)
            unite(list_in(into, key), value);
        else if (strcmp(key, "recent") == 0)
            put_first(list_in(into, key), value);
        else if (json_is_null(value))
            json_object_del(into, key);
        else
            json_object_set(into, key, value);
    }
}

static void merge_all(json_t *root, json_t *noted) {
    json_t *lessons = json_object_get(noted, "lessons"), *lesson;
    json_t *rest = json_copy(noted);
    const char *key;
    json_object_del(rest, "lessons");
    merge(root, rest);
    json_decref(rest);
    json_object_foreach(lessons, key, lesson)
        merge(object_in(object_in(root, "lessons"), key), lesson);
}

const NotesKind notes_of_memory = {
    .name = "memory.json", .version = 1, .is = are_places, .merge = merge_all};

/* ---- what is noted ---- */

static json_t *lesson_at(const Notes *memory, const char *key) {
    return json_object_get(notes_lessons(memory), key);
}

/* How many of a lesson's steps are among those noted: it may have had others before. */
static size_t count_seen(const json_t *noted, size_t steps) {
    size_t count = 0, i;
    json_t *step;
    json_array_foreach(json_object_get(noted, "seen"), i, step) {
        const char *path = json_string_value(step);
        unsigned long number = path ? strtoul(path, NULL, 10) : 0;
        count += number >= 1 && number <= steps;
    }
    return count;
}

bool memory_place(const Notes *memory, const char *lesson, MemoryPlace *place) {
    const json_t *noted = lesson_at(memory, lesson),
                 *cell = json_object_get(noted, "cell");
    const char *path = json_string_value(json_object_get(noted, "path"));
    json_int_t steps = json_integer_value(json_object_get(noted, "steps"));
    if (!path)
        return false;
    *place = (MemoryPlace){
        .lesson = lesson,
        .path = path,
        .cell = json_is_integer(cell) ? (size_t)json_integer_value(cell) : SIZE_MAX,
        .step = strtoul(path, NULL, 10),
        .steps = steps > 0 ? (size_t)steps : 0,
        .seen = count_seen(noted, steps > 0 ? (size_t)steps : 0)};
    return true;
}

bool memory_last(const Notes *memory, MemoryPlace *place) {
    const char *last = memory_text(memory, "last");
    return last && memory_place(memory, last, place);
}

bool memory_draft(const Notes *memory, const char *lesson, MemoryDraft *draft) {
    const json_t *noted = json_object_get(lesson_at(memory, lesson), "draft");
    const char *day = json_string_value(json_object_get(noted, "day"));
    *draft =
        (MemoryDraft){.changes = json_string_value(json_object_get(noted, "changes")),
                      .modified = json_is_true(json_object_get(noted, "varies")),
                      .bare = json_is_true(json_object_get(noted, "bare")),
                      .day = day ? day : ""};
    return draft->changes != NULL;
}

const char *memory_text(const Notes *memory, const char *what) {
    return json_string_value(json_object_get(notes_root(memory), what));
}

bool memory_window(const Notes *memory, MemoryWindow *window) {
    json_t *noted = json_object_get(notes_root(memory), "window");
    int maximized = 0;
    *window = (MemoryWindow){0};
    bool read = json_unpack(noted, "{s:i, s:i, s:i, s:i, s:b}", "x", &window->x, "y",
                            &window->y, "width", &window->width, "height",
                            &window->height, "maximized", &maximized) == 0;
    window->maximized = maximized;
    return read && window->width > 0 && window->height > 0;
}

const char *memory_recent(const Notes *memory, size_t index) {
    return json_string_value(
        json_array_get(json_object_get(notes_root(memory), "recent"), index));
}

/* ---- noting ---- */

/* Notes a value of a lesson's, or (NULL) of none; null takes it away. False where it is
 * noted already. The value is taken. */
static bool note(Notes *memory, const char *lesson, const char *key, json_t *value) {
    json_t *root = notes_root(memory), *noted = notes_noted(memory);
    if (lesson)
        root = object_in(notes_lessons(memory), lesson);
    const json_t *before = json_object_get(root, key);
    if (before ? json_equal(before, value) : json_is_null(value)) {
        json_decref(value);
        return false;
    }
    if (lesson)
        noted = object_in(object_in(noted, "lessons"), lesson);
    json_object_set(noted, key, value);
    if (json_is_null(value))
        json_object_del(root, key);
    else
        json_object_set(root, key, value);
    json_decref(value);
    return true;
}

/* The step is the path up to its first dot. */
static void note_seen(Notes *memory, const MemoryPlace *place) {
    json_t *step = json_stringn(place->path, strcspn(place->path, "."));
    json_t *seen = list_in(lesson_at(memory, place->lesson), "seen");
    if (step && !has_text(seen, json_string_value(step))) {
        json_t *lessons = object_in(notes_noted(memory), "lessons");
        json_array_append(seen, step);
        json_array_append(list_in(object_in(lessons, place->lesson), "seen"), step);
    }
    json_decref(step);
}

void memory_note_place(Notes *memory, const MemoryPlace *place) {
    const char *key = place->lesson;
    bool on_cell = place->cell != SIZE_MAX;
    bool moved = note(memory, key, "path", json_string(place->path));
    moved |= note(memory, key, "cell",
                  on_cell ? json_integer((json_int_t)place->cell) : json_null());
    if (!note(memory, NULL, "last", json_string(key)) && moved) /* not another window's */
        json_object_set_new(notes_noted(memory), "last", json_string(key));
    note(memory, key, "steps", json_integer((json_int_t)place->steps));
    if (!place->passes)
        note_seen(memory, place);
}

void memory_note_draft(Notes *memory, const char *lesson, const MemoryDraft *draft) {
    MemoryDraft before;
    bool had = memory_draft(memory, lesson, &before);
    if (!draft)
        note(memory, lesson, "draft", json_null());
    else if (!had || before.modified != draft->modified || before.bare != draft->bare ||
             strcmp(before.changes, draft->changes) != 0)
        note(memory, lesson, "draft",
             json_pack("{s:s, s:b, s:b, s:s}", "changes", draft->changes, "varies",
                       draft->modified, "bare", draft->bare, "day", draft->day));
}

void memory_note_text(Notes *memory, const char *what, const char *text) {
    note(memory, NULL, what, json_string(text));
}

void memory_note_window(Notes *memory, const MemoryWindow *window) {
    note(memory, NULL, "window",
         json_pack("{s:i, s:i, s:i, s:i, s:b}", "x", window->x, "y", window->y, "width",
                   window->width, "height", window->height, "maximized",
                   window->maximized));
}

void memory_note_opened(Notes *memory, const char *path) {
    const char *latest = memory_recent(memory, 0);
    json_t *paths = json_pack("[s]", path);
    if (!latest || strcmp(latest, path) != 0) {
        put_first(list_in(notes_root(memory), "recent"), paths);
        put_first(list_in(notes_noted(memory), "recent"), paths);
    }
    json_decref(paths);
}
