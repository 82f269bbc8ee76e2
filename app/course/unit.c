#include "course/course.h"

#include "base/array.h"
#include "files/files.h"
#include "lesson/load/load.h"
#include "lesson/read/lesson_files.h"

#include <string.h>
#include <unistd.h>

/* ---- one lesson of a playlist ---- */

/* The entry that a playlist's line names; false with an error at the line. */
static bool find_entry(Course *course, const char *playlist, const YamlNode *line,
                       CourseLesson *entry, ErrorList *errors) {
    size_t index = course_find(course, line->text);
    if (index < course->all) {
        *entry = (CourseLesson){.id = course->lessons[index].id,
                                .path = course->lessons[index].path};
        return true;
    }
    Error led_out;
    if (course_is_path(line->text) && !playlist_is_file(line->text)) {
        entry->path = lesson_file_path(course->arena, playlist, line->text, &led_out);
        if (!entry->path && arena_exhausted(course->arena))
            return error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
        if (!entry->path)
            return yaml_error(errors, ERROR_FILE, line,
                              "'%.60s' is not in the playlist's folder or below it; a "
                              "playlist names lessons by their ids, and files there",
                              line->text);
        if (access(entry->path, R_OK) == 0) {
            entry->id = lesson_id(course->arena, entry->path);
            return entry->id != NULL;
        }
    }
    const char *nearest = course_nearest(course, line->text);
    return nearest ? yaml_error(errors, ERROR_NAME, line,
                                "there is no lesson '%.60s'; did you mean '%s'?",
                                line->text, nearest)
                   : yaml_error(errors, ERROR_NAME, line,
                                "there is no lesson '%.60s', and no such file beside "
                                "the playlist",
                                line->text);
}

/* ---- a playlist ---- */

static const char ENDING[] = ".playlist.yaml";

/* The path of the data folder's playlist of an ID; NULL without memory. */
static const char *path_of_id(Arena *arena, const char *folder, const char *id) {
    return arena_format(arena, "%s/lessons/playlists/%s%s", folder, id, ENDING);
}

/* The ID of a playlist's file, which has the ending. */
static const char *id_of_path(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return arena_copy(arena, name, strlen(name) - strlen(ENDING));
}

bool unit_is_id(const char *word) {
    char folder[DATA_FOLDER_SIZE], path[DATA_FOLDER_SIZE + 200];
    Error error;
    if (strchr(word, '/') || !data_folder_find(folder, &error))
        return false;
    int length =
        snprintf(path, sizeof path, "%s/lessons/playlists/%s%s", folder, word, ENDING);
    return length < (int)sizeof path && access(path, R_OK) == 0;
}

static bool add_part(Course *unit, Course *course, const char *playlist,
                     const PlaylistPart *part, ErrorList *errors) {
    bool good = true;
    const YamlNode *line = part->lessons.node ? part->lessons.node->first : NULL;
    for (; line; line = line->next) {
        CourseLesson entry = {0};
        if (!find_entry(course, playlist, line, &entry, errors)) {
            good = false;
            continue;
        }
        entry.part = text_copy(&part->title, course->arena);
        unit->lessons = array_reserve(course->arena, unit->lessons, unit->count,
                                      &unit->room, sizeof entry);
        if (!unit->lessons)
            return error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
        unit->lessons[unit->count++] = entry;
    }
    return good;
}

/* Returns the YAML node of the first lesson beyond `most`, without opening any file; NULL
 * if there are no more. */
static const YamlNode *line_beyond(const Playlist *playlist, size_t most) {
    const PlaylistPart *parts = playlist->parts.items;
    size_t count = 0;
    for (size_t i = 0; i < playlist->parts.count; i++) {
        const YamlNode *list = parts[i].lessons.node;
        for (const YamlNode *line = list ? list->first : NULL; line; line = line->next) {
            if (count++ == most)
                return line;
        }
    }
    return NULL;
}

static bool fill(Course *unit, Course *course, const char *path, const Playlist *playlist,
                 ErrorList *errors) {
    bool good = true;
    *unit = *course;
    unit->lessons = NULL;
    unit->count = unit->room = 0;
    const PlaylistPart *parts = playlist->parts.items;
    const YamlNode *beyond = line_beyond(playlist, course->room);
    if (beyond)
        return yaml_error(errors, ERROR_LIMIT, beyond,
                          "a playlist has at most %zu lessons here, and this is one more",
                          course->room);
    for (size_t i = 0; i < playlist->parts.count; i++)
        good &= add_part(unit, course, path, &parts[i], errors);
    if (good && !unit->count)
        return yaml_error(errors, ERROR_VALUE, playlist->place.node,
                          "the playlist has no lesson");
    unit->all = unit->count;
    unit->title = text_copy(&playlist->title, course->arena);
    unit->about = text_copy(&playlist->about, course->arena);
    return good;
}

/* Adds a unit to the ring, whose units are sorted by their IDs. */
static void join(Course *course, Course *unit) {
    Course *before = course;
    while (before->next && before->next != course &&
           strcmp(before->next->id, unit->id) < 0)
        before = before->next;
    unit->next = before->next ? before->next : course;
    before->next = unit;
}

static Course *unit_of_file(Course *course, const char *path) {
    Course *unit = course->next;
    while (unit && unit != course && !file_is_same(unit->playlist, path))
        unit = unit->next;
    return unit == course ? NULL : unit;
}

Course *unit_open(Course *course, const char *name, ErrorList *errors) {
    Playlist playlist;
    const char *path = playlist_is_file(name)
                           ? arena_copy(course->arena, name, strlen(name))
                           : path_of_id(course->arena, course->folder, name);
    const char *id = path ? id_of_path(course->arena, path) : NULL;
    Course *listed = id ? unit_of_file(course, path) : NULL;
    if (listed)
        return listed;
    Course *unit = id ? arena_alloc(course->arena, 1, sizeof *unit) : NULL;
    if (!unit) {
        error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
        return NULL;
    }
    if (!playlist_read(path, course->arena, &playlist, errors) ||
        !fill(unit, course, path, &playlist, errors) || errors->count)
        return NULL;
    unit->id = id;
    unit->playlist = path;
    join(course, unit);
    return unit;
}

static bool open_listed(void *context, const char *folder, const char *name) {
    Course *course = context;
    ErrorList errors = {0};
    if (!playlist_is_file(name))
        return true;
    const char *path = arena_format(course->arena, "%s/%s", folder, name);
    if (path)
        unit_open(course, path, &errors);
    course_note_missing(course, path, errors.items, errors.count);
    return path != NULL;
}

void unit_open_all(Course *course) {
    Error error;
    const char *folder =
        arena_format(course->arena, "%s/lessons/playlists", course->folder);
    if (folder && !folder_each(folder, open_listed, course, &error))
        course_note_missing(course, NULL, &error, 1);
}
