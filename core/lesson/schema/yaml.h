/* YAML, parsed into a tree with the positions of all nodes.
 *
 * The tree and all its texts live in the arena given. Only the subset that lessons need
 * is accepted: one document of scalars, sequences and mappings. Anchors, aliases, tags,
 * keys that are not plain text, repeated keys, control characters, several documents and
 * nesting past YAML_MAX_DEPTH are errors, each with its own message. Parsing is
 * libyaml's. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

enum { YAML_MAX_BYTES = 4 << 20, YAML_MAX_DEPTH = 64 };

typedef enum YamlKind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING } YamlKind;

/* A node. Children are a list: `for (item = node->first; item; item = item->next)`. */
typedef struct YamlNode {
    YamlKind kind;
    int line, column; /* position of its beginning, both from 1, in code points */
    int end_line;     /* line of its end */
    /* scalar: column where its text begins if it is in the file literally, on one line;
     * else 0 */
    int text_column;
    /* scalar without quotes: column of a comment behind it on its last line; else 0 */
    int comment_column;
    const char *text; /* scalar: never NULL */
    size_t count;     /* sequence or mapping: number of children */
    const struct YamlNode *first, *next;
    const struct YamlNode *key; /* child of a mapping: its key, a scalar */
} YamlNode;

/* Parses `length` bytes. Appends every error found; returns the root, or NULL if the file
 * can't be parsed at all. A tree with errors must not be used for display. ERROR_LIMIT,
 * ERROR_ENCODING, ERROR_SYNTAX, ERROR_NAME, ERROR_VALUE, ERROR_MEMORY. */
const YamlNode *yaml_read(Arena *arena, const char *text, size_t length,
                          ErrorList *errors);

/* Reads a whole file into the arena, zero-terminated; NULL with ERROR_FILE when it can't
 * be read, ERROR_LIMIT past YAML_MAX_BYTES, ERROR_MEMORY. */
const char *yaml_read_file(Arena *arena, const char *path, size_t *length,
                           ErrorList *errors);

/* Appends an error at a node's position; returns false. */
bool yaml_error(ErrorList *errors, ErrorCode code, const YamlNode *node,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Appends an error that has no position at a node's; returns false. */
bool yaml_error_append(ErrorList *errors, const Error *error, const YamlNode *node);

/* Returns a mapping's value for a key, or NULL. Other kinds have no keys. */
const YamlNode *yaml_lookup(const YamlNode *node, const char *key);

/* Messages about files that are not valid YAML, for readers who don't know YAML. */

/* Fills `out` with the complete message about a problem at a position of the text, both
 * from 1, columns in code points: libyaml's description and a correction; only the
 * correction if the intention is recognizable, and then *line and *column are moved to
 * its position. Returns true if libyaml's context would add nothing. */
bool yaml_advise(char out[ERROR_MESSAGE_SIZE], const char *problem, const char *text,
                 size_t length, int *line, int *column);
