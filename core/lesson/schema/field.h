/* Fields: YAML nodes read as what a lesson expects in their place.
 *
 * Each function says what is wrong in a sentence of its own, at the node's place, and
 * returns false. `what` names the field in sentences: "heading", "the lesson". Texts are
 * borrowed from the YAML tree. */
#ifndef LESSON_FIELD_H
#define LESSON_FIELD_H

#include "base/strings/language.h"
#include "base/strings/utf8.h"
#include "lesson/schema/yaml.h"

/* A scalar's text as sentences quote it, shortened into `out`, which is given back. */
const char *field_short(char out[UTF8_SHORT_SIZE], const YamlNode *scalar);

/* Says that a node is not what is wanted in its place; false. ERROR_VALUE. */
bool field_refuse(const YamlNode *node, const char *what, const char *wanted,
                  ErrorList *errors);

/* A scalar that is not empty. ERROR_VALUE. */
bool field_string(const YamlNode *node, const char *what, const char **string,
                  ErrorList *errors);

/* One string, or a mapping from languages' codes to strings; what lists them is new in
 * the arena. ERROR_VALUE, ERROR_NAME, ERROR_MEMORY. */
bool field_text(Arena *arena, const YamlNode *node, const char *what, Text *text,
                ErrorList *errors);

/* A number as base/number.h reads it. ERROR_VALUE. */
bool field_number(const YamlNode *node, const char *what, double *value,
                  ErrorList *errors);

/* A whole number from `least` to `most`. ERROR_VALUE. */
bool field_whole(const YamlNode *node, const char *what, size_t least, size_t most,
                 size_t *value, ErrorList *errors);

/* A list of exactly two whole numbers from `least` to `most`. ERROR_VALUE. */
bool field_pair(const YamlNode *node, const char *what, size_t least, size_t most,
                size_t pair[2], ErrorList *errors);

#endif
