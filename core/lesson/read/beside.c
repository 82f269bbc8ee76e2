#include "lesson/read/beside.h"

#include "base/strings/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *beside_path(Arena *arena, const char *lesson, const char *name) {
    const char *slash = strrchr(lesson, '/');
    int folder = slash && *name != '/' ? (int)(slash + 1 - lesson) : 0;
    return arena_format(arena, "%.*s%s", folder, lesson, name);
}

/* ---- bytes ---- */

static bool read_all(int file, uint8_t *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = read(file, bytes, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            errno = count < 0 ? errno : EIO; /* it became shorter meanwhile */
            return false;
        }
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

/* Opening must not wait, as it would for a pipe. */
bool beside_bytes(Arena *arena, const char *what, const char *path, uint8_t **bytes,
                  size_t *length, Error *error) {
    struct stat status = {0};
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return error_set(error, ERROR_FILE, 0, 0,
                         "the %s in '%s' can't be read: it is not a file", what, path);
    /* Memory first: no file may be open where it ends. */
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

/* A list of the text's lines. */
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

const YamlNode *beside_lines(Arena *arena, const char *lesson, const YamlNode *name,
                             ErrorList *errors) {
    ErrorList own = {0};
    size_t length = 0;
    const char *text =
        yaml_read_file(arena, beside_path(arena, lesson, name->text), &length, &own);
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
    const YamlNode *list = list_of(arena, name, text);
    if (list->count)
        return list;
    yaml_error(errors, ERROR_VALUE, name, "'%.80s' has no lines; it needs a text on each",
               name->text);
    return NULL;
}
