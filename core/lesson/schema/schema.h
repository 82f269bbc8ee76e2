/* Schemas: what the mappings of a lesson's file may say, as data.
 *
 * A schema has a row for each key: the kind of its value, its limits, where in a struct
 * it goes, and a sentence on what it is. One reader fills the struct and says what is
 * wrong, at its place and with what would be right; the reference and the JSON Schema
 * that editors complete from are printed from the same rows (schema_print.h). */
#ifndef LESSON_SCHEMA_H
#define LESSON_SCHEMA_H

#include "base/strings/language.h"
#include "lesson/schema/yaml.h"

#include <float.h>

/* What a value is, and what its row's place in the struct holds. */
typedef enum SchemaKind {
    SCHEMA_TEXT,    /* Text: a string, or one for each language */
    SCHEMA_STRING,  /* const char *, not empty */
    SCHEMA_SWITCH,  /* bool: true or false */
    SCHEMA_CHOICE,  /* an enum: which of the row's words it is, counted from its least */
    SCHEMA_WHOLE,   /* size_t; a word of the row's stands for 0 */
    SCHEMA_NUMBER,  /* double */
    SCHEMA_PAIR,    /* size_t[2] */
    SCHEMA_STRINGS, /* SchemaStrings: a list of strings; or a word of the row's */
    SCHEMA_TEXTS,   /* SchemaTexts: a list of SCHEMA_TEXT */
    SCHEMA_MAPPING, /* a pointer to the struct that the row's schema fills */
    SCHEMA_LIST,    /* SchemaItems: a list of such mappings */
    SCHEMA_NAMED,   /* SchemaItems: a mapping from names to such mappings */
    /* const YamlNode *, for whoever makes something of it: */
    SCHEMA_NAME,       /* a string that is looked up */
    SCHEMA_STATEMENT,  /* a string that is computed */
    SCHEMA_NAMES,      /* a name, or a list of them */
    SCHEMA_RENAMED,    /* a mapping from new names to names */
    SCHEMA_CELL,       /* a name, a row and a column */
    SCHEMA_NUMBERS,    /* a number, a row, or a list of rows */
    SCHEMA_PRINTED,    /* the same, with _ for what is not printed */
    SCHEMA_WORDS,      /* a text, or a list of tokens or IDs */
    SCHEMA_TOKENS,     /* a list of tokens, or a mapping from tokens to IDs */
    SCHEMA_VOCABULARY, /* a list of tokens, how many there are, or a name */
    SCHEMA_PAIRS,      /* a list of pairs of SCHEMA_WORDS */
    SCHEMA_WORDS_LIST, /* a list of SCHEMA_WORDS */
    SCHEMA_KIND_COUNT
} SchemaKind;

typedef struct Schema Schema;

typedef struct SchemaRow {
    const char *key;
    SchemaKind kind;
    size_t offset;        /* of its place in the struct */
    const char *sentence; /* what it is */
    const char *example;  /* a value, for sentences; NULL: none is needed */
    double least, most;   /* of numbers, and of how many there are; most 0: no limits */
    bool above;           /* the least itself is too small */
    const char *(*word)(size_t index); /* of a choice; NULL past the last */
    const Schema *schema;              /* of the mappings in it */
    const char *otherwise; /* what holds, as it would be written, where the key isn't
                              there; NULL: zeros */
    bool needed;
    bool marks;       /* a mapping with marks has exactly one of them … */
    const char *with; /* … and this key only beside one of these, "do show"; NULL: any */
    const char *when; /* this key only where another has this value, or one of these,
                         "tokenizer: bpe byte_bpe" */
} SchemaRow;

struct Schema {
    const char *what;  /* in sentences: "a step"; NULL: the key that it stands behind */
    const char *title; /* in the reference, `steps:` */
    const char *sentence; /* the same */
    size_t size;          /* of the struct, whose first member is a SchemaPlace */
    const SchemaRow *rows;
    size_t count;
    bool numbers; /* SCHEMA_NUMBERS may stand for the mapping; only the place is filled */
    const char *stray; /* a key that is looked for here and stands elsewhere; or NULL */
    const char *elsewhere; /* … where it does, as a sentence goes on */
};

/* Where a struct was read from. */
typedef struct SchemaPlace {
    const YamlNode *node; /* NULL: nowhere */
    bool broken;          /* something was wrong there, and told */
} SchemaPlace;

typedef struct SchemaStrings {
    const YamlNode *node; /* NULL: there are none */
    size_t count;
    const char *const *items; /* NULL where a word of the row's stands for them */
} SchemaStrings;

typedef struct SchemaTexts {
    const YamlNode *node; /* NULL: there are none */
    size_t count;
    const Text *items;
} SchemaTexts;

typedef struct SchemaItems {
    const YamlNode *node; /* NULL: there are none */
    size_t count;
    void *items; /* structs, one behind another; with a name, it is place.node->key */
} SchemaItems;

/* No limit but that the number is finite. */
#define SCHEMA_MOST DBL_MAX

/* Fills the struct at `out`, all of it, from a node that should be a mapping; `what`
 * names it in sentences where its schema doesn't. Everything is borrowed from the tree or
 * new in the arena, which has a guard. All errors found, each at its place: false, and
 * the place is broken. ERROR_NAME for keys that there are not or that lack, ERROR_VALUE
 * for all else. */
bool schema_read(const Schema *schema, const YamlNode *node, const char *what, void *out,
                 Arena *arena, ErrorList *errors);

/* Where a key stands in what a struct was read from; NULL where it doesn't. */
const YamlNode *schema_lookup(const SchemaPlace *place, const char *key);

enum { SCHEMA_PHRASE_SIZE = 200 };

/* What a row's value must be: "a whole number from 1 to 64". */
const char *schema_phrase(const SchemaRow *row, char out[SCHEMA_PHRASE_SIZE]);

#endif
