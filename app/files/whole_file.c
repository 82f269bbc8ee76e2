#define _GNU_SOURCE /* syncfs */
#include "files/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100 };

/* In place of an errno. */
enum { NO_FILE = -1 };

/* The folder of a path, on the heap. */
static char *folder_of(const char *path) {
    size_t length = links_folder_length(path);
    return length ? strndup(path, length) : strdup(".");
}

/* ---- what processes that were killed have left ---- */

/* Returns true if a name is "NAME.PID-N.tmp" of a process that has ended. */
static bool is_left_over(const char *entry, const char *name) {
    size_t length = strlen(name);
    long process;
    int end = 0;
    if (strncmp(entry, name, length) != 0 ||
        sscanf(entry + length, ".%ld-%*d.tmp%n", &process, &end) != 1 || !end ||
        entry[length + (size_t)end] || process <= 0 || process > INT_MAX)
        return false;
    return kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

/* Another machine's process holds its lock. */
static void remove_left_over(int folder, const char *entry) {
    int file = openat(folder, entry, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, entry, 0);
    if (file >= 0)
        close(file);
}

static void clear_left_over(const char *path) {
    size_t length = links_folder_length(path);
    char *folder = folder_of(path);
    DIR *directory = folder ? opendir(folder) : NULL;
    free(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (is_left_over(entry->d_name, path + length))
            remove_left_over(dirfd(directory), entry->d_name);
    }
    closedir(directory);
}

/* ---- writing ---- */

/* The older file's owner, where that may be given, and its mode. */
static void take_after(const WholeFile *file, const struct stat *older) {
    int unused = fchown(file->descriptor, older->st_uid, older->st_gid);
    (void)unused;
    fchmod(file->descriptor, older->st_mode & 0777);
}

static void open_temporary(WholeFile *file, mode_t mode) {
    size_t size = strlen(file->path) + 48;
    file->name = malloc(size);
    if (!file->name) {
        file->problem = ENOMEM;
        return;
    }
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(file->name, size, "%s.%ld-%d.tmp", file->path, (long)getpid(), attempt);
        file->descriptor =
            open(file->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        file->problem = file->descriptor < 0 ? errno : 0;
        if (file->problem != EEXIST)
            break;
    }
    if (!file->problem)
        flock(file->descriptor, LOCK_EX | LOCK_NB);
}

/* Begins a file in place of the older one, which may be NULL; takes over the path. */
static void begin(WholeFile *file, const char *asked, char *path,
                  const struct stat *older) {
    *file = (WholeFile){.asked = asked, .path = path, .descriptor = -1};
    file->problem = !path ? errno : older && !S_ISREG(older->st_mode) ? NO_FILE : 0;
    if (file->problem)
        return;
    clear_left_over(path);
    open_temporary(file, older ? older->st_mode & 0666 : 0666);
    if (older && !file->problem)
        take_after(file, older);
}

void whole_file_begin(WholeFile *file, const char *path) {
    struct stat older;
    char *resolved = links_resolve(path);
    begin(file, path, resolved, resolved && stat(resolved, &older) == 0 ? &older : NULL);
}

void whole_file_begin_cached(WholeFile *file, const char *path) {
    begin(file, path, links_resolve_folder(path), NULL);
    file->cached = true;
}

void whole_file_add(WholeFile *file, const void *bytes, size_t size) {
    const char *next = bytes;
    while (size > 0 && !file->problem) {
        ssize_t written = write(file->descriptor, next, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            file->problem = written < 0 ? errno : ENOSPC;
            return;
        }
        next += written;
        size -= (size_t)written;
    }
}

/* Waits until all that a file's disk is to hold is on it. Returns an errno, or 0. */
static int settle_disk(int descriptor) {
#ifdef __linux__
    return syncfs(descriptor) == 0 ? 0 : errno;
#else
    (void)descriptor;
    return ENOSYS;
#endif
}

/* Waits until the bytes of files are on the disk. For several, waiting for the whole disk
 * takes a tenth of the time. A disk that can't wait for them, as some of networks, is no
 * problem. */
static void settle(WholeFile *files, size_t count) {
    int of_disk = count > 1 ? settle_disk(files->descriptor) : ENOSYS;
    for (size_t i = 0; i < count; i++) {
        if (files[i].problem)
            continue;
        int problem = of_disk;
        if (of_disk == ENOSYS)
            problem = fsync(files[i].descriptor) == 0 ? 0 : errno;
        files[i].problem = problem == EINVAL || problem == ENOTSUP ? 0 : problem;
    }
}

/* The folder, too, has the name only when that is on the disk; until then it has the
 * older file, so that it is no problem when it can't be waited for. */
static void settle_folder(const char *path) {
    char *folder = folder_of(path);
    int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

/* Closes the temporary file, once. */
static void close_file(WholeFile *file) {
    if (file->descriptor >= 0 && close(file->descriptor) != 0 && !file->problem)
        file->problem = errno;
    file->descriptor = -1;
}

static void forget(WholeFile *file) {
    free(file->name);
    free(file->path);
    file->name = file->path = NULL;
}

void whole_file_drop(WholeFile *file) {
    if (file->name && file->descriptor >= 0) {
        unlink(file->name);
        close_file(file);
    }
    forget(file);
}

static const char *reason(int problem) {
    return problem == NO_FILE  ? "it exists and is not a regular file; take another name"
           : problem == EEXIST ? "it exists already; take another name"
                               : links_reason(problem);
}

static bool fail(const char *path, int problem, Error *error) {
    return error_set(error, ERROR_FILE, 0, 0, "can't write '%s': %s", path,
                     reason(problem));
}

/* Closes the temporary file and gives it its name, which it returns: the one asked for,
 * or the first of so many that is free. */
static const char *take_place(WholeFile *file, Arena *arena, size_t names, Error *error) {
    bool opened = file->descriptor >= 0;
    const char *path = file->asked;
    close_file(file);
    if (!file->problem) {
        if (names)
            path = whole_file_move(arena, file->name, file->asked, names);
        else if (rename(file->name, file->path) != 0)
            path = NULL;
        file->problem = path ? 0 : errno;
    }
    if (!file->problem)
        return path;
    if (opened)
        unlink(file->name);
    fail(file->asked, file->problem, error);
    return NULL;
}

static const char *end(WholeFile *file, Arena *arena, size_t names, Error *error) {
    if (!file->cached)
        settle(file, 1);
    const char *path = take_place(file, arena, names, error);
    if (path && !file->cached)
        settle_folder(file->path);
    forget(file);
    return path;
}

bool whole_file_end(WholeFile *file, Error *error) {
    return end(file, NULL, 0, error) != NULL;
}

bool whole_files_add(WholeFiles *files, WholeFile *file, Error *error) {
    if (file->problem)
        return whole_file_end(file, error);
    file->asked = file->path;
    files->files[files->count++] = *file;
    *file = (WholeFile){0};
    return files->count < WHOLE_FILES_MAX || whole_files_end(files, error);
}

bool whole_files_end(WholeFiles *files, Error *error) {
    bool written = true;
    settle(files->files, files->count);
    for (size_t i = 0; i < files->count; i++)
        written &= take_place(&files->files[i], NULL, 0, written ? error : NULL) != NULL;
    if (files->count)
        settle_folder(files->files[0].path);
    for (size_t i = 0; i < files->count; i++)
        forget(&files->files[i]);
    files->count = 0;
    return written;
}

bool whole_file_check(const char *path, Error *error) {
    WholeFile file;
    whole_file_begin(&file, path);
    int problem = file.problem;
    whole_file_drop(&file);
    return !problem || fail(path, problem, error);
}

bool whole_file_write(const char *path, const void *bytes, size_t size, Error *error) {
    WholeFile file;
    whole_file_begin(&file, path);
    whole_file_add(&file, bytes, size);
    return whole_file_end(&file, error);
}

/* ---- names that nothing has yet ---- */

/* False with errno. */
static bool take_name(const char *from, const char *path) {
    if (link(from, path) == 0) {
        unlink(from);
        return true;
    }
    if (errno == EEXIST)
        return false;
    /* On a disk without links, a process killed here leaves an empty file. */
    int claimed = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (claimed < 0)
        return false;
    close(claimed);
    bool taken = rename(from, path) == 0;
    int problem = errno;
    if (!taken)
        unlink(path);
    errno = problem;
    return taken;
}

const char *whole_file_move(Arena *arena, const char *from, const char *path,
                            size_t names) {
    const char *name = path, *dot = strrchr(path + links_folder_length(path), '.');
    size_t stem = dot ? (size_t)(dot - path) : strlen(path);
    char *resolved = links_resolve_folder(path);
    if (!resolved)
        return NULL;
    free(resolved);
    for (size_t i = 2; name; i++) {
        if (take_name(from, name))
            return name;
        if (errno != EEXIST || i > names)
            return NULL;
        name = arena_format(arena, "%.*s-%zu%s", (int)stem, path, i, path + stem);
    }
    errno = ENOMEM;
    return NULL;
}

const char *whole_file_write_new(Arena *arena, const char *path, size_t names,
                                 const void *bytes, size_t size, Error *error) {
    WholeFile file;
    begin(&file, path, links_resolve_folder(path), NULL);
    whole_file_add(&file, bytes, size);
    return end(&file, arena, names, error);
}
