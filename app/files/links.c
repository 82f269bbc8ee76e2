#include "files/files.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MOST = 40, LINKS_MAX_MEMORY = 64 << 20 };

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
    Arena *arena;
    const char
        *done; /* resolved part, without links; ends in a slash unless it is empty */
    const char *rest; /* names that are not resolved yet */
    int links;        /* number of links followed so far */
} Walk;

/* Puts the target of the link `path`, which is in the folder walk->done, before
 * walk->rest. False with errno. */
static bool follow(Walk *walk, const char *path, const struct stat *status) {
    if (walk->links++ == LINKS_MOST || !may_follow(walk->done, status)) {
        errno = walk->links > LINKS_MOST ? ELOOP : LINKS_OTHERS;
        return false;
    }
    char *target = arena_alloc(walk->arena, PATH_MAX + 1, 1);
    ssize_t length = target ? readlink(path, target, PATH_MAX) : -1;
    if (length < 0)
        return false;
    if (*target == '/')
        walk->done = "";
    walk->rest = arena_format(walk->arena, "%s%s", target, walk->rest);
    return walk->rest != NULL;
}

/* Moves the first name of walk->rest and the slashes after it to walk->done. Follows it
 * if it is a link, unless it is the last name and `keeps_last` is set. */
static bool advance(Walk *walk, bool keeps_last) {
    const char *rest = walk->rest;
    size_t name = strcspn(rest, "/"), slashes = strspn(rest + name, "/");
    bool last = !rest[name];
    struct stat status;
    const char *path = arena_format(walk->arena, "%s%.*s", walk->done, (int)name, rest);
    walk->rest = rest + name;
    if (path && name && !(last && keeps_last) && lstat(path, &status) == 0 &&
        S_ISLNK(status.st_mode))
        return follow(walk, path, &status);
    walk->done = path && slashes ? arena_format(walk->arena, "%s/", path) : path;
    walk->rest += slashes;
    return walk->done != NULL;
}

static char *resolve(const char *path, bool keeps_last) {
    Walk walk = {.arena = arena_create(LINKS_MAX_MEMORY), .done = "", .rest = path};
    bool good = walk.arena != NULL;
    while (good && *walk.rest)
        good = advance(&walk, keeps_last);
    int problem = !walk.arena || arena_exhausted(walk.arena) ? ENOMEM : errno;
    char *resolved = good ? strdup(walk.done) : NULL;
    arena_destroy(walk.arena);
    errno = resolved || !good ? problem : ENOMEM;
    return resolved;
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
