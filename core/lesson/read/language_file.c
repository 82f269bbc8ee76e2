#include "lesson/read/lesson_files.h"

#include "base/array.h"
#include "base/strings/utf8.h"
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
    const YamlNode *root; /* its tree; NULL while it is read line by line */
    const char *text;
    size_t length;
    size_t count, capacity;
    LanguageWord *words;
} Collector;

static void add_word(Collector *collector, LanguageWord word) {
    collector->words = array_reserve(collector->arena, collector->words, collector->count,
                                     &collector->capacity, sizeof word);
    collector->words[collector->count++] = word;
}

/* Returns the key of a name below a prefix, "PREFIX.NAME". */
static const char *key_of(Collector *collector, const char *prefix, const char *name,
                          size_t length) {
    size_t before = strlen(prefix);
    if (!before)
        return arena_copy(collector->arena, name, length);
    char *key = arena_alloc(collector->arena, before + 1 + length + 1, 1);
    memcpy(key, prefix, before);
    key[before] = '.';
    memcpy(key + before + 1, name, length);
    return key;
}

static void collect_word(Collector *collector, const YamlNode *node, const char *key) {
    LanguageWord word = {.key = key};
    if (field_string(node, key, &word.words, collector->errors))
        add_word(collector, word);
}

/* Adds the words below a node. Keys contain no dots, so paths are unique. */
static void collect(Collector *collector, const YamlNode *node, const char *prefix) {
    for (const YamlNode *item = node->first; item; item = item->next) {
        const char *name = item->key->text;
        const char *key = key_of(collector, prefix, name, strlen(name));
        if (strchr(name, '.'))
            yaml_error(collector->errors, ERROR_NAME, item->key,
                       "the key '%.60s' has a dot; write 'a: {b: …}' for a.b", name);
        else if (item->kind == YAML_MAPPING)
            collect(collector, item, key);
        else
            collect_word(collector, item, key);
    }
}

/* ---- files of plain lines ----
 *
 * A file of words is long, and nearly all of its lines are `key: "words"`, or `key:`
 * above lines that are indented more. Such a file is read here, many times faster than as
 * YAML; one with any other line is left to yaml_read. */

/* Lines of a text that is read one by one, without comments and empty lines. */
typedef struct Lines {
    const char *at, *end;
    size_t indent;           /* blanks before the key */
    const char *key, *value; /* of the present line; key NULL: behind the last line */
    size_t key_length, value_length;
} Lines;

/* Reports whether a text is UTF-8 without characters that YAML refuses or takes for the
 * end of a line, except "\n" (YAML 1.2, 5.1 and 5.4). */
static bool is_plain_text(const char *text, size_t length) {
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = bytes[i];
        if (c >= 0x20 && c < 0x7F)
            continue;
        unsigned char next = i + 1 < length ? bytes[i + 1] : 0;
        if ((c < 0x20 && c != '\n') || c == 0x7F || (c == 0xC2 && next < 0xA0) ||
            (c == 0xE2 && next == 0x80 && i + 2 < length && bytes[i + 2] >= 0xA8 &&
             bytes[i + 2] <= 0xA9) ||
            (c == 0xEF && (next == 0xBB || next == 0xBF)))
            return false;
    }
    return utf8_check(text, length) == length;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Reports whether a character has no meaning in YAML anywhere in a text. */
static bool is_plain(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == ' ' || c == '_' || c == '-' ||
           c == '.' || c == '(' || c == ')' || (unsigned char)c >= 0x80;
}

/* Goes to the next line that has a key. False if it is none that is read here. */
static bool next_line(Lines *lines) {
    lines->key = NULL;
    while (lines->at < lines->end) {
        const char *line = lines->at, *key = line;
        const char *end = memchr(line, '\n', (size_t)(lines->end - line));
        end = end ? end : lines->end;
        lines->at = end < lines->end ? end + 1 : end;
        while (key < end && *key == ' ')
            key++;
        if (key == end || *key == '#')
            continue;
        const char *colon = key;
        while (colon < end && (is_letter(*colon) || (*colon >= '0' && *colon <= '9') ||
                               *colon == '_' || *colon == '-'))
            colon++;
        if (!is_letter(*key) || colon == end || *colon != ':' ||
            (colon + 1 < end && colon[1] != ' '))
            return false;
        const char *value = colon + 1;
        while (value < end && *value == ' ')
            value++;
        lines->indent = (size_t)(key - line);
        lines->key = key;
        lines->key_length = (size_t)(colon - key);
        lines->value = value;
        lines->value_length = (size_t)(end - value);
        return true;
    }
    return true;
}

/* Returns a line's value, new in the arena, if it is a text with nothing in it that has a
 * meaning in YAML; else NULL. */
