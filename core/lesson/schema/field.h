/* Fields: typed reading of YAML nodes.
 *
 * Each function reports an error with a message of its own, at the node's position, and
 * returns false. `what` names the field in messages: "heading", "the lesson". Texts are
 * borrowed from the YAML tree. */
#pragma once

#include "base/strings/language.h"
#include "base/strings/utf8.h"
#include "lesson/schema/yaml.h"

/* Shortens a scalar's text for messages into `out`, which is returned. */
const char *field_short(char out[UTF8_SHORT_SIZE], const YamlNode *scalar);

/* Reports that a node is not what is `wanted`; returns false. ERROR_VALUE. */
bool field_refuse(const YamlNode *node, const char *what, const char *wanted,
                  ErrorList *errors);

/* Reads a scalar that is not empty. ERROR_VALUE. */
bool field_string(const YamlNode *node, const char *what, const char **string,
                  ErrorList *errors);

/* Reads one string, or a mapping from language codes to strings; the list is new in the
 * arena. ERROR_VALUE, ERROR_NAME, ERROR_MEMORY. */
bool field_text(Arena *arena, const YamlNode *node, const char *what, Text *text,
                ErrorList *errors);

/* Reads a number as base/number.h does. ERROR_VALUE. */
bool field_number(const YamlNode *node, const char *what, double *value,
                  ErrorList *errors);

/* Reads a whole number from `least` to `most`. ERROR_VALUE. */
bool field_whole(const YamlNode *node, const char *what, size_t least, size_t most,
                 size_t *value, ErrorList *errors);

/* Reads a list of exactly two whole numbers from `least` to `most`. ERROR_VALUE. */
bool field_pair(const YamlNode *node, const char *what, size_t least, size_t most,
                size_t pair[2], ErrorList *errors);
