/* Text generation: each decoding step is a group of the tape, and a decoding rule reads
 * its nodes.
 *
 * In each step the model reads every unfinished text, and the rule's operations follow on
 * the rows of their last tokens. Step 2 of the generation "said" appends the group
 * said.turn_2:
 *
 *   said.turn_2.reading       the model's run on a text, each node under its own name
 *     said.turn_2.memory …    behind that path; of several texts each has a group more,
 *                             said.turn_2.text_1, and its nodes are named after that
 *   said.turn_2.next_logits   [texts,words] the rows of the last tokens
 *   of greedy, sample         (scaled) (shares) (top_k) (top_p) chances
 *   of beam                   chances, log_chances, before, totals; in the first step,
 *                             which has nothing before, chances, totals
 *
 * Then a rule chooses from the values of these nodes, and computes nothing itself:
 *
 *   greedy  the token with the largest logit
 *   sample  a token drawn by its probability. The logits are divided by the temperature,
 *           then cut by top-k (the k largest stay), then by top-p (the fewest most likely
 *           tokens whose probabilities sum to p; at least one)
 *   beam    the `width` largest totals (sums of log probabilities) over all texts. A text
 *           that ends is finished and set aside; the others grow until none of them can
 *           score more than the best finished one. A text's score is its total divided by
 *           (its tokens)^length_exponent, counting the end token: exponent 0 leaves the
 *           total, 1 gives the mean, so that long texts are not put at a disadvantage
 *
 * A text ends with the end token or at the maximum length. Ties go to the smaller number:
 * the better parent's, then the smaller ID. A logit of −∞ marks an impossible token,
 * which no rule chooses. The same seed generates the same text on every platform.
 *
 * Texts are numbered: 0 is the prompt; steps[t].first + row · words + col is the text of
 * that row of step t's nodes followed by the token of column col. Only the choices are
 * stored in a Generated; every other number of a text is a cell of the tape.
 * Source: Fan et al. 2018 (top-k); Holtzman et al. 2020 (top-p); Sutskever et al. 2014,
 * section 3.2, Wu et al. 2016, section 7 (beam search). */
#pragma once

#include "base/random.h"
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
    /* its parameters' present values are used, with edits; what is muted in it is muted
     * in each run */
    const Transformer *model;
    /* input of the first step; the target is <sos>, or the prompt */
    TransformerInput input;
    const char *name; /* the generation's name: "said" */
    /* the input is that of the model on the tape: cells set by hand there are set in each
     * run, too, and not only what is muted there is muted */
    bool repeats_cells;
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
    size_t result;          /* the step's main node: probabilities, or a beam's totals */
    size_t chosen_count;    /* number of texts chosen: 1; of a beam the best ones */
    const size_t *chosen;   /* numbers of the texts chosen */
    size_t multiplications; /* of all matrix products */
    size_t without_cache;   /* the same without cache */
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

/* ---- generation ---- */

/* Returns "greedy", "sample" or "beam". */
const char *generate_rule_name(GenerateRule rule);

/* Returns false if no rule has that name. */
bool generate_rule_from_name(const char *name, GenerateRule *rule);

/* Reports whether the options are valid; ERROR_VALUE states what is allowed. */
bool generate_check(const DecodingOptions *options, Error *error);

/* Generates text behind the input's target. ERROR_VALUE for invalid options, a model
 * without logits, or a row of logits that leaves nothing to choose; otherwise the errors
 * of transformer_append_input. On failure the tape may have some of the nodes. */
bool generate_run(Generated *generated, const GenerateRequest *request, Error *error);

/* ---- choosing ---- */

/* Returns the indices 0 to count − 1 in order of falling values, ties by index, NaN last.
 * New in the arena; NULL when that is exhausted. */
size_t *generate_order(Arena *arena, const double *values, size_t count);

/* Draws an index by its probability, with one random_uniform. If only the first in order
 * has a probability above 0, returns it and draws nothing. */
size_t generate_draw(const size_t *order, const double *chances, size_t count,
                     Random *random);

/* ---- the choice by present values ---- */

/* Returns the column of the token that greedy or sample would choose in a step by the
 * tape's present values; sample repeats the draws of earlier steps from its seed.
 * GENERATE_NONE if the values leave nothing to choose. Not for a beam. */
size_t generate_choice(const Generated *generated, const Tape *tape, size_t step,
                       Arena *scratch);

/* Reports whether a step's rule would choose the same by the tape's present values: the
 * same token; for a beam the same texts, and in its last step the same best one. */
bool generate_choice_holds(const Generated *generated, const Tape *tape, size_t step,
                           Arena *scratch);

/* ---- parts: only this room and its tests call them ---- */

/* Appends step `number` and fills step->ids, all its nodes and its multiplications.
 * step->from are texts made by the steps before. Under the arena's guard; other errors
 * are those of transformer_append_input. */
bool decoding_step_append(const GenerateRequest *request, const Generated *earlier,
                          size_t number, DecodingStep *step, Error *error);

/* The cost of running a model: the multiplications of its matrix products, n·k·m for
 * [n,k] @ [k,m], read from the shapes on the tape. Masked scores are computed and count.
 *
 * With a key–value cache a decoding step computes new rows only. The causal mask keeps
 * earlier tokens from seeing later ones, so the rows of a token that an earlier step has
 * read don't change in any layer, and their keys and values are cached. A row is new if
 * it is made from the ID of a new token; the encoder's rows, and the keys and values that
 * cross-attention computes from them, are new in the first step only. Without the causal
 * mask, which can be switched off, all of the decoder's rows are new. Only one row of
 * logits is needed per step. The first step reads all its tokens at once, including the
 * scores that the mask hides. */
/* Returns the multiplications of all products of nodes [first, end). */
size_t cost_whole(const Tape *tape, size_t first, size_t end);

/* Returns the multiplications for the new rows of a run. `run` is the model with the
 * parts that transformer_append_input appended; `known` is the number of target tokens
 * that earlier steps have read, 0 for the first step. Under the arena's guard. */
size_t cost_cached(const Tape *tape, const Transformer *run, size_t known, Arena *arena);
