/* Values in a tokenizer.json with their paths, and errors about them. Private to
 * core/text/file. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <jansson.h>

/* The file being read, under the arena's guard. */
typedef struct JsonFile {
    Arena *arena;
    const char *name; /* name for messages */
    Error *error;
} JsonFile;

/* A value and its path, "model.vocab"; no value if the file has none, or null. */
typedef struct JsonNode {
    JsonFile *file;
    const json_t *value;
    const char *path;
} JsonNode;

JsonNode json_node_at(JsonNode node, const char *key);
JsonNode json_node_item(JsonNode list, size_t index);

/* Fails with "FILE: 'PATH' " before the message. */
bool json_node_fail(JsonNode node, ErrorCode code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports whether an object has only the keys in `known`, separated by blanks. ERROR_NAME
 * for others, ERROR_SYNTAX if it is no object. */
bool json_node_keys(JsonNode node, const char *known);

/* Reads the value of a key; if it is missing, *out is unchanged. A text is new in the
 * arena, and "" counts as missing. ERROR_VALUE for another kind of value. */
bool json_node_text(JsonNode node, const char *key, const char **out);
bool json_node_switch(JsonNode node, const char *key, bool *out);
bool json_node_whole(JsonNode node, const char *key, size_t most, size_t *out);
