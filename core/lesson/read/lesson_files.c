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
    size_t number = 0;
    YamlNode *list = arena_alloc(arena, 1, sizeof *list);
    const YamlNode **next = &list->first;
    *list = *name;
    list->kind = YAML_SEQUENCE;
    list->first = NULL;
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        number++;
        size_t kept = length && text[length - 1] == '\r' ? length - 1 : length;
        if (!kept)
            continue;
        YamlNode *line = arena_alloc(arena, 1, sizeof *line);
        *line = *name;
        line->key = NULL;
        line->next = NULL;
        line->text = arena_copy(arena, text, kept);
        line->count = number;
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

/* Makes a pair of a line, at the position of the file's name. */
static YamlNode *pair_of(Arena *arena, const YamlNode *line, const char *tab) {
    YamlNode *pair = arena_alloc(arena, 1, sizeof *pair);
    YamlNode *sides = arena_alloc(arena, 2, sizeof *sides);
    sides[0] = sides[1] = *line;
    sides[0].text = arena_copy(arena, line->text, (size_t)(tab - line->text));
    sides[0].next = &sides[1];
    sides[1].text = tab + 1;
    sides[1].next = NULL;
    *pair = *line;
    pair->kind = YAML_SEQUENCE;
    pair->first = sides;
    pair->next = NULL;
    return pair;
}

const YamlNode *lesson_file_pairs(Arena *arena, const char *lesson, const YamlNode *name,
                                  ErrorList *errors) {
    const YamlNode *lines = lesson_file_lines(arena, lesson, name, errors);
    YamlNode *list = arena_alloc(arena, 1, sizeof *list);
    const YamlNode **next = &list->first;
    if (!lines)
        return NULL;
    *list = *lines; /* its first item is replaced */
    for (const YamlNode *line = lines->first; line; line = line->next) {
        const char *tab = strchr(line->text, '\t');
        if (!tab || strchr(tab + 1, '\t')) {
            yaml_error(errors, ERROR_VALUE, name,
                       "'%.80s', line %zu: a pair is a source, a tab and its target",
                       name->text, line->count);
            return NULL;
        }
        YamlNode *pair = pair_of(arena, line, tab);
        pair->text = name->text;
        pair->text_column = (int)line->count;
        pair->count = 2;
        *next = pair;
        next = &pair->next;
    }
    *next = NULL;
    return list;
}
