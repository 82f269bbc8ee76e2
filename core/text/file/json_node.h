/* Places in a tokenizer.json, and what is wrong at them. Private to core/text/file. */
#ifndef TEXT_JSON_NODE_H
#define TEXT_JSON_NODE_H

#include "base/arena.h"
#include "base/error.h"

#include <jansson.h>

/* A file being read, under the arena's guard. */
typedef struct JsonFile {
    Arena *arena;
    const char *name; /* for sentences */
    Error *error;
} JsonFile;

/* A value and its path, "model.vocab"; no value where the file has none there, or null.
 */
typedef struct JsonNode {
    JsonFile *file;
    const json_t *value;
    const char *path;
} JsonNode;

JsonNode json_node_at(JsonNode node, const char *key);
JsonNode json_node_item(JsonNode list, size_t index);

/* Fails with "FILE: 'PATH' " before the sentence. */
bool json_node_fail(JsonNode node, ErrorCode code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether an object has no keys but these, which blanks divide. ERROR_NAME for another,
 * ERROR_SYNTAX for no object. */
bool json_node_keys(JsonNode node, const char *known);

/* Reads the value of a key; one that is not there leaves *out as it is. A text is new in
 * the arena, and "" counts as not there. ERROR_VALUE for another kind of value. */
bool json_node_text(JsonNode node, const char *key, const char **out);
bool json_node_switch(JsonNode node, const char *key, bool *out);
bool json_node_whole(JsonNode node, const char *key, size_t most, size_t *out);

#endif
