/* YAML, read into a tree that remembers where everything stood.
 *
 * The tree and all its texts live in the arena given. Only what a lesson needs is taken:
 * one document of scalars, sequences and mappings. Anchors, aliases, tags, keys that are
 * not plain text, keys that come twice, control characters, several documents and nesting
 * past YAML_MAX_DEPTH are errors, each with its own sentence. Parsing is libyaml's. */
#ifndef LESSON_YAML_H
#define LESSON_YAML_H

#include "base/arena.h"
#include "base/error.h"

enum { YAML_MAX_BYTES = 4 << 20, YAML_MAX_DEPTH = 64 };

typedef enum YamlKind { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING } YamlKind;

/* A node. Children are a list: `for (item = node->first; item; item = item->next)`. */
typedef struct YamlNode {
    YamlKind kind;
    int line, column;   /* where it begins, both from 1, in code points */
    int end_line;       /* the last line that it is on */
    int text_column;    /* scalar: where its text begins when it stands in the file just
                           as it reads, on one line; else 0 */
    int comment_column; /* scalar without quotes: where on its last line a comment begins
                            behind it; else 0 */
    const char *text;   /* scalar: never NULL */
    size_t count;       /* sequence, mapping: children */
    const struct YamlNode *first, *next;
    const struct YamlNode *key; /* child of a mapping: the scalar before its colon */
} YamlNode;

/* Reads `length` bytes. Appends every error found; gives the root, or NULL when nothing
 * could be made of the file. What came with errors must not be shown.
 * ERROR_LIMIT, ERROR_ENCODING, ERROR_SYNTAX, ERROR_NAME, ERROR_VALUE, ERROR_MEMORY. */
const YamlNode *yaml_read(Arena *arena, const char *text, size_t length,
                          ErrorList *errors);

/* Reads a whole file into the arena, zero-terminated; NULL with ERROR_FILE when it can't
 * be read, ERROR_LIMIT past YAML_MAX_BYTES, ERROR_MEMORY. */
const char *yaml_read_file(Arena *arena, const char *path, size_t *length,
                           ErrorList *errors);

/* Appends an error at a node's place; false. */
bool yaml_error(ErrorList *errors, ErrorCode code, const YamlNode *node,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A mapping's value under a key, or NULL. Other kinds have no keys. */
const YamlNode *yaml_lookup(const YamlNode *node, const char *key);

#endif
