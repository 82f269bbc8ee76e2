/* Schemas: the allowed content of the mappings in a lesson's file, as data.
 *
 * A schema has a row for each key: the kind of its value, its limits, its member in a
 * struct, and a sentence that describes it. One reader fills the struct and reports
 * errors, at their positions and with what would be right; the reference and the JSON
 * Schema for editors are printed from the same rows (schema_print.h). */
#pragma once

#include "base/strings/language.h"
#include "base/strings/utf8.h"
#include "base/strings/writer.h"
#include "lesson/schema/yaml.h"

#include <float.h>

/* Fields: typed reading of YAML nodes.
 *
 * Each function reports an error with a message of its own, at the node's position, and
 * returns false. `what` names the field in messages: "heading", "the lesson". Texts are
 * borrowed from the YAML tree. */

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

/* Kinds of values. Before the colon: the type of the struct's member. */
typedef enum SchemaKind {
    SCHEMA_TEXT,    /* Text: a string, or one for each language */
    SCHEMA_STRING,  /* const char *, not empty */
    SCHEMA_SWITCH,  /* bool: true or false */
    SCHEMA_CHOICE,  /* an enum: the index among the row's words, plus `least` */
    SCHEMA_WHOLE,   /* size_t; a word of the row's means 0 */
    SCHEMA_NUMBER,  /* double */
    SCHEMA_PAIR,    /* size_t[2] */
    SCHEMA_STRINGS, /* SchemaStrings: a list of strings; or a word of the row's */
    SCHEMA_TEXTS,   /* SchemaTexts: a list of SCHEMA_TEXT */
    SCHEMA_MAPPING, /* a pointer to a struct, filled by the row's schema */
    SCHEMA_LIST,    /* SchemaItems: a list of such mappings */
    SCHEMA_NAMED,   /* SchemaItems: a mapping from names to such mappings */
    /* const YamlNode *, to be interpreted elsewhere: */
    SCHEMA_NAME,       /* a string that is a name */
    SCHEMA_STATEMENT,  /* a string that is a statement */
    SCHEMA_NAMES,      /* a name, or a list of them */
    SCHEMA_RENAMED,    /* a mapping from new names to names */
    SCHEMA_OTHERS,     /* a mapping from new names to texts */
    SCHEMA_CELL,       /* a name, a row and a column */
    SCHEMA_NUMBERS,    /* a number, a row, or a list of rows */
    SCHEMA_PRINTED,    /* the same, with _ for numbers that are not printed */
    SCHEMA_WORDS,      /* a text, or a list of tokens or IDs */
    SCHEMA_TOKENS,     /* a list of tokens, or a mapping from tokens to IDs */
    SCHEMA_VOCABULARY, /* a list of tokens, their number, or a name */
    SCHEMA_PAIRS,      /* a list of pairs of SCHEMA_WORDS */
    SCHEMA_WORDS_LIST, /* a list of SCHEMA_WORDS */
    SCHEMA_KIND_COUNT
} SchemaKind;

typedef struct Schema Schema;

typedef struct SchemaRow {
    const char *key;
    SchemaKind kind;
    size_t offset;        /* offset of the member in the struct */
    const char *sentence; /* description */
    const char *example;  /* a value for messages; NULL: not needed */
    double least, most; /* limits of a number, or of the number of items; most 0: none */
    bool above;         /* the value must be above `least` */
    const char *(*word)(size_t index); /* words of a choice; NULL past the last */
    const Schema *schema;              /* schema of the mappings in the value */
    const char *otherwise;             /* default, as it would be written; NULL: zeros */
    bool needed;
    bool marks; /* marks the kind of mapping: exactly one of its marks must be present */
    /* allowed only together with one of these keys, "do show"; NULL: with any */
    const char *with;
    /* allowed only if another key has one of these values, "tokenizer: bpe byte_bpe" */
    const char *when;
} SchemaRow;

struct Schema {
    const char *what;     /* name in messages: "a step"; NULL: its key */
    const char *title;    /* heading in the reference, `steps:` */
    const char *sentence; /* description in the reference */
    size_t size;          /* size of the struct, whose first member is a SchemaPlace */
    const SchemaRow *rows;
    size_t count;
    /* SCHEMA_NUMBERS is allowed instead of the mapping; only `place` is then filled */
    bool numbers;
    const char *stray;     /* a key that is often put here by mistake; or NULL */
    const char *elsewhere; /* its right position, continuing a message */
};

/* The position in the file that a struct was read from. */
typedef struct SchemaPlace {
    const YamlNode *node; /* NULL: not in the file */
    bool broken;          /* it had errors, which have been reported */
} SchemaPlace;

typedef struct SchemaStrings {
    const YamlNode *node; /* NULL: not given */
    size_t count;
    const char *const *items; /* NULL if a word of the row's was given instead */
} SchemaStrings;

typedef struct SchemaTexts {
    const YamlNode *node; /* NULL: not given */
    size_t count;
    const Text *items;
} SchemaTexts;

typedef struct SchemaItems {
    const YamlNode *node; /* NULL: not given */
    size_t count;
    void *items; /* array of structs; in a mapping, the name is place.node->key */
} SchemaItems;

/* No upper limit except that the number is finite. */
#define SCHEMA_MOST DBL_MAX

/* Fills the struct at `out` completely from a node that should be a mapping; `what` names
 * it in messages unless its schema has a name. Everything is borrowed from the tree or
 * new in the arena, which has a guard. All errors found, each at its position: returns
 * false, and the place is broken. ERROR_NAME for unknown or missing keys, ERROR_VALUE for
 * all others. */
bool schema_read(const Schema *schema, const YamlNode *node, const char *what, void *out,
                 Arena *arena, ErrorList *errors);

/* Returns the node of a key in the mapping that a struct was read from; NULL if it has
 * none. */
const YamlNode *schema_lookup(const SchemaPlace *place, const char *key);

enum { SCHEMA_PHRASE_SIZE = 200 };

/* Writes the condition on a row's value: "a whole number from 1 to 64". */
const char *schema_phrase(const SchemaRow *row, char out[SCHEMA_PHRASE_SIZE]);

/* Printed schemas: JSON Schema for editors, and the reference of the lesson format for
 * people. Both come from the rows that lessons are read by (schema.h). */

/* Writes a JSON Schema of the schema and all within it. It covers kinds, limits and
 * combinations of keys; numbers, names and expressions are only checked by the reader.
 * Source: JSON Schema, draft 7, which editors' YAML servers support. */
void schema_print_json(const Schema *schema, Writer *writer);

/* Writes Markdown: a heading, a sentence and a table for the schema and each within
 * it. */
void schema_print_reference(const Schema *schema, Writer *writer);
