#include "files/files.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MOST = 40 };

size_t links_folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Reports whether a link may be followed, by its owner. `folder` is the path of its
 * folder; "" is the current one. */
static bool may_follow(const char *folder, const struct stat *status) {
#ifdef _WIN32
    return (void)folder, (void)status, true;
#else
    struct stat around;
    return status->st_uid == geteuid() || status->st_uid == 0 ||
           (stat(*folder ? folder : ".", &around) == 0 &&
            status->st_uid == around.st_uid);
#endif
}

/* A path that is being resolved. */
typedef struct Walk {
    char *done; /* resolved part, without links; ends in a slash unless it is empty */
    char *rest; /* names that are not resolved yet */
    int links;  /* number of links followed so far */
} Walk;

/* Replaces a text on the heap by its first `length` bytes and another text; false with
 * errno. */
static bool replace(char **text, size_t length, const char *more) {
    size_t more_length = strlen(more);
    char *made = malloc(length + more_length + 1);
    if (!made)
        return false;
    memcpy(made, *text, length);
    memcpy(made + length, more, more_length + 1);
    free(*text);
    *text = made;
    return true;
}

/* Puts the target of the link `path`, which is in the folder walk->done, before
 * walk->rest. False with errno. */
static bool follow(Walk *walk, const char *path, const struct stat *status) {
    if (walk->links++ == LINKS_MOST || !may_follow(walk->done, status)) {
        errno = walk->links > LINKS_MOST ? ELOOP : LINKS_OTHERS;
        return false;
    }
    char *target = malloc(PATH_MAX + 1);
    ssize_t length = target ? readlink(path, target, PATH_MAX) : -1;
    bool good = length >= 0;
    if (good) {
        target[length] = 0;
        good = (*target != '/' || replace(&walk->done, 0, "")) &&
               replace(&target, (size_t)length, walk->rest);
    }
    if (!good) {
        free(target);
        return false;
    }
    free(walk->rest);
    walk->rest = target;
    return true;
}

/* Moves the first name of walk->rest and the slashes after it to walk->done. Follows it
 * if it is a link, unless it is the last name and `keeps_last` is set. */
static bool advance(Walk *walk, bool keeps_last) {
    size_t name = strcspn(walk->rest, "/"), slashes = strspn(walk->rest + name, "/");
    size_t done = strlen(walk->done);
    bool last = !walk->rest[name];
    struct stat status;
    char *path = strdup(walk->done);
    char *rest = strdup(walk->rest + name);
    walk->rest[name] = 0;
    bool good = path && rest && replace(&path, done, walk->rest);
    free(walk->rest);
    walk->rest = rest;
    if (good && name && !(last && keeps_last) && lstat(path, &status) == 0 &&
        S_ISLNK(status.st_mode)) {
        good = follow(walk, path, &status);
    } else if (good) {
        good = replace(&path, done + name, slashes ? "/" : "");
        char *swapped = walk->done;
        walk->done = path;
        path = swapped;
        memmove(rest, rest + slashes, strlen(rest + slashes) + 1);
    }
    free(path);
    return good;
}

static char *resolve(const char *path, bool keeps_last) {
    Walk walk = {.done = strdup(""), .rest = strdup(path)};
    bool good = walk.done && walk.rest;
    while (good && *walk.rest)
        good = advance(&walk, keeps_last);
    int problem = errno;
    free(walk.rest);
    if (!good) {
        free(walk.done);
        walk.done = NULL;
    }
    errno = problem;
    return walk.done;
}

char *links_resolve(const char *path) {
    return resolve(path, false);
}

char *links_resolve_folder(const char *path) {
    return resolve(path, true);
}

const char *links_reason(int problem) {
    return problem == LINKS_OTHERS
               ? "it is, or leads through, a link that another user has made; take "
                 "another name"
               : strerror(problem);
}