static const char *plain_value(Collector *collector, const Lines *lines) {
    const char *value = lines->value;
    size_t length = lines->value_length, i = 1;
    if (*value == '"') {
        while (i < length && value[i] != '"' && value[i] != '\\')
            i++;
        return i + 1 == length && value[i] == '"'
                   ? arena_copy(collector->arena, value + 1, length - 2)
                   : NULL;
    }
    while (i < length && is_plain(value[i]))
        i++;
    bool plain = i == length && value[length - 1] != ' ' &&
                 (is_letter(*value) || (unsigned char)*value >= 0x80);
    return plain ? arena_copy(collector->arena, value, length) : NULL;
}

static void collect(Collector *collector, const YamlNode *node, const char *prefix);

/* Reads a line's value as YAML: words in quotation marks, or a mapping in braces. NULL if
 * it is something else, has errors, or goes on in the next line. */
static const YamlNode *read_value(Collector *collector, const Lines *lines) {
    ErrorList errors = {0};
    bool braces = *lines->value == '{';
    if (!braces && *lines->value != '"' && *lines->value != '\'')
        return NULL;
    const YamlNode *node =
        yaml_read(collector->arena, lines->value, lines->value_length, &errors);
    YamlKind kind = braces ? YAML_MAPPING : YAML_SCALAR;
    return node && !errors.count && node->kind == kind ? node : NULL;
}

/* Adds a line: its words, or a key without words if it begins a mapping. False if it has
 * errors or can't be read here. */
static bool collect_line(Collector *collector, const Lines *lines, const char *key) {
    const YamlNode *node = NULL;
    LanguageWord word = {.key = key};
    if (lines->value_length)
        word.words = plain_value(collector, lines);
    if (lines->value_length && !word.words) {
        node = read_value(collector, lines);
        if (!node)
            return false;
        word.words = node->text;
    }
    if (word.words && !*word.words)
        return false;
    add_word(collector, word);
    if (node)
        collect(collector, node, key);
    return !collector->errors->count;
}

/* Adds the lines of a mapping, from the present one on. */
static bool collect_lines(Collector *collector, Lines *lines, const char *prefix,
                          size_t depth) {
    size_t indent = lines->indent;
    while (lines->key && lines->indent == indent) {
        const char *key = key_of(collector, prefix, lines->key, lines->key_length);
        bool has_value = lines->value_length;
        if (!collect_line(collector, lines, key) || !next_line(lines))
            return false;
        bool deeper = lines->key && lines->indent > indent;
        if (deeper == has_value || depth == YAML_MAX_DEPTH ||
            (deeper && !collect_lines(collector, lines, key, depth + 1)))
            return false;
    }
    return !lines->key || lines->indent < indent;
}

static int compare_words(const void *left, const void *right) {
    return strcmp(((const LanguageWord *)left)->key, ((const LanguageWord *)right)->key);
}

static void sort(Collector *collector) {
    if (collector->count)
        qsort(collector->words, collector->count, sizeof *collector->words,
              compare_words);
}

static void collect_all(void *context) {
    Collector *collector = context;
    collect(collector, collector->root, "");
    sort(collector);
}

/* Leaves no words if the file has other lines than plain ones, or errors. */
static void collect_plain(void *context) {
    Collector *collector = context;
    Lines lines = {.at = collector->text, .end = collector->text + collector->length};
    bool good = is_plain_text(collector->text, collector->length) && next_line(&lines) &&
                lines.key && !lines.indent && collect_lines(collector, &lines, "", 1);
    LanguageWord *words = collector->words;
    size_t count = collector->count, kept = 0;
    sort(collector);
    for (size_t i = 0; good && i < count; i++) {
        good = i + 1 == count || strcmp(words[i].key, words[i + 1].key) != 0;
        if (words[i].words) /* not a mapping's key */
            words[kept++] = words[i];
    }
    collector->count = good ? kept : 0;
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

/* Reads a file of plain lines. Without words if it is not one, or doesn't name its
 * language; false without memory. */
static bool parse_plain(Arena *arena, const char *text, size_t length,
                        Language *language) {
    ErrorList errors = {0};
    Collector collector = {
        .arena = arena, .errors = &errors, .text = text, .length = length};
    if (!arena_guard(arena, collect_plain, &collector))
        return false;
    Language found = {.count = collector.count, .words = collector.words};
    found.code = language_words(&found, "language.code");
    found.name = language_words(&found, "language.name");
    if (language_has(&found, "language.name") && language_is_code(found.code))
        *language = found;
    return true;
}

Language *language_parse(Arena *arena, const char *path, const char *text, size_t length,
                         ErrorList *errors) {
    size_t before = errors->count;
    errors->file = path;
    Language *language = arena_alloc(arena, 1, sizeof *language);
    if (!language || !parse_plain(arena, text, length, language)) {
        no_memory(errors);
        return NULL;
    }
    if (language->count)
        return language;
    const YamlNode *root = yaml_read(arena, text, length, errors);
    if (!root || errors->count > before)
        return NULL;
    if (root->kind != YAML_MAPPING) {
        yaml_error(errors, ERROR_VALUE, root,
                   "the words must be a mapping, 'key: words'");
        return NULL;
    }
    Collector collector = {.arena = arena, .errors = errors, .root = root};
    if (!arena_guard(arena, collect_all, &collector)) {
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
