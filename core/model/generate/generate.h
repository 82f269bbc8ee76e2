/* Saying words: a turn of generation is a group of the tape, and the rules read its
 * nodes.
 *
 * In each turn the model reads every text that grows, and the rule's operations follow on
 * the rows of their last words. What turn 2 of the words "said" appends is in the group
 * said.turn_2:
 *
 *   said.turn_2.reading       the model's run on a text, each node under its own name
 *     said.turn_2.memory …    behind that path; of several texts each is in a group more,
 *                             said.turn_2.text_1, and its nodes are named after that
 *   said.turn_2.next_logits   [texts,words] the rows of the last words
 *   of greedy, sample         (scaled) (shares) (top_k) (top_p) chances
 *   of beam                   chances, log_chances, before, totals; in the first turn,
 *                             which has nothing before, chances, totals
 *
 * Then a rule picks from the values of these nodes, and computes nothing itself:
 *
 *   greedy  the largest logit's word
 *   sample  a word drawn by the chances: those left of the logits divided by the
 *           temperature by top-k (the k largest stay), then by top-p (of those, from the
 *           largest on, as many as it takes to reach p of their share; one at least)
 *   beam    the `width` largest totals, sums of log chances, over all texts. A text that
 *           ends is finished and set aside, the others grow on, until none of them can
 *           score more than the best finished one. A text's score is its sum divided by
 *           (its words)^length_exponent, the ending word counted: with 0 the sum itself,
 *           with 1 the mean, so that long texts are not put at a disadvantage
 *
 * A text ends with the word that ends texts, or is as long as may be. Of equals the
 * smaller number wins: the better parent's, then the smaller ID. A logit of −∞ is an
 * impossible word, said by no rule. One seed says the same words wherever it runs.
 *   What is asked for and what came of it are in model/generate/generated.h.
 * Source: Fan et al. 2018 (top-k); Holtzman et al. 2020 (top-p); Sutskever et al. 2014,
 * section 3.2, Wu et al. 2016, section 7 (beam search). */
#ifndef MODEL_GENERATE_H
#define MODEL_GENERATE_H

#include "base/random.h"
#include "model/generate/generated.h"

/* "greedy", "sample", "beam". */
const char *generate_rule_name(GenerateRule rule);

/* False where there is no such rule. */
bool generate_rule_from_name(const char *name, GenerateRule *rule);

/* Whether the options are such as can be: ERROR_VALUE with what would do. */
bool generate_check(const DecodingOptions *options, Error *error);

/* Says words behind the input's target. What generate_check says, ERROR_VALUE for a model
 * that says no words and for a row of logits that leaves nothing to choose, and all
 * errors of transformer_append_input. On failure the tape may have some of the nodes. */
bool generate_run(Generated *said, const GenerateRequest *request, Error *error);

/* ---- picking ---- */

/* Numbers from 0 to count − 1 by falling values, of equals the smaller first; new in the
 * arena, NULL when that is exhausted. NaN comes last. */
size_t *generate_order(Arena *arena, const double *values, size_t count);

/* Draws a number by its chance, with one random_uniform; where only the first in order
 * has any it takes that, and draws none. */
size_t generate_draw(const size_t *order, const double *chances, size_t count,
                     Random *random);

/* ---- what would be said now ---- */

/* The column of the word that greedy or sample would choose in a turn by the tape's
 * present values; sample draws the turns before it again, with its seed. GENERATE_NONE
 * where the values leave nothing to choose. Not of a beam. */
size_t generate_choice(const Generated *said, const Tape *tape, size_t turn,
                       Arena *scratch);

/* Whether a turn's rule would still choose by the tape's present values what it chose:
 * the same word; of a beam the same texts, and in its last turn the same best one. */
bool generate_choice_holds(const Generated *said, const Tape *tape, size_t turn,
                           Arena *scratch);

#endif
