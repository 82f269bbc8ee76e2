#include "files/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ATTEMPTS = 100 };

void whole_file_begin(WholeFile *file, const char *path) {
    size_t size = strlen(path) + 48;
    *file = (WholeFile){.path = path, .name = malloc(size), .descriptor = -1};
    if (!file->name) {
        file->problem = ENOMEM;
        return;
    }
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(file->name, size, "%s.%ld-%d.tmp", path, (long)getpid(), attempt);
        file->descriptor =
            open(file->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        file->problem = file->descriptor < 0 ? errno : 0;
        if (file->problem != EEXIST)
            return;
    }
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

/* A disk that can't wait for its bytes, as some of networks, is no problem. */
void whole_file_settle(WholeFile *file) {
    if (!file->problem && fsync(file->descriptor) != 0 && errno != EINVAL &&
        errno != ENOTSUP)
        file->problem = errno;
}

/* Closes the temporary file, once. */
static void close_file(WholeFile *file) {
    if (file->descriptor >= 0 && close(file->descriptor) != 0 && !file->problem)
        file->problem = errno;
    file->descriptor = -1;
}

void whole_file_drop(WholeFile *file) {
    bool opened = file->name && file->descriptor >= 0;
    if (!file->name)
        return;
    close_file(file);
    if (opened)
        unlink(file->name);
    free(file->name);
    file->name = NULL;
}

bool whole_file_end(WholeFile *file, Error *error) {
    bool opened = file->descriptor >= 0;
    close_file(file);
    if (!file->problem && rename(file->name, file->path) != 0)
        file->problem = errno;
    if (file->problem && opened)
        unlink(file->name);
    free(file->name);
    file->name = NULL;
    return !file->problem || error_set(error, ERROR_FILE, 0, 0, "can't write '%s': %s",
                                       file->path, strerror(file->problem));
}

bool whole_file_write(const char *path, const void *bytes, size_t size, Error *error) {
    WholeFile file;
    whole_file_begin(&file, path);
    whole_file_add(&file, bytes, size);
    return whole_file_end(&file, error);
}
