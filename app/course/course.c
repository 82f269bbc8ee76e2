#include "course/course.h"

#include "base/array.h"
#include "base/strings/glossary.h"
#include "base/user_folder.h"
#include "files/files.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/load/load.h"
#include "lesson/read/lesson_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COURSE_MAX_MEMORY = 64 << 20, ROOM_FOR_NEW = 64 };

static bool find_folder(Course *course, ErrorList *errors) {
    char folder[DATA_FOLDER_SIZE];
    Error error;
    if (!data_folder_find(folder, &error))
        return error_list_append(errors, &error, 0, 0);
    course->folder = arena_copy(course->arena, folder, strlen(folder));
    return course->folder ||
           error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
}

/* ---- the lessons' files ---- */

static bool ends_in(const char *name, const char *ending) {
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

/* The length of a lesson's id in its file's name; 0 for any other file. */
static size_t id_length(const char *file) {
    static const char ending[] = ".yaml";
    bool is_lesson = file[0] != '.' && ends_in(file, ending) && !playlist_is_file(file);
    return is_lesson ? strlen(file) - strlen(ending) : 0;
}

static int compare_ids(const void *a, const void *b) {
    return strcmp(((const CourseLesson *)a)->id, ((const CourseLesson *)b)->id);
}

static bool add_lesson(void *context, const char *folder, const char *name) {
    Course *course = context;
    if (!id_length(name))
        return true;
    CourseLesson *lessons = array_reserve(course->arena, course->lessons, course->all,
                                          &course->room, sizeof *lessons);
    if (!lessons)
        return false;
    course->lessons = lessons;
    CourseLesson *lesson = &course->lessons[course->all++];
    lesson->id = lesson_id(course->arena, name);
    lesson->path = arena_format(course->arena, "%s/%s", folder, name);
    return lesson->id && lesson->path;
}

/* Adds the lessons of a folder, sorted; all of them or, with an error, none. */
static bool add_lessons(Course *course, const char *folder, Error *error) {
    size_t first = course->all;
    if (!folder_each(folder, add_lesson, course, error)) {
        course->all = first;
        return false;
    }
    if (course->all > first)
        qsort(course->lessons + first, course->all - first, sizeof *course->lessons,
              compare_ids);
    return true;
}

static bool no_memory_for_list(ErrorList *errors) {
    return error_list_add(errors, ERROR_MEMORY, 0, 0,
                          "there is no memory for the list of lessons");
}

static bool list_lessons(Course *course, ErrorList *errors) {
    Error error;
    const char *folder = arena_format(course->arena, "%s/lessons", course->folder);
    if (!folder)
        return no_memory_for_list(errors);
    if (!add_lessons(course, folder, &error))
        return error_list_append(errors, &error, 0, 0);
    course->count = course->all;
    if (!course->count)
        return error_list_add(errors, ERROR_FILE, 0, 0,
                              "the folder '%s' has no lesson; a lesson is a file whose "
                              "name ends in .yaml",
                              folder);
    return true;
}

/* Adds the lessons in the user's folder, unless that is the course's own, and room for
 * more, so that entries don't move when one is saved. */
static bool list_users_lessons(Course *course, ErrorList *errors) {
    const char *folder = folder_of_user(course->arena, "lessons");
    const char *listed = arena_format(course->arena, "%s/lessons", course->folder);
    Error error;
    if (folder && listed && !file_is_same(folder, listed) &&
        !add_lessons(course, folder, &error))
        course_note_missing(course, NULL, &error, 1);
    size_t room = course->all + ROOM_FOR_NEW;
    CourseLesson *lessons = arena_alloc(course->arena, room, sizeof *lessons);
    if (!lessons)
        return no_memory_for_list(errors);
    memcpy(lessons, course->lessons, course->all * sizeof *lessons);
    course->lessons = lessons;
    course->room = room;
    return true;
}

size_t course_of_file(const Course *course, const char *path) {
    size_t i = course->count;
    while (i < course->all && !file_is_same(course->lessons[i].path, path))
        i++;
    return i;
}

bool course_add_file(Course *course, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (access(path, R_OK) != 0 || !id_length(name) || course->all == course->room ||
        course_of_file(course, path) < course->all)
        return false;
    CourseLesson *lesson = &course->lessons[course->all];
    *lesson = (CourseLesson){.id = lesson_id(course->arena, name),
                             .path = arena_copy(course->arena, path, strlen(path))};
    if (!lesson->id || !lesson->path)
        return false;
    course->all++;
    return true;
}

bool course_add(Course *course, const char *path) {
    const char *folder = folder_of_user(course->arena, "lessons");
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    bool users = folder && strlen(folder) == length && memcmp(folder, path, length) == 0;
    return users && course_add_file(course, path);
}

/* The glossary of a language has its code; without one it is the default's. */
static bool load_glossaries(Course *course, ErrorList *errors) {
    Languages words;
    const Languages *languages = &course->languages;
    const char *folder =
        arena_format(course->arena, "%s/assets/glossary", course->folder);
    Glossary *glossaries =
        arena_alloc(course->arena, languages->count, sizeof *glossaries);
    if (!folder || !glossaries)
        return error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
    if (!languages_load(&words, course->arena, folder,
                        folder_of_user(course->arena, "glossary"), errors))
        return false;
    for (size_t i = 0; i < languages->count; i++) {
        const Language *own = languages_lookup(&words, languages->items[i]->code);
        glossaries[i] = glossary_of(own ? own : words.items[0], course->arena);
    }
    course->glossaries = glossaries;
    return true;
}

const Glossary *course_glossary(const Course *course, const Language *language) {
    size_t i = 0;
    while (i + 1 < course->languages.count && course->languages.items[i] != language)
        i++;
    return &course->glossaries[i];
}

bool course_init(Course *course, ErrorList *errors) {
    *course = (Course){.arena = arena_create(COURSE_MAX_MEMORY)};
    if (!course->arena)
        return error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
    if (!find_folder(course, errors) || !list_lessons(course, errors) ||
        !list_users_lessons(course, errors))
        return false;
    const char *strings =
        arena_format(course->arena, "%s/assets/strings", course->folder);
    const char *themes =
        arena_format(course->arena, "%s/assets/themes.yaml", course->folder);
    if (!strings || !themes)
        return error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
    if (!languages_load(&course->languages, course->arena, strings,
                        folder_of_user(course->arena, "strings"), errors))
        return false;
    course->language = course->languages.items[0];
    if (!load_glossaries(course, errors))
        return false;
    return themes_load(course->arena, themes, &course->themes, errors);
}

const Course *course_first_unit(const Course *course) {
    while (course->id)
        course = course->next;
    return course->next;
}

void course_lesson_finish(CourseLesson *entry) {
    lesson_destroy(entry->lesson);
    lesson_destroy(entry->own);
    entry->lesson = entry->own = NULL;
}

static void finish_lessons(Course *course) {
    for (size_t i = 0; i < course->all; i++)
        course_lesson_finish(&course->lessons[i]);
}

void course_finish(Course *course) {
    for (Course *unit = course->next; unit && unit != course; unit = unit->next)
        finish_lessons(unit);
    finish_lessons(course);
    arena_destroy(course->arena);
    *course = (Course){0};
}

/* ---- one lesson ---- */

/* The lesson of the course that has a number, "7" or "07"; course->all for none. */
static size_t find_number(const Course *course, const char *text) {
    size_t digits = strspn(text, "0123456789");
    if (!digits || text[digits])
        return course->all;
    unsigned long number = strtoul(text, NULL, 10);
    for (size_t i = 0; i < course->count; i++) {
        const char *id = course->lessons[i].id;
        if (strspn(id, "0123456789") && strtoul(id, NULL, 10) == number)
            return i;
    }
    return course->all;
}

size_t course_find(const Course *course, const char *id) {
    for (size_t i = 0; i < course->all; i++) {
        if (strcmp(course->lessons[i].id, id) == 0)
            return i;
    }
    return find_number(course, id);
}

const char *course_name(const Course *course, size_t index) {
    const CourseLesson *lesson = &course->lessons[index];
    return course_find(course, lesson->id) == index ? lesson->id : lesson->path;
}

/* The lesson that is meant by its name alone, "one-head". */
static const char *id_by_part(const Course *course, const char *part) {
    for (size_t i = 0; i < course->count; i++) {
        const char *id = course->lessons[i].id, *dash = strchr(id, '-');
        if (dash && strcmp(dash + 1, part) == 0)
            return id;
    }
    return NULL;
}

const char *course_nearest(const Course *course, const char *id) {
    const char *by_part = id_by_part(course, id);
    if (by_part)
        return by_part;
    const char **ids = malloc(course->all * sizeof *ids);
    if (!ids)
        return NULL;
    for (size_t i = 0; i < course->all; i++)
        ids[i] = course->lessons[i].id;
    const char *nearest = error_nearest(id, ids, course->all);
    free(ids);
    return nearest;
}

void course_note_missing(Course *course, const char *file, const Error *errors,
                         size_t count) {
    for (size_t i = 0; i < count && !course->missing_data.code; i++) {
        if (errors[i].code == ERROR_MEMORY || errors[i].code == ERROR_FILE)
            error_set(&course->missing_data, errors[i].code, 0, 0, "%s%s%s",
                      file ? file : "", file ? ": " : "", errors[i].message);
    }
}

bool course_is_whole(const Course *course, Error *error) {
    if (!course->missing_data.code && arena_exhausted(course->arena))
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for the lessons");
    *error = course->missing_data;
    return !error->code;
}

Lesson *course_load(const Course *course, const char *path, const LessonOptions *options,
                    ErrorList *errors) {
    LessonOptions with_work = options ? *options : (LessonOptions){0};
    with_work.work = course->work;
    with_work.store = &cache_of_trainings;
    return lesson_load(path, &with_work, errors);
}

Lesson *course_lesson(Course *course, size_t index, ErrorList *errors) {
    CourseLesson *entry = &course->lessons[index];
    if (!entry->tried) {
        entry->tried = true;
        entry->lesson = course_load(course, entry->path, NULL, errors);
        if (entry->lesson && !player_init(&entry->player, entry->lesson)) {
            course_lesson_finish(entry);
            error_list_add(errors, ERROR_MEMORY, 0, 0,
                           "there is no memory for this lesson");
        }
        course_note_missing(course, entry->path, errors->items, errors->count);
    }
    return entry->lesson;
}

/* Copies a head into the course's arena. */
static void keep_head(Course *course, CourseLesson *entry, const LessonHead *head) {
    LessonHead kept = *head;
    kept.title = text_copy(&head->title, course->arena);
    kept.part =
        text_is_empty(&entry->part) ? text_copy(&head->part, course->arena) : entry->part;
    kept.goal = text_copy(&head->goal, course->arena);
    if (!arena_exhausted(course->arena))
        entry->head = kept;
}

/* Copies contents into the course's arena. */
static void keep_contents(Course *course, CourseLesson *entry,
                          const LessonContents *contents) {
    const char *words =
        arena_copy(course->arena, contents->words, strlen(contents->words));
    if (words)
        entry->contents = (LessonContents){contents->questions, words};
}

/* Reads a part of an entry's file without computing the lesson. */
static void read_entry(Course *course, CourseLesson *entry, bool contents) {
    ErrorList errors = {0};
    Arena *arena = arena_create(COURSE_MAX_MEMORY);
    LessonHead head;
    LessonContents found;
    if (!arena)
        error_list_add(&errors, ERROR_MEMORY, 0, 0, "there is no memory");
    else if (contents && lesson_read_contents(&found, entry->path, arena, &errors))
        keep_contents(course, entry, &found);
    else if (!contents && lesson_read_head(&head, entry->path, arena, &errors))
        keep_head(course, entry, &head);
    course_note_missing(course, entry->path, errors.items, errors.count);
    arena_destroy(arena);
}

const LessonHead *course_head(Course *course, size_t index) {
    CourseLesson *entry = &course->lessons[index];
    if (!entry->head_read)
        read_entry(course, entry, false);
    entry->head_read = true;
    return &entry->head;
}

const LessonContents *course_contents(Course *course, size_t index) {
    CourseLesson *entry = &course->lessons[index];
    if (!entry->contents_read) {
        entry->contents = (LessonContents){.words = ""};
        read_entry(course, entry, true);
    }
    entry->contents_read = true;
    return &entry->contents;
}

size_t course_touring(Course *course) {
    size_t i = 0;
    while (i < course->count && !course_head(course, i)->tours)
        i++;
    return i;
}

size_t course_beginning(Course *course) {
    for (size_t i = 0; i < course->count; i++) {
        if (course_head(course, i)->begins)
            return i;
    }
    return 0;
}

/* The lesson that all others follow. */
static size_t first_of(Course *course) {
    return course->id ? 0 : course_beginning(course);
}

size_t course_after(Course *course, size_t index) {
    size_t first = first_of(course);
    size_t after = index == first ? 0 : index + 1;
    after += after == first;
    return after < course->count ? after : course->count;
}

size_t course_before(Course *course, size_t index) {
    size_t first = first_of(course);
    size_t skipped = index && index - 1 == first;
    if (index == first)
        return course->count;
    return index > skipped ? index - 1 - skipped : first;
}

const char *course_title(Course *course, size_t index, const Language *language) {
    const char *title = text_in(&course_head(course, index)->title, language);
    return title[0] ? title : course->lessons[index].id;
}

const char *course_needs(Course *course, const Lesson *lesson, const Language *language,
                         Arena *arena) {
    const char *needs = "";
    for (size_t i = 0; needs && i < lesson->need_count; i++) {
        size_t index = course_find(course, lesson->needs[i]);
        const char *title = index < course->all ? course_title(course, index, language)
                                                : lesson->needs[i];
        size_t number = strtoul(lesson->needs[i], NULL, 10);
        needs = number ? arena_format(arena, "%s%s%zu %s", needs, i ? " · " : "", number,
                                      title)
                       : arena_format(arena, "%s%s%s", needs, i ? " · " : "", title);
    }
    return needs;
}

bool course_is_path(const char *name) {
    return strchr(name, '/') || id_length(name) || ends_in(name, ".yml") ||
           ends_in(name, ".safetensors"); /* its error says what it is */
}

Lesson *course_open(const Course *course, const char *name, ErrorList *errors) {
    size_t index = course_find(course, name);
    bool known = index < course->all;
    if (known || course_is_path(name))
        return course_load(course, known ? course->lessons[index].path : name,
                           &(LessonOptions){.text = course->text}, errors);
    course_explain_unknown(course, name, errors);
    return NULL;
}

/* The ID of the playlist in the ring of units that a name may have meant, or NULL. */
static const char *nearest_playlist(const Course *course, const char *name) {
    const char *nearest = NULL;
    const Course *unit = course_first_unit(course);
    for (; unit && unit->id && !nearest; unit = unit->next)
        nearest = error_nearest(name, &unit->id, 1);
    return nearest;
}

void course_explain_unknown(const Course *course, const char *name, ErrorList *errors) {
    const char *nearest = course_nearest(course, name);
    if (!nearest)
        nearest = nearest_playlist(course, name);
    errors->file = name;
    if (nearest)
        error_list_add(errors, ERROR_USAGE, 0, 0,
                       "there is no such lesson or playlist; did you mean '%s'?",
                       nearest);
    else
        error_list_add(errors, ERROR_USAGE, 0, 0,
                       "there is no such lesson or playlist; 'glassformer list' names "
                       "the lessons, 'glassformer list --playlist' the playlists, and a "
                       "file of your own is given by its path");
}
