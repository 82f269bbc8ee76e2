#include "files/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static bool is_folder(const char *path) {
    struct stat status;
    return path && *path && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool make_one(const char *path, Error *error) {
    if (mkdir(path, 0777) == 0)
        return true;
    int reason = errno; /* is_folder sets errno */
    if (is_folder(path))
        return true;
    return error_set(error, ERROR_FILE, 0, 0, "the folder '%s' can't be made: %s", path,
                     strerror(reason == EEXIST ? ENOTDIR : reason));
}

bool folder_make(const char *path, Error *error) {
    size_t length = strlen(path);
    char *part = malloc(length + 1);
    if (!part)
        return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory");
    char *resolved = links_resolve(path);
    bool made = resolved ||
                error_set(error, ERROR_FILE, 0, 0, "can't write to the folder '%s': %s",
                          path, links_reason(errno));
    free(resolved);
    for (size_t i = 1; made && i <= length; i++) {
        if (path[i] != '/' && path[i])
            continue;
        memcpy(part, path, i);
        part[i] = 0;
        made = make_one(part, error);
    }
    free(part);
    return made;
}

bool folder_each(const char *path, FolderTake take, void *context, Error *error) {
    DIR *directory = opendir(path);
    int problem = directory ? 0 : errno;
    const struct dirent *entry;
    while (!problem && (errno = 0, entry = readdir(directory)))
        problem = take(context, path, entry->d_name) ? 0 : ENOMEM;
    problem = problem ? problem : errno;
    if (directory)
        closedir(directory);
    return !problem || problem == ENOENT || problem == ENOTDIR ||
           error_set(error, problem == ENOMEM ? ERROR_MEMORY : ERROR_FILE, 0, 0,
                     "the folder '%s' can't be read: %s", path, strerror(problem));
}

/* ---- the user's pictures ---- */

/* The value of `XDG_PICTURES_DIR="$HOME/Pictures"`; NULL for any other line. */
static const char *read_line(Arena *arena, const char *line, const char *home) {
    static const char key[] = "XDG_PICTURES_DIR=\"", in_home[] = "$HOME";
    while (*line == ' ' || *line == '\t')
        line++;
    if (strncmp(line, key, sizeof key - 1) != 0)
        return NULL;
    line += sizeof key - 1;
    bool below_home = strncmp(line, in_home, sizeof in_home - 1) == 0;
    if (below_home)
        line += sizeof in_home - 1;
    return arena_format(arena, "%s%.*s", below_home ? home : "",
                        (int)strcspn(line, "\"\n"), line);
}

/* Reads the desktop's file of user folders; NULL if there is none.
 * Source: freedesktop.org, xdg-user-dirs. */
static const char *read_user_dirs(Arena *arena, const char *home) {
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *path = config && *config
                           ? arena_format(arena, "%s/user-dirs.dirs", config)
                           : arena_format(arena, "%s/.config/user-dirs.dirs", home);
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file)
        return NULL;
    const char *folder = NULL;
    char line[PATH_SIZE];
    while (fgets(line, sizeof line, file)) {
        const char *found = read_line(arena, line, home);
        folder = found ? found : folder;
    }
    fclose(file);
    return folder;
}

/* Home itself stands there for "no such folder". Source: xdg-user-dirs. */
static bool is_below(const char *folder, const char *home) {
    return is_folder(folder) && !file_is_same(folder, home);
}

static const char *users_pictures(Arena *arena) {
    const char *home = getenv("HOME"), *wanted = getenv("XDG_PICTURES_DIR");
    if (is_folder(wanted))
        return wanted;
    if (home && *home) {
        const char *folder = read_user_dirs(arena, home);
        if (folder && is_below(folder, home))
            return folder;
        folder = arena_format(arena, "%s/Pictures", home);
        if (is_folder(folder))
            return folder;
        if (is_folder(home))
            return home;
    }
    char *here = arena_alloc(arena, PATH_SIZE, 1);
    return here && getcwd(here, PATH_SIZE) ? here : ".";
}

const char *folder_of_pictures(Arena *arena) {
    const char *pictures = users_pictures(arena);
    size_t length = strlen(pictures);
    while (length > 1 && pictures[length - 1] == '/')
        length--;
    return arena_format(arena, "%.*s/Glassformer", (int)length, pictures);
}

/* ---- stamps ---- */

FileStamp file_stamp(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return (FileStamp){0};
    return (FileStamp){.seconds = status.st_mtim.tv_sec,
                       .nanoseconds = status.st_mtim.tv_nsec,
                       .size = status.st_size,
                       .number = status.st_ino};
}

bool file_stamp_equal(FileStamp a, FileStamp b) {
    return a.seconds == b.seconds && a.nanoseconds == b.nanoseconds && a.size == b.size &&
           a.number == b.number;
}

bool file_is_same(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}
