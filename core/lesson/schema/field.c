#include "lesson/schema/schema.h"

#include "base/number.h"
#include "base/strings/utf8.h"

#include <math.h>
#include <string.h>

const char *field_short(char out[UTF8_SHORT_SIZE], const YamlNode *scalar) {
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
    return yaml_error(errors, ERROR_VALUE, node, "%s must be %s, not %s", what, wanted,
                      is_empty(node)                ? "empty"
                      : node->kind == YAML_SEQUENCE ? list
                      : node->kind == YAML_MAPPING  ? "a mapping"
                                                    : "a text");
}

bool field_string(const YamlNode *node, const char *what, const char **string,
                  ErrorList *errors) {
    if (node->kind != YAML_SCALAR || is_empty(node))
        return field_refuse(node, what, "a text", errors);
    *string = node->text;
    return true;
}

/* Makes a wording without words, only their position. */
static Wording wording_at(const YamlNode *words, const YamlNode *at) {
    return (Wording){.words = "",
                     .line = at->line,
                     .column = at->column,
                     .words_line = words->line,
                     .words_column = words->text_column,
                     .comment_line = words->comment_column ? words->end_line : 0,
                     .comment_column = words->comment_column};
}

/* Reads one language's words. A flow mapping cut by a comma within a text appears as a
 * key of many words. */
static bool read_wording(const YamlNode *item, const char *what, Wording *wording,
                         ErrorList *errors) {
    char code[UTF8_SHORT_SIZE];
    *wording = wording_at(item, item->key);
    wording->code = item->key->text;
    if (language_is_code(wording->code) && is_empty(item))
        return yaml_error(
            errors, ERROR_NAME, item->key,
            "'%s' in %s is empty; write its words; a text with a comma or a "
            "colon needs quotes",
            wording->code, what);
    if (!language_is_code(wording->code))
        return yaml_error(errors, ERROR_NAME, item->key,
                          "'%s' in %s is no language's code with words behind it; "
                          "codes are written en or pt-BR, and a text with a comma or "
                          "a colon needs quotes",
                          field_short(code, item->key), what);
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
    *wording = wording_at(node, node);
    wording->words = node->text;
    bool good = true;
    for (const YamlNode *item = node->first; item; item = item->next)
        good &= read_wording(item, what, wording++, errors);
    *text = made;
    return good;
}

/* Refuses a number with characters of word processors or other keyboards. */
static bool refuse_sign(const YamlNode *node, ErrorList *errors) {
    static const struct {
        const char *sign, *name, *plain;
    } signs[] = {{"−", "a typographic minus", "-"},
                 {"，", "a full-width comma", ","},
                 {"．", "a full-width point", "."}};
    char text[UTF8_SHORT_SIZE];
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (strstr(node->text, signs[i].sign))
            return yaml_error(
                errors, ERROR_VALUE, node, "'%s' is not a number: '%s' is %s; write '%s'",
                field_short(text, node), signs[i].sign, signs[i].name, signs[i].plain);
    }
    return true;
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
        return yaml_error(errors, ERROR_VALUE, node, "'%s' %s", field_short(text, node),
                          beyond);
    if (!refuse_sign(node, errors))
        return false;
    return yaml_error(errors, ERROR_VALUE, node,
                      "'%s' is not a number; numbers are written 2, -0.5, 1e-3, inf "
                      "or -inf, with commas between them",
                      field_short(text, node));
}

bool field_whole(const YamlNode *node, const char *what, size_t least, size_t most,
                 size_t *value, ErrorList *errors) {
    char text[UTF8_SHORT_SIZE];
    double number = -1;
    if (node->kind != YAML_SCALAR || is_empty(node))
        return field_refuse(node, what, "a whole number", errors);
    if (!number_parse(node->text, &number, NULL) || number != floor(number) ||
        !(number >= (double)least && number <= (double)most))
        return yaml_error(errors, ERROR_VALUE, node,
                          "%s is '%s', but must be a whole number from %zu to %zu", what,
                          field_short(text, node), least, most);
    *value = (size_t)number;
    return true;
}

bool field_pair(const YamlNode *node, const char *what, size_t least, size_t most,
                size_t pair[2], ErrorList *errors) {
    if (node->kind != YAML_SEQUENCE || node->count != 2)
        return yaml_error(errors, ERROR_VALUE, node,
                          "%s must be two whole numbers, [rows, columns]", what);
    bool first = field_whole(node->first, what, least, most, &pair[0], errors);
    return field_whole(node->first->next, what, least, most, &pair[1], errors) && first;
}
