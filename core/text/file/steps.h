/* What a text goes through before it is cut into tokens: the normalizers and
 * pre-tokenizers of a tokenizer.json, made of a few kinds of steps. Private to
 * core/text/file. */
#ifndef TEXT_STEPS_H
#define TEXT_STEPS_H

#include "text/file/json_node.h"
#include "text/file/pattern.h"

enum { STEPS_MAX = 100, STEPS_DEPTH_MAX = 8 };

typedef enum StepKind {
    STEP_LOWER,     /* each letter by itself */
    STEP_NORMALIZE, /* one of Unicode's forms */
    STEP_REPLACE,   /* what fits a pattern becomes `content`, or gets it round it */
    STEP_PREFIX,    /* `content` comes before a word that doesn't begin with it */
    STEP_SPLIT,     /* words are cut where a pattern fits */
    STEP_BYTES      /* letters become GPT-2's letters for their bytes */
} StepKind;

/* What becomes of the places where words are cut. */
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
    bool first_only; /* prefix: of the text's first word */
    bool invert;     /* split: where the pattern does not fit */
    SplitBehavior places;
} Step;

typedef struct Steps {
    size_t count;
    Step items[STEPS_MAX];
    bool bytes; /* one of them is STEP_BYTES */
} Steps;

/* Words that a text has become. */
typedef struct StepWords {
    size_t count, capacity;
    Letters *items;
} StepWords;

/* Adds the steps of `normalizer` or `pre_tokenizer` (no value: none). ERROR_NAME for a
 * type that there is not here, ERROR_VALUE, ERROR_LIMIT. */
bool steps_read_normalizer(Steps *steps, JsonNode node);
bool steps_read_pre_tokenizer(Steps *steps, JsonNode node);

/* Takes words through the steps; all is new in the arena, which has a guard. */
bool steps_run(StepWords *words, const Steps *steps, Arena *arena, Error *error);

/* The byte that a letter of GPT-2's alphabet stands for; -1 for another. */
int step_byte_of(uint32_t code_point);

#endif
