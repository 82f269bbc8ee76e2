#define _XOPEN_SOURCE 700 /* realpath */

#include "base/user_folder.h"
#include "files/files.h"
#include "lesson/content/lesson.h"
#include "lesson/load/load.h"
#include "lesson/play/changes_file.h"
#include "lesson/read/lesson_files.h"
#include "lesson/schema/yaml.h"
#include "session/session.h"
#include "session/state.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct SaveBesideCopy {
    const char *path;
    struct SaveBesideCopy *next;
} SaveBesideCopy;

/* Files that a lesson reads, where it is kept in another folder than its own: the user's
 * own lessons name them by their paths from the root, any other names files of its folder
 * and below only, so that they are copied beside it. */
typedef struct SaveBeside {
    const char *lesson;            /* the path of the lesson's file, borrowed */
    const char *folder;            /* that it is kept in; borrowed */
    Arena *arena;                  /* for names */
    struct SaveBesideCopy *copies; /* the files made, in the arena */
    bool users;                    /* the folder is the one of the user's own lessons */
    bool failed;
    Error error; /* why */
} SaveBeside;

/* ---- copying what a lesson reads ---- */

static bool same_bytes(FILE *one, const char *path) {
    char a[4096], b[sizeof a];
    FILE *other = fopen(path, "rb");
    bool same = other != NULL;
    for (size_t count = sizeof a; same && count == sizeof a;) {
        count = fread(a, 1, sizeof a, one);
        same = fread(b, 1, sizeof b, other) == count && memcmp(a, b, count) == 0;
    }
    if (other)
        fclose(other);
    rewind(one);
    return same && !ferror(one);
}

static bool copy_bytes(FILE *from, const char *path, Error *error) {
    char block[4096];
    WholeFile file;
    whole_file_begin(&file, path);
    for (size_t count = sizeof block; count == sizeof block;) {
        count = fread(block, 1, sizeof block, from);
        whole_file_add(&file, block, count);
    }
    if (!ferror(from))
        return whole_file_end(&file, error);
    whole_file_drop(&file);
    return error_set(error, ERROR_FILE, 0, 0, "'%s' can't be copied", path);
}

/* Copies a file into the folder unless it is there already. */
static bool copy(SaveBeside *along, const char *from, const char *name) {
    const char *path = arena_format(along->arena, "%s/%s", along->folder, name);
    SaveBesideCopy *made = arena_alloc(along->arena, 1, sizeof *made);
    if (!path || !made)
        return error_set(&along->error, ERROR_MEMORY, 0, 0, "there is no memory");
    FILE *file = fopen(from, "rb");
    if (!file)
        return error_set(&along->error, ERROR_FILE, 0, 0, "'%s' can't be read: %s", from,
                         strerror(errno));
    bool there = access(path, F_OK) == 0;
    bool good = there ? same_bytes(file, path) ||
                            error_set(&along->error, ERROR_VALUE, 0, 0,
                                      "'%s' is to be copied beside the lesson, but "
                                      "another file there has this name",
                                      name)
                      : copy_bytes(file, path, &along->error);
    fclose(file);
    if (good && !there) {
        *made = (SaveBesideCopy){.path = path, .next = along->copies};
        along->copies = made;
    }
    return good;
}

/* Removes the copies that were made. */
static void save_beside_remove(SaveBeside *along) {
    for (; along->copies; along->copies = along->copies->next)
        unlink(along->copies->path);
}

/* ---- names ---- */

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A file's path from a folder that it lies below, in the arena; NULL where it doesn't. */
static const char *path_below(const char *folder, const char *file, Arena *arena) {
    char *top = realpath(folder, NULL), *path = top ? realpath(file, NULL) : NULL;
    size_t length = top ? strlen(top) : 0;
    const char *below = NULL;
    if (path && strncmp(path, top, length) == 0 && path[length] == '/')
        below = arena_copy(arena, path + length + 1, strlen(path + length + 1));
    free(top);
    free(path);
    return below;
}

/* Copies the configuration beside a model's weights, where there is one. */
static bool copy_configuration(SaveBeside *along, const char *weights) {
    static const char name[] = "config.json";
    const char *path = arena_format(along->arena, "%.*s%s",
                                    (int)(last_part(weights) - weights), weights, name);
    if (!path || !lesson_file_exists(along->lesson, path))
        return true;
    path = lesson_file_path(along->arena, along->lesson, path, &along->error);
    return path && copy(along, path, name);
}

/* A file that can't be read keeps its name: reading the lesson back says why. */
static const char *rename_file(void *context, const char *name, bool weights) {
    SaveBeside *along = context;
    Error error;
    if (along->failed)
        return NULL;
    const char *path = lesson_file_path(along->arena, along->lesson, name, &error);
    if (!path || access(path, F_OK) != 0)
        return NULL;
    if (along->users) {
        char *whole = realpath(path, NULL);
        const char *kept =
            whole && *name != '/' ? arena_copy(along->arena, whole, strlen(whole)) : NULL;
        free(whole);
        return kept;
    }
    const char *below = path_below(along->folder, path, along->arena);
    if (below)
        return below;
    along->failed = !copy(along, path, last_part(name)) ||
                    (weights && !copy_configuration(along, name));
    return last_part(name);
}

