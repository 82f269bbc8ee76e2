/* Normalizers and pre-tokenizers of a tokenizer.json, as sequences of a few kinds of
 * steps. Private to core/text/file. */
#pragma once

#include "text/file/json_node.h"
#include "text/file/pattern.h"

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
