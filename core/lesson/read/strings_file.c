#include "lesson/read/strings_file.h"

#include "base/utf8.h"
#include "lesson/read/field.h"

#include <stdlib.h>
#include <string.h>

/* An entry with the place it came from, until all are sorted. */
typedef struct Found {
    StringsEntry entry;
    const YamlNode *key;
} Found;

typedef struct Collector {
    Arena *arena;
    ErrorList *errors;
    size_t count;
    Found *found;
} Collector;

static bool is_language(const YamlNode *item) {
    Language language;
    return language_from_code(item->key->text, &language);
}

/* A word is a scalar, or a mapping with a language among its keys. */
static bool is_word(const YamlNode *node) {
    if (node->kind != YAML_MAPPING)
        return true;
    for (const YamlNode *item = node->first; item; item = item->next) {
        if (is_language(item))
            return true;
    }
    return false;
}

static size_t count_words(const YamlNode *node) {
    if (is_word(node))
        return 1;
    size_t count = 0;
    for (const YamlNode *item = node->first; item; item = item->next)
        count += count_words(item);
    return count;
}

static void collect_word(Collector *collector, const YamlNode *node, const char *key) {
    char shortened[UTF8_SHORT_SIZE];
    Found *found = &collector->found[collector->count];
    const char *name = utf8_shorten(shortened, key, strlen(key));
    if (!field_text(node, name, &found->entry.text, collector->errors))
        return;
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        if (!found->entry.text.in[i])
            error_list_add(collector->errors, ERROR_VALUE, node->line, node->column,
                           "'%s' has no words for '%s'; every word needs all languages",
                           name, language_code((Language)i));
    }
    found->entry.key = key;
    found->key = node->key;
    collector->count++;
}

static void collect(Collector *collector, const YamlNode *node, const char *prefix) {
    for (const YamlNode *item = node->first; item; item = item->next) {
        const char *key =
            *prefix ? arena_format(collector->arena, "%s.%s", prefix, item->key->text)
                    : item->key->text;
        if (!key)
            return;
        if (is_word(item))
            collect_word(collector, item, key);
        else
            collect(collector, item, key);
    }
}

static int compare_found(const void *left, const void *right) {
    const Found *a = left, *b = right;
    int order = strcmp(a->entry.key, b->entry.key);
    return order ? order : (a->key->line > b->key->line) - (a->key->line < b->key->line);
}

static bool no_memory(ErrorList *errors) {
    return error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory for the words");
}

/* Puts the found entries in order; a key that is made up in two ways is an error. */
static bool finish(Strings *strings, Collector *collector) {
    char key[UTF8_SHORT_SIZE];
    size_t count = collector->count;
    StringsEntry *entries = arena_alloc(collector->arena, count, sizeof *entries);
    if (!entries)
        return no_memory(collector->errors);
    if (count)
        qsort(collector->found, count, sizeof *collector->found, compare_found);
    for (size_t i = 0; i < count; i++) {
        const Found *found = &collector->found[i];
        entries[i] = found->entry;
        if (i && strcmp(entries[i].key, entries[i - 1].key) == 0)
            error_list_add(
                collector->errors, ERROR_NAME, found->key->line, found->key->column,
                "'%s' stands here a second time, first at line %d; a key comes "
                "once",
                utf8_shorten(key, entries[i].key, strlen(entries[i].key)),
                collector->found[i - 1].key->line);
    }
    *strings = (Strings){count, entries};
    return true;
}

bool strings_parse(Strings *strings, Arena *arena, const char *path, const char *text,
                   size_t length, ErrorList *errors) {
    size_t before = errors->count;
    errors->file = path;
    const YamlNode *root = yaml_read(arena, text, length, errors);
    if (!root || errors->count > before)
        return false;
    if (root->kind != YAML_MAPPING)
        return error_list_add(errors, ERROR_VALUE, root->line, root->column,
                              "the words must be a mapping, 'key: {en: …, zh: …}'");
    Collector collector = {.arena = arena, .errors = errors};
    collector.found = arena_alloc(arena, count_words(root), sizeof *collector.found);
    if (!collector.found)
        return no_memory(errors);
    collect(&collector, root, "");
    if (arena_exhausted(arena))
        return no_memory(errors);
    return finish(strings, &collector) && errors->count == before;
}

bool strings_load(Strings *strings, Arena *arena, const char *path, ErrorList *errors) {
    size_t length = 0;
    errors->file = path;
    const char *text = yaml_read_file(arena, path, &length, errors);
    return text && strings_parse(strings, arena, path, text, length, errors);
}
