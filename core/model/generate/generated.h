/* What is asked of a model that says words, and what it said: turns, which are groups of
 * the tape (model/generate/generate.h), and the texts that they made.
 *
 * Texts have numbers: 0 is the beginning, turns[t].first + row · words + col the text of
 * that row of turn t's nodes with the word of column col behind it. Only what was chosen
 * is kept here; every other number of a text is a cell of the tape. */
#ifndef MODEL_GENERATED_H
#define MODEL_GENERATED_H

#include "model/build/transformer.h"

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
    double temperature;     /* of sample: above 0, finite; 1 leaves the logits */
    size_t top_k;           /* 0: all */
    double top_p;           /* above 0, at most 1: all */
    uint64_t seed;          /* of what is drawn */
    size_t width;           /* of beam: from 1 to DECODING_WIDTH_MAX; 1 is greedy */
    double length_exponent; /* 0 or more, finite */
    size_t length;          /* at most so many words: from 1 to DECODING_LENGTH_MAX */
    size_t end;             /* the ID that ends a text, or GENERATE_NONE */
    bool cache;             /* count what a key–value cache leaves to be computed */
} DecodingOptions;

typedef struct GenerateRequest {
    Tape *tape;               /* has the model's parameters; turns are appended to it */
    Arena *arena;             /* for what is not on the tape; lives as long as that */
    const Transformer *model; /* its parameters' present values count, with edits */
    TransformerInput input;   /* as the first turn reads it; the target is <sos>, or the
                                 beginning of a text */
    const char *name;         /* of the words: "said" */
    bool discards_runs; /* the model's runs are not kept: of each text the tape has its
                            IDs and its row of logits, as given ones */
    DecodingOptions options;
} GenerateRequest;

typedef struct DecodingStep {
    size_t first;       /* the number of the first text that it makes */
    size_t text_count;  /* that it puts words behind: 1, of a beam several */
    const size_t *from; /* their numbers */
    const size_t *ids;  /* of each the node of what is read, a row of labelled IDs */
    size_t source; /* what the encoder reads: a node of IDs, or TAPE_NONE without one */
    /* Nodes [texts,words]; TAPE_NONE where the rule does without. */
    size_t logits, scaled, top_k, top_p;
    size_t all_probabilities; /* before the cuts: the chances, where none cuts */
    size_t probabilities, log_probabilities;
    size_t result;          /* the node the turn is about: chances, or a beam's totals */
    size_t chosen_count;    /* what the rule picked: one, or of a beam the best … */
    const size_t *chosen;   /* … as numbers of texts */
    size_t multiplications; /* of all matrix products (see model/generate/cost.h) */
    size_t without_cache;   /* what they would be; the same where there is none */
} DecodingStep;

typedef struct Generated {
    DecodingOptions options;
    size_t word_count, first_output; /* column i is the word with ID first_output + i */
    size_t step_count;
    const DecodingStep *steps;
    size_t best;  /* the text that was said, of a beam the best finished one: */
    size_t count; /* its words */
    const size_t *ids;
    bool ended; /* by options.end rather than by the length */
    size_t multiplications, without_cache;
} Generated;

/* ---- texts ---- */

/* Where a text is: a cell of its turn's nodes. */
typedef struct GeneratedCell {
    size_t step, row, col;
} GeneratedCell;

/* False for text 0, which no turn has made, and for what is no text. */
bool generated_cell(const Generated *said, size_t text, GeneratedCell *cell);

/* The text that a word was put behind, and that word. Not of text 0. */
size_t generated_parent(const Generated *said, size_t text);
size_t generated_token(const Generated *said, size_t text);

/* Fills ids [words of the text] with the words behind the beginning. */
void generated_ids(const Generated *said, size_t text, size_t *ids);

/* Whether a text is complete: it has the word that ends texts, or is as long as may be.
 */
bool generated_is_complete(const Generated *said, size_t text);

/* What a text with this sum of log chances and so many words scores. */
double generated_score(const DecodingOptions *options, double total, size_t words);

/* ---- what became of a word put behind a text ---- */

typedef enum CandidateFate {
    CANDIDATE_KEPT, /* could be drawn; of a beam: grew on */
    CANDIDATE_IMPOSSIBLE,
    CANDIDATE_NOT_LARGEST, /* greedy took another */
    CANDIDATE_PAST_TOP_K,
    CANDIDATE_PAST_TOP_P,
    CANDIDATE_CUT,      /* of a beam: not among the best of its turn, */
    CANDIDATE_FINISHED, /* ended, and set aside, */
    CANDIDATE_GIVEN_UP, /* still growing when nothing could win any more */
    CANDIDATE_FATE_COUNT
} CandidateFate;

/* "kept", "impossible", "not_largest", "top_k", "top_p", "cut", "finished", "given_up".
 */
const char *candidate_fate_name(CandidateFate fate);

/* Of any text; sample's cuts are read from the tape's present values. */
CandidateFate candidate_fate(const Generated *said, const Tape *tape, size_t text);

#endif
