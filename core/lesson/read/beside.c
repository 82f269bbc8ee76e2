#include "lesson/read/beside.h"

#include "base/strings/utf8.h"

#include <string.h>

const char *beside_path(Arena *arena, const char *lesson, const char *name) {
    const char *slash = strrchr(lesson, '/');
    int folder = slash && *name != '/' ? (int)(slash + 1 - lesson) : 0;
    return arena_format(arena, "%.*s%s", folder, lesson, name);
}

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
