#include "text/file/file_parts.h"

#include "base/strings/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- paths ---- */

static JsonNode node_of(JsonNode within, const json_t *value, const char *path) {
    return (JsonNode){within.file, json_is_null(value) ? NULL : value, path};
}

JsonNode json_node_at(JsonNode node, const char *key) {
    Arena *arena = node.file->arena;
    return node_of(node, json_object_get(node.value, key),
                   *node.path ? arena_format(arena, "%s.%s", node.path, key) : key);
}

JsonNode json_node_item(JsonNode list, size_t index) {
    return node_of(list, json_array_get(list.value, index),
                   arena_format(list.file->arena, "%s[%zu]", list.path, index));
}

bool json_node_fail(JsonNode node, ErrorCode code, const char *format, ...) {
    char file[UTF8_SHORT_SIZE], path[UTF8_SHORT_SIZE], sentence[ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const char *quote = *node.path ? "'" : "";
    return error_set(node.file->error, code, 0, 0, "%s: %s%s%s %s",
                     utf8_shorten(file, node.file->name, strlen(node.file->name)), quote,
                     *node.path ? utf8_shorten(path, node.path, strlen(node.path)) : "it",
                     quote, sentence);
}

/* ---- values ---- */

/* Reports whether a key is one of the words. */
static bool is_word_of(const char *words, const char *key) {
    size_t length = strlen(key);
    for (const char *at = words; *at; at += *at == ' ') {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, key, length) == 0)
            return true;
        at += word;
    }
    return false;
}

bool json_node_keys(JsonNode node, const char *known) {
    const char *key;
    json_t *value;
    if (!json_is_object(node.value))
        return json_node_fail(node, ERROR_SYNTAX, "must be an object with the keys %s",
                              known);
    json_object_foreach((json_t *)node.value, key, value) {
        if (!is_word_of(known, key))
            return json_node_fail(json_node_at(node, key), ERROR_NAME,
                                  "is a key that is not known there; known are %s",
                                  known);
    }
    return true;
}

static bool wrong_kind(JsonNode node, const char *wanted) {
    return json_node_fail(node, ERROR_VALUE, "must be %s", wanted);
}

bool json_node_text(JsonNode node, const char *key, const char **out) {
    JsonNode found = json_node_at(node, key);
    if (found.value && !json_is_string(found.value))
        return wrong_kind(found, "a text");
    size_t length = json_string_length(found.value);
    if (found.value && length)
        *out = arena_copy(node.file->arena, json_string_value(found.value), length);
    return true;
}

bool json_node_switch(JsonNode node, const char *key, bool *out) {
    JsonNode found = json_node_at(node, key);
    if (found.value && !json_is_boolean(found.value))
        return wrong_kind(found, "true or false");
    if (found.value)
        *out = json_is_true(found.value);
    return true;
}

bool json_node_whole(JsonNode node, const char *key, size_t most, size_t *out) {
    JsonNode found = json_node_at(node, key);
    if (!found.value)
        return true;
    json_int_t number = json_integer_value(found.value);
    if (!json_is_integer(found.value) || number < 0 || (size_t)number > most)
        return json_node_fail(found, ERROR_VALUE, "must be a whole number from 0 to %zu",
                              most);
    *out = (size_t)number;
    return true;
}
