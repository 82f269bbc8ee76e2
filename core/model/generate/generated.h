/* Requests to generate text, and their results: decoding steps, which are groups of the
 * tape (model/generate/generate.h), and the texts they made.
 *
 * Texts are numbered: 0 is the prompt; steps[t].first + row · words + col is the text of
 * that row of step t's nodes followed by the token of column col. Only the choices are
 * stored here; every other number of a text is a cell of the tape. */
#pragma once

#include "model/build/model.h"

#include <stdint.h>

enum { DECODING_LENGTH_MAX = 1000, DECODING_WIDTH_MAX = 1000 };

#define GENERATE_NONE ((size_t)-1)

typedef enum GenerateRule {
    GENERATE_GREEDY,
    GENERATE_SAMPLE,
    GENERATE_BEAM,
    GENERATE_RULE_COUNT
} GenerateRule;

typedef struct DecodingOptions {
    GenerateRule rule;
    double temperature;     /* sample: above 0, finite; 1 leaves the logits */
    size_t top_k;           /* sample: number of tokens kept; 0: all */
    double top_p;           /* sample: above 0, at most 1, which keeps all */
    uint64_t seed;          /* sample: seed of the draws */
    size_t width;           /* beam: 1 to DECODING_WIDTH_MAX; 1 is greedy */
    double length_exponent; /* beam: 0 or more, finite */
    size_t length;          /* maximum number of tokens: 1 to DECODING_LENGTH_MAX */
    size_t end;             /* end token's ID, or GENERATE_NONE */
    bool cache;             /* count multiplications as with a key–value cache */
} DecodingOptions;

typedef struct GenerateRequest {
    Tape *tape; /* has the model's parameters; steps are appended to it */
    /* arena for data that is not on the tape; must live as long as the tape */
    Arena *arena;
    const Transformer *model; /* its parameters' present values are used, with edits */
    /* input of the first step; the target is <sos>, or the prompt */
    TransformerInput input;
    const char *name;   /* the generation's name: "said" */
    bool discards_runs; /* the model's runs are not kept on the tape: of each text it has
                           only the IDs and the row of logits, as given tensors */
    DecodingOptions options;
} GenerateRequest;

typedef struct DecodingStep {
    size_t first;       /* number of the first text it makes */
    size_t text_count;  /* texts it extends: 1; of a beam several */
    const size_t *from; /* numbers of those texts */
    const size_t *ids;  /* nodes of the texts' IDs, each a labelled row */
    size_t source;      /* node of the encoder's IDs, or TAPE_NONE without encoder */
    /* Nodes [texts,words]; TAPE_NONE if the rule has none. */
    size_t logits, scaled, top_k, top_p;
    /* before top-k and top-p; `probabilities` if neither cuts */
    size_t all_probabilities;
    size_t probabilities, log_probabilities;
    size_t result;        /* the step's main node: probabilities, or a beam's totals */
    size_t chosen_count;  /* number of texts chosen: 1; of a beam the best ones */
    const size_t *chosen; /* numbers of the texts chosen */
    /* multiplications of all matrix products (model/generate/cost.h) */
    size_t multiplications;
    size_t without_cache; /* the same without cache */
} DecodingStep;

typedef struct Generated {
    DecodingOptions options;
    size_t word_count, first_output; /* column i is the token with ID first_output + i */
    size_t step_count;
    const DecodingStep *steps;
    size_t best;  /* number of the result: the only text, or the best finished one */
    size_t count; /* tokens of the result */
    const size_t *ids;
    bool ended; /* true if ended by the end token rather than by the maximum length */
    size_t multiplications, without_cache;
} Generated;

/* ---- texts ---- */

/* A text's cell in the nodes of its step. */
typedef struct GeneratedCell {
    size_t step, row, col;
} GeneratedCell;

/* Returns false for text 0, which no step has made, and for numbers that are no text. */
bool generated_cell(const Generated *generated, size_t text, GeneratedCell *cell);

/* The text's parent and its last token. Not for text 0. */
size_t generated_parent(const Generated *generated, size_t text);
size_t generated_token(const Generated *generated, size_t text);

/* Fills ids [tokens of the text] with the tokens behind the prompt. */
void generated_ids(const Generated *generated, size_t text, size_t *ids);

/* Reports whether a text ends with the end token or has the maximum length. */
bool generated_is_complete(const Generated *generated, size_t text);

/* Returns the score of a text with this sum of log probabilities and so many tokens. */
double generated_score(const DecodingOptions *options, double total, size_t words);

/* ---- fates of candidates ---- */

typedef enum CandidateFate {
    CANDIDATE_KEPT, /* can be drawn; of a beam: is extended */
    CANDIDATE_IMPOSSIBLE,
    CANDIDATE_NOT_LARGEST, /* not greedy's choice */
    CANDIDATE_PAST_TOP_K,
    CANDIDATE_PAST_TOP_P,
    CANDIDATE_CUT,      /* beam: not among the best of its step */
    CANDIDATE_FINISHED, /* beam: ended, and was set aside */
    CANDIDATE_GIVEN_UP, /* beam: unfinished when no text could win any more */
    CANDIDATE_FATE_COUNT
} CandidateFate;

/* Returns "kept", "impossible", "not_largest", "top_k", "top_p", "cut", "finished" or
 * "given_up". */
const char *candidate_fate_name(CandidateFate fate);

/* Returns the fate of any text; sample's cuts are read from the tape's present values. */
CandidateFate candidate_fate(const Generated *generated, const Tape *tape, size_t text);
