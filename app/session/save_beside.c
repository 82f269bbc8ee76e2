#define _XOPEN_SOURCE 700 /* realpath */

#include "session/save_beside.h"

#include "base/user_folder.h"
#include "files/files.h"
#include "lesson/play/changes_file.h"
#include "lesson/read/lesson_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct SaveBesideCopy {
    const char *path;
    struct SaveBesideCopy *next;
} SaveBesideCopy;

/* ---- copying ---- */

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

void save_beside_remove(SaveBeside *along) {
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

const char *save_beside_move(SaveBeside *along, const char *text, size_t *length,
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