/* The lesson's text with new names for what it reads, copied where that is needed; NULL
 * with an error: ERROR_FILE, ERROR_VALUE where another file has its name, ERROR_MEMORY.
 */
static const char *save_beside_move(SaveBeside *along, const char *text, size_t *length,
                                    Error *error) {
    const char *users = folder_of_user(along->arena, "lessons");
    along->users = users && file_is_same(users, along->folder);
    const char *moved = changes_move(text, length, rename_file, along, along->arena);
    if (!moved)
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    if (moved && !along->failed)
        return moved;
    if (along->failed)
        *error = along->error;
    return NULL;
}

/* ---- the lesson ---- */

enum { KEEP_MAX_MEMORY = 64 << 20 };

static const char ENDING[] = "-changed";

/* The lesson's id without what an earlier keeping put behind it. */
static size_t stem_length(const char *id) {
    size_t length = strlen(id), end = length;
    while (end > 0 && isdigit((unsigned char)id[end - 1]))
        end--;
    if (end < length && end > 0 && id[end - 1] == '-')
        end--;
    else
        end = length;
    size_t tail = sizeof ENDING - 1;
    if (end > tail && memcmp(id + end - tail, ENDING, tail) == 0)
        return end - tail;
    return length > tail && strcmp(id + length - tail, ENDING) == 0 ? length - tail
                                                                    : length;
}

static const char *folder_of_file(Arena *arena, const char *file) {
    const char *slash = strrchr(file, '/');
    if (!slash)
        return ".";
    return slash == file ? "/" : arena_copy(arena, file, (size_t)(slash - file));
}

/* Returns true if a folder is that of the program's own lessons. */
static bool is_of_course(const Course *course, const char *folder, Arena *arena) {
    const char *lessons = arena_format(arena, "%s/lessons", course->folder);
    return lessons && file_is_same(lessons, folder);
}

/* Where the file goes: NULL with an error when nowhere. */
static const char *choose_folder(const Session *session, const char *wanted, Arena *arena,
                                 Error *error) {
    const char *beside = folder_of_file(arena, session->lesson->file);
    if (!wanted && beside && access(beside, W_OK) == 0 &&
        !is_of_course(session->course, beside, arena))
        return beside;
    const char *folder = wanted ? wanted : folder_of_user(arena, "lessons");
    if (!folder) {
        error_set(error, ERROR_FILE, 0, 0,
                  "'%s' can't be written to, and there is no home folder", beside);
        return NULL;
    }
    return folder_make(folder, error) ? folder : NULL;
}

/* Nothing is kept that can't be read: the lesson's file may be another by now, and what
 * it reads beside itself, its weights, may not be there from elsewhere. */
static bool reads_back(const Session *session, const char *path, const char *text,
                       size_t length, Error *error) {
    ErrorList errors = {0};
    Lesson *lesson = lesson_parse(
        path, text, length, &(LessonOptions){.work = session->course->work}, &errors);
    bool good = lesson != NULL;
    lesson_destroy(lesson);
    if (!good)
        error_set(error, ERROR_VALUE, 0, 0, "it couldn't be read again: %s",
                  errors.count ? errors.items[0].message : "");
    return good;
}

/* The lesson's text as it is to be kept in a folder. */
static const char *text_for(const Session *session, const char *folder, SaveBeside *along,
                            size_t *length, Arena *room, Error *error) {
    const char *file = session->lesson->file, *beside = folder_of_file(room, file);
    ErrorList errors = {0};
    const char *text = yaml_read_file(room, file, length, &errors);
    if (!text) {
        *error = errors.items[0];
        return NULL;
    }
    text = changes_write(&session->player, text, length, room, error);
    if (text && beside && strcmp(folder, beside) != 0)
        text = save_beside_move(along, text, length, error);
    return text;
}

static const char *write_lesson(const Session *session, const char *wanted, Arena *arena,
                                Arena *room, Error *error) {
    const Lesson *lesson = session->lesson;
    const char *folder = choose_folder(session, wanted, arena, error);
    if (!folder)
        return NULL;
    size_t length;
    SaveBeside along = {.lesson = lesson->file, .folder = folder, .arena = room};
    const char *text = text_for(session, folder, &along, &length, room, error);
    const char *path = arena_format(arena, "%s/%.*s%s.yaml", folder,
                                    (int)stem_length(lesson->id), lesson->id, ENDING);
    if (text && !path)
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    bool good = text && path && reads_back(session, path, text, length, error);
    const char *written =
        good ? whole_file_write_new(arena, path, SIZE_MAX, text, length, error) : NULL;
    if (!written)
        save_beside_remove(&along);
    return written;
}

const char *save_lesson_copy(Session *session, const char *folder, Arena *arena,
                             Error *error) {
    Arena *room = arena_create(KEEP_MAX_MEMORY);
    const char *path = NULL;
    if (room)
        path = write_lesson(session, folder, arena, room, error);
    else
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    arena_destroy(room);
    if (path) {
        course_add(session->course, path);
        session_show_message(session, "change.kept", path, NULL);
    } else {
        session_show_message(session, "change.not_kept", error->message, NULL);
    }
    return path;
}
