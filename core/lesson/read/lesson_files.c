#define _XOPEN_SOURCE 700 /* declares realpath */
#include "lesson/read/lesson_files.h"

#include "base/strings/utf8.h"
#include "base/user_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- paths ---- */

/* Characters between the names of folders. */
#ifdef _WIN32
static const char SEPARATORS[] = "/\\";
#else
static const char SEPARATORS[] = "/";
#endif

size_t lesson_file_folder(const char *path) {
    size_t length = strlen(path);
    while (length && !strchr(SEPARATORS, path[length - 1]))
        length--;
    return length;
}

static bool goes_up(const char *name) {
    for (size_t length; *name; name += length + (name[length] != '\0')) {
        length = strcspn(name, SEPARATORS);
        if (length == 2 && memcmp(name, "..", 2) == 0)
            return true;
    }
    return false;
}

/* Reports whether a file, with all links resolved, is in a folder or below it; *gone: it
 * doesn't exist. */
static bool lies_within(const char *folder, const char *path, bool *gone) {
    char *top = realpath(folder, NULL), *file = top ? realpath(path, NULL) : NULL;
    *gone = top && !file && (errno == ENOENT || errno == ENOTDIR);
    size_t length = top ? strlen(top) : 0;
    bool within = file && strncmp(file, top, length) == 0 &&
                  (!file[length] || file[length] == '/' || strcmp(top, "/") == 0);
    free(top);
    free(file);
    return within;
}

/* Reports whether a folder is the user's own lessons folder. */
static bool is_users(Arena *arena, const char *folder) {
    struct stat one, other;
    const char *users = folder_of_user(arena, "lessons");
    return users && stat(folder, &one) == 0 && stat(users, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

const char *lesson_file_path(Arena *arena, const char *lesson, const char *name,
                             Error *error) {
    int length = (int)lesson_file_folder(lesson);
    const char *folder = arena_format(arena, "%.*s.", length, lesson);
    bool absolute = *name == '/';
    const char *path =
        absolute ? name : arena_format(arena, "%.*s%s", length, lesson, name);
    bool gone, within = lies_within(folder, path, &gone);
    if (absolute ? within || is_users(arena, folder) : !goes_up(name) && (within || gone))
        return path;
    error_set(error, ERROR_FILE, 0, 0,
              absolute
                  ? "'%.80s' is a path from the root; a lesson reads files of its own "
                    "folder and below, by paths that begin there"
                  : "'%.80s' leads out of the lesson's folder; a lesson reads files "
                    "of its own folder and below",
              name);
    return NULL;
}

/* ---- bytes ---- */

static bool read_all(int file, uint8_t *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = read(file, bytes, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            errno = count < 0 ? errno : EIO; /* the file became shorter during reading */
            return false;
        }
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

bool lesson_file_exists(const char *lesson, const char *name) {
    size_t folder = *name == '/' ? 0 : lesson_file_folder(lesson);
    size_t length = strlen(name) + 1;
    struct stat status;
    char *path = malloc(folder + length);
    if (!path)
        return true; /* reading it will report the lack of memory */
    memcpy(path, lesson, folder);
    memcpy(path + folder, name, length);
    bool there = lstat(path, &status) == 0;
    free(path);
    return there;
}

/* Opens without blocking, as a pipe would. */
bool lesson_file_read(Arena *arena, const char *what, const char *lesson,
                      const char *name, size_t most, uint8_t **bytes, size_t *length,
                      Error *error) {
    struct stat status = {0};
    const char *path = lesson_file_path(arena, lesson, name, error);
    if (!path)
        return false;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return error_set(error, ERROR_FILE, 0, 0,
                         "the %s in '%s' can't be read: it is not a regular file", what,
                         path);
    if (status.st_size > 0 && (uint64_t)status.st_size > most)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "the %s in '%s' has %lld bytes, but may have %zu at most", what,
                         path, (long long)status.st_size, most);
    /* Allocates before opening, since a failed allocation jumps away and would leave the
     * file open. */
    *length = status.st_size > 0 ? (size_t)status.st_size : 0;
    *bytes = arena_alloc(arena, *length + 1, 1);
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool good = (file >= 0 && read_all(file, *bytes, *length)) ||
                error_set(error, ERROR_FILE, 0, 0, "the %s in '%s' can't be read: %s",
                          what, path, strerror(errno));
    if (file >= 0)
        close(file);
    return good;
}

/* ---- lines ---- */

/* Makes a list of the text's lines. */
static YamlNode *list_of(Arena *arena, const YamlNode *name, const char *text) {
    YamlNode *list = arena_alloc(arena, 1, sizeof *list);
    const YamlNode **next = &list->first;
    *list = *name;
    list->kind = YAML_SEQUENCE;
    list->first = NULL;
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        size_t kept = length && text[length - 1] == '\r' ? length - 1 : length;
        if (!kept)
            continue;
        YamlNode *line = arena_alloc(arena, 1, sizeof *line);
        *line = *name;
        line->key = NULL;
        line->next = NULL;
        line->text = arena_copy(arena, text, kept);
        *next = line;
        next = &line->next;
        list->count++;
    }
    return list;
}

const YamlNode *lesson_file_lines(Arena *arena, const char *lesson, const YamlNode *name,
                                  ErrorList *errors) {
    ErrorList own = {0};
    size_t length = 0;
    Error led_out;
    const char *path = lesson_file_path(arena, lesson, name->text, &led_out);
    if (!path) {
        yaml_error_append(errors, &led_out, name);
        return NULL;
    }
    const char *text = yaml_read_file(arena, path, &length, &own);
    if (!text) {
        yaml_error(errors, own.items[0].code, name, "'%.80s': %s", name->text,
                   own.items[0].message);
        return NULL;
    }
    size_t valid = utf8_check(text, length);
    if (valid < length || strlen(text) < length) {
        yaml_error(errors, ERROR_ENCODING, name,
                   "'%.80s' is no text in UTF-8: byte %zu can't stand in one", name->text,
                   (valid < length ? valid : strlen(text)) + 1);
        return NULL;
    }
    const YamlNode *list = list_of(arena, name, text + utf8_mark(text, length));
    if (list->count)
        return list;
    yaml_error(errors, ERROR_VALUE, name, "'%.80s' has no lines; it needs a text on each",
               name->text);
    return NULL;
}
