#include "lesson/read/lesson_files.h"

#include "base/array.h"
#include "lesson/schema/schema.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool no_memory(ErrorList *errors) {
    return error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory for the words");
}

/* ---- one file ---- */

/* Collects a file's words, under the arena's guard. */
typedef struct Collector {
    Arena *arena;
    ErrorList *errors;
    const YamlNode *root;
    size_t count, capacity;
    LanguageWord *words;
} Collector;

static void collect_word(Collector *collector, const YamlNode *node, const char *key) {
    LanguageWord word = {.key = key};
    if (!field_string(node, key, &word.words, collector->errors))
        return;
    collector->words = array_reserve(collector->arena, collector->words, collector->count,
                                     &collector->capacity, sizeof word);
    collector->words[collector->count++] = word;
}

/* Adds the words below a node. Keys contain no dots, so paths are unique. */
static void collect(Collector *collector, const YamlNode *node, const char *prefix) {
    for (const YamlNode *item = node->first; item; item = item->next) {
        const char *name = item->key->text;
        const char *key =
            *prefix ? arena_format(collector->arena, "%s.%s", prefix, name) : name;
        if (strchr(name, '.'))
            yaml_error(collector->errors, ERROR_NAME, item->key,
                       "the key '%.60s' has a dot; write 'a: {b: …}' for a.b", name);
        else if (item->kind == YAML_MAPPING)
            collect(collector, item, key);
        else
            collect_word(collector, item, key);
    }
}

static int compare_words(const void *left, const void *right) {
    return strcmp(((const LanguageWord *)left)->key, ((const LanguageWord *)right)->key);
}

static void collect_all(void *context) {
    Collector *collector = context;
    collect(collector, collector->root, "");
    if (collector->count)
        qsort(collector->words, collector->count, sizeof *collector->words,
              compare_words);
}

static bool read_head(Language *language, const YamlNode *root, ErrorList *errors) {
    const YamlNode *head = yaml_lookup(root, "language");
    const YamlNode *code = head ? yaml_lookup(head, "code") : NULL;
    const YamlNode *name = head ? yaml_lookup(head, "name") : NULL;
    if (!code || !name)
        return yaml_error(errors, ERROR_NAME, root,
                          "the file must name its language, 'language: {code: "
                          "pt, name: Português}'");
    if (!field_string(code, "the code", &language->code, errors) ||
        !field_string(name, "the name", &language->name, errors))
        return false;
    return language_is_code(language->code) ||
           yaml_error(errors, ERROR_VALUE, code,
                      "'%.40s' is not a language's code; codes are written pt or "
                      "pt-BR",
                      language->code);
}

Language *language_parse(Arena *arena, const char *path, const char *text, size_t length,
                         ErrorList *errors) {
    size_t before = errors->count;
    errors->file = path;
    Language *language = arena_alloc(arena, 1, sizeof *language);
    const YamlNode *root = yaml_read(arena, text, length, errors);
    if (!root || errors->count > before)
        return NULL;
    if (root->kind != YAML_MAPPING) {
        yaml_error(errors, ERROR_VALUE, root,
                   "the words must be a mapping, 'key: words'");
        return NULL;
    }
    Collector collector = {.arena = arena, .errors = errors, .root = root};
    if (!language || !arena_guard(arena, collect_all, &collector)) {
        no_memory(errors);
        return NULL;
    }
    language->count = collector.count;
    language->words = collector.words;
    return errors->count == before && read_head(language, root, errors) ? language : NULL;
}

/* ---- all languages ---- */

static int is_yaml(const struct dirent *entry) {
    const char *ending = strrchr(entry->d_name, '.');
    return entry->d_name[0] != '.' && ending && strcmp(ending, ".yaml") == 0;
}

static void add_file(Languages *languages, Arena *arena, const char *path,
                     ErrorList *errors) {
    size_t length = 0;
    errors->file = path;
    const char *text = yaml_read_file(arena, path, &length, errors);
    Language *language = text ? language_parse(arena, path, text, length, errors) : NULL;
    if (!language)
        return;
    for (size_t i = 0; i < languages->count; i++) {
        if (strcmp(languages->items[i]->code, language->code) == 0) {
            language->fallback = languages->items[i];
            languages->items[i] = language;
            return;
        }
    }
    languages->items[languages->count++] = language;
}

static bool add_folder(Languages *languages, Arena *arena, const char *folder,
                       ErrorList *errors) {
    struct dirent **files;
    int count = scandir(folder, &files, is_yaml, alphasort);
    if (count < 0)
        return error_list_add(errors, ERROR_FILE, 0, 0,
                              "the folder '%s' can't be opened: %s", folder,
                              strerror(errno));
    Language **items =
        arena_alloc(arena, languages->count + (size_t)count, sizeof(Language *));
    if (items && languages->count)
        memcpy(items, languages->items, languages->count * sizeof(Language *));
    languages->items = items;
    for (int i = 0; i < count; i++) {
        const char *path = arena_format(arena, "%s/%s", folder, files[i]->d_name);
        if (items && path && !errors->count)
            add_file(languages, arena, path, errors);
        free(files[i]);
    }
    free(files);
    if (arena_exhausted(arena) && !errors->count)
        no_memory(errors);
    return !errors->count;
}

static bool is_default(const Language *language) {
    return strcmp(language_words(language, "language.default"), "true") == 0;
}

static int compare_languages(const void *left, const void *right) {
    const Language *a = *(Language *const *)left, *b = *(Language *const *)right;
    int order = is_default(b) - is_default(a);
    return order ? order : strcmp(a->code, b->code);
}

bool languages_load(Languages *languages, Arena *arena, const char *folder,
                    const char *own, ErrorList *errors) {
    *languages = (Languages){0};
    if (!add_folder(languages, arena, folder, errors))
        return false;
    if (own && access(own, R_OK) == 0 && !add_folder(languages, arena, own, errors))
        return false;
    if (!languages->count)
        return error_list_add(errors, ERROR_FILE, 0, 0,
                              "the folder '%s' has no language; a language is a file of "
                              "words whose name ends in .yaml",
                              folder);
    qsort(languages->items, languages->count, sizeof *languages->items,
          compare_languages);
    for (size_t i = 1; i < languages->count; i++) {
        Language *last = languages->items[i];
        while (last->fallback)
            last = last->fallback;
        last->fallback = languages->items[0];
    }
    return true;
}
