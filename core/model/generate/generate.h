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
 * Requests and results are declared in model/generate/generated.h.
 * Source: Fan et al. 2018 (top-k); Holtzman et al. 2020 (top-p); Sutskever et al. 2014,
 * section 3.2, Wu et al. 2016, section 7 (beam search). */
#pragma once

#include "base/random.h"
#include "model/generate/generated.h"

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
