/* Parts of the reading of a tokenizer.json, and of tokenizing by it: values of JSON,
 * patterns, steps, models. Only the files of this room include this. */
#pragma once

#include "text/cutter.h"
#include "text/merger.h"

#include <jansson.h>

/* ---- json_node.c: values with their paths, and errors about them ---- */

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

/* ---- pattern.c ---- */

/* Regular expressions as used by tokenizers to split words, matched by PCRE2.
 *
 * tokenizer.json has them in the syntax of Oniguruma, which the `tokenizers` library
 * uses. Constructs are supported if they mean the same in PCRE2 or can be translated:
 * alternatives, groups (?:…) (…) (?i:…) (?>…), lookahead (?=…) (?!…), lookbehind (?<=…)
 * (?<!…) of a fixed length, ^ and $ (of a line), classes with ranges [^a-z\p{L}], general
 * categories \p{L} and scripts \p{Han}, \s \d \w and their complements, the quantifiers ?
 * * + {2} {1,3} {2,}, and after ? * + also ? for lazy and + for possessive matching. */

enum {
    PATTERN_SIZE_MAX = 1 << 12, /* bytes of one */
    PATTERN_DEPTH_MAX = 20,     /* groups within groups */
    PATTERN_REPEATS_MAX = 1000  /* the largest count */
};

typedef struct Pattern Pattern;

/* Compiles a pattern in the arena, which has a guard. NULL with a message in `problem`
 * ("can't be read at byte 3: …") if it is malformed, not supported, or matches the empty
 * text. */
const Pattern *pattern_make(Arena *arena, const char *text, char problem[100]);

/* Makes a pattern that matches exactly this text, which must have at least one character.
 * NULL if it is too long. */
const Pattern *pattern_literal(Arena *arena, const char *text);

/* A search for matches, which can be used for many texts in turn. */
typedef struct PatternSearch PatternSearch;

/* Creates a search with an arena of its own within `outer`, which must have a guard and
 * limits the work. The search is freed with that arena if it isn't destroyed before. */
PatternSearch *pattern_search_create(Arena *arena);
void pattern_search_destroy(PatternSearch *search);

/* Begins to search a text, which must stay valid until the next one is begun. */
void pattern_search_begin(PatternSearch *search, const Pattern *pattern, Letters letters);

/* Finds the next match: characters [*from, *to), at least one. False if there is none. */
bool pattern_search_next(PatternSearch *search, size_t *from, size_t *to);

/* ---- steps.c, steps_read.c: normalizers and pre-tokenizers, as sequences of steps ----
 */

enum { STEPS_MAX = 100, STEPS_DEPTH_MAX = 8 };

typedef enum StepKind {
    STEP_LOWER,     /* converts letter by letter */
    STEP_NORMALIZE, /* applies a Unicode normal form */
    /* replaces matches of a pattern by `content`, or surrounds them with it */
    STEP_REPLACE,
    STEP_PREFIX, /* puts `content` before a word that doesn't begin with it */
    STEP_SPLIT,  /* splits words at matches of a pattern */
    STEP_BYTES   /* maps letters to GPT-2's letters for their bytes */
} StepKind;

/* Handling of the matches of a split, named as in the `tokenizers` library. */
typedef enum SplitBehavior {
    SPLIT_ISOLATED,
    SPLIT_REMOVED,
    SPLIT_MERGED_WITH_PREVIOUS,
    SPLIT_MERGED_WITH_NEXT,
    SPLIT_CONTIGUOUS
} SplitBehavior;

typedef struct Step {
    StepKind kind;
    int form; /* utf8proc's options */
    const Pattern *pattern;
    const char *content;
    bool around;     /* replace: `content` before and behind */
    bool always;     /* prefix: even if the word begins with it */
    bool first_only; /* prefix: only of the text's first word */
    bool invert;     /* split: at the text between matches */
    SplitBehavior behavior;
} Step;

typedef struct Steps {
    size_t count;
    Step items[STEPS_MAX];
    bool bytes; /* has a STEP_BYTES */
} Steps;

/* Words of a text. */
typedef struct StepWords {
    size_t count, capacity;
    Letters *items;
} StepWords;

/* Adds the steps of `normalizer` or `pre_tokenizer` (no value: none). ERROR_NAME for an
 * unsupported type, ERROR_VALUE, ERROR_LIMIT. */
bool steps_read_normalizer(Steps *steps, JsonNode node);
bool steps_read_pre_tokenizer(Steps *steps, JsonNode node);

/* Applies the steps to words; the result is new in the arena, which has a guard. */
void steps_run(StepWords *words, const Steps *steps, Arena *arena);

/* Returns the byte of a letter of GPT-2's alphabet; -1 for other letters. */
int step_byte_of(uint32_t code_point);

/* ---- file_model.c: the content of a file, and how a word is split into tokens ---- */

enum { FILE_WORD_MAX = 1000 /* upper limit of max_input_chars_per_word */ };

/* A token that is matched whole in the text. */
typedef struct AddedToken {
    const VocabularyEntry *entry;
    const char *content;
    size_t id, length;     /* length: letters of the content */
    const Letter *letters; /* the content, normalized if `normalized` */
    bool normalized;       /* matched after the normalizer */
    bool left, right;      /* extends over white space on that side */
    bool word, special;    /* word: matches only as a separate word */
} AddedToken;

typedef struct AddedTokens {
    size_t count;
    AddedToken *items;
} AddedTokens;

struct TokenizerFile {
    Steps normalizer, pre_tokenizer;
    AddedTokens raw, normalized; /* matched before the normalizer, and after it */
    /* the model's split function */
    bool (*cut)(Cutter *cutter, const Letters *word, Error *error);
    Vocabulary *tokens; /* as in the file, by ID */
    Merger merger;
    /* prefix of continuations, suffix of a word's last piece; or "" */
    const char *prefix, *suffix;
    bool whole_words; /* a word that is a token is not split */
    bool byte_fallback, fuse_unknown;
};

/* Reads `model`, and adds its tokens to `vocabulary`, which has the added tokens
 * already. */
bool file_model_read(struct TokenizerFile *made, Tokenizer *tokenizer,
                     Vocabulary *vocabulary, JsonNode node);

/* Returns the vocabulary's name of a token of the file, in the arena. */
const char *file_model_name(const struct TokenizerFile *made, Arena *arena,
                            const char *token);

/* ---- file_cut.c ---- */

/* Tokenizes a whole text: the split function of a tokenizer that was read from a file. */
bool file_split(Cutter *cutter, const Letters *letters, Error *error);
