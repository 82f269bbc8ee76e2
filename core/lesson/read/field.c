#include "lesson/read/field.h"

#include "base/number.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

static const char *shorten(char out[UTF8_SHORT_SIZE], const YamlNode *scalar) {
    return utf8_shorten(out, scalar->text, strlen(scalar->text));
}

static bool is_empty(const YamlNode *node) {
    return node->kind == YAML_SCALAR && !node->text[0];
}

static bool no_memory(ErrorList *errors) {
    return error_list_add(errors, ERROR_MEMORY, 0, 0,
                          "the file needs more memory than a lesson may use");
}

bool field_refuse(const YamlNode *node, const char *what, const char *wanted,
                  ErrorList *errors) {
    char list[40] = "an empty list";
    if (node->count)
        snprintf(list, sizeof list, "a list of %zu", node->count);
    return error_list_add(errors, ERROR_VALUE, node->line, node->column,
                          "%s must be %s, not %s", what, wanted,
                          is_empty(node)                ? "empty"
                          : node->kind == YAML_SEQUENCE ? list
                          : node->kind == YAML_MAPPING  ? "a mapping"
                                                        : "a text");
}

static void refuse_key(const YamlNode *key, const char *what, const char *const *known,
                       ErrorList *errors) {
    char name[UTF8_SHORT_SIZE], all[200] = "";
    size_t count = 0;
    while (known[count])
        count++;
    const char *nearest = error_nearest(key->text, known, count);
    if (nearest) {
        error_list_add(errors, ERROR_NAME, key->line, key->column,
                       "unknown key '%s' in %s; did you mean '%s'?", shorten(name, key),
                       what, nearest);
        return;
    }
    size_t length = 0;
    for (size_t i = 0; i < count && length + strlen(known[i]) + 3 < sizeof all; i++)
        length += (size_t)snprintf(all + length, sizeof all - length, "%s%s",
                                   i ? ", " : "", known[i]);
    error_list_add(errors, ERROR_NAME, key->line, key->column,
                   "unknown key '%s' in %s; known are %s", shorten(name, key), what, all);
}

bool field_keys(const YamlNode *node, const char *what, const char *const *known,
                ErrorList *errors) {
    if (node->kind != YAML_MAPPING)
        return field_refuse(node, what, "a mapping ('key: value' lines)", errors);
    bool all_known = true;
    for (const YamlNode *item = node->first; item; item = item->next) {
        size_t i = 0;
        while (known[i] && strcmp(known[i], item->key->text) != 0)
            i++;
        if (!known[i]) {
            refuse_key(item->key, what, known, errors);
            all_known = false;
        }
    }
    return all_known;
}

bool field_string(const YamlNode *node, const char *what, const char **string,
                  ErrorList *errors) {
    if (node->kind != YAML_SCALAR || is_empty(node))
        return field_refuse(node, what, "a text", errors);
    *string = node->text;
    return true;
}

/* A flow mapping cut by a comma within a text shows as a key of many words. */
static bool read_wording(const YamlNode *item, const char *what, Wording *wording,
                         ErrorList *errors) {
    char code[UTF8_SHORT_SIZE];
    *wording = (Wording){.code = item->key->text, .words = ""};
    if (!language_is_code(wording->code) || is_empty(item))
        return error_list_add(errors, ERROR_NAME, item->key->line, item->key->column,
                              "'%s' in %s is no language's code with words behind it; "
                              "codes are written en or pt-BR, and a text with a comma or "
                              "a colon needs quotes",
                              shorten(code, item->key), what);
    return field_string(item, what, &wording->words, errors);
}

bool field_text(Arena *arena, const YamlNode *node, const char *what, Text *text,
                ErrorList *errors) {
    if (node->kind == YAML_SEQUENCE || is_empty(node) ||
        (node->kind == YAML_MAPPING && !node->count))
        return field_refuse(node, what, "a text or {en: …, zh: …}", errors);
    Text made = {.count = node->kind == YAML_MAPPING ? node->count : 1};
    Wording *wording = arena_alloc(arena, made.count, sizeof *wording);
    if (!wording)
        return no_memory(errors);
    made.wordings = wording;
    wording->words = node->text;
    bool good = true;
    for (const YamlNode *item = node->first; item; item = item->next)
        good &= read_wording(item, what, wording++, errors);
    *text = made;
    return good;
}

bool field_number(const YamlNode *node, const char *what, double *value,
                  ErrorList *errors) {
    char text[UTF8_SHORT_SIZE];
    const char *beyond;
    if (node->kind != YAML_SCALAR || is_empty(node))
        return field_refuse(node, what, "a number", errors);
    if (number_parse(node->text, value, &beyond))
        return true;
    if (beyond)
        return error_list_add(errors, ERROR_VALUE, node->line, node->column, "'%s' %s",
                              shorten(text, node), beyond);
    return error_list_add(errors, ERROR_VALUE, node->line, node->column,
                          "'%s' is not a number; numbers are written 2, -0.5, 1e-3, inf "
                          "or -inf, with commas between them",
                          shorten(text, node));
}

bool field_whole(const YamlNode *node, const char *what, size_t least, size_t most,
                 size_t *value, ErrorList *errors) {
    char text[UTF8_SHORT_SIZE];
    double number = -1;
    if (node->kind != YAML_SCALAR || is_empty(node))
        return field_refuse(node, what, "a whole number", errors);
    if (!number_parse(node->text, &number, NULL) || number != floor(number) ||
        !(number >= (double)least && number <= (double)most))
        return error_list_add(errors, ERROR_VALUE, node->line, node->column,
                              "%s is '%s', but must be a whole number from %zu to %zu",
                              what, shorten(text, node), least, most);
    *value = (size_t)number;
    return true;
}

bool field_pair(const YamlNode *node, const char *what, size_t largest, size_t pair[2],
                ErrorList *errors) {
    if (node->kind != YAML_SEQUENCE || node->count != 2)
        return error_list_add(errors, ERROR_VALUE, node->line, node->column,
                              "%s must be two whole numbers, [rows, columns]", what);
    bool first = field_whole(node->first, what, 0, largest, &pair[0], errors);
    return field_whole(node->first->next, what, 0, largest, &pair[1], errors) && first;
}

bool field_strings(Arena *arena, const YamlNode *node, const char *what,
                   const char *const **strings, size_t *count, ErrorList *errors) {
    if (node->kind != YAML_SEQUENCE || !node->count)
        return field_refuse(node, what, "a list of texts, [a, b, c]", errors);
    const char **array = arena_alloc(arena, node->count, sizeof *array);
    size_t i = 0;
    for (const YamlNode *item = node->first; item; item = item->next) {
        if (item->kind != YAML_SCALAR)
            return field_refuse(item, what, "a list of texts, [a, b, c]", errors);
        array[i++] = item->text;
    }
    *strings = array;
    *count = node->count;
    return true;
}
