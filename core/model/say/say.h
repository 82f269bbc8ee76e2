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
 *   Texts have numbers: 0 is the beginning, turns[t].first + row · words + col the text
 * of that row of turn t's nodes with the word of column col behind it.
 * Source: Fan et al. 2018 (top-k); Holtzman et al. 2020 (top-p); Sutskever et al. 2014,
 * section 3.2, Wu et al. 2016, section 7 (beam search). */
#ifndef MODEL_SAY_H
#define MODEL_SAY_H

#include "base/random.h"
#include "model/build/transformer.h"

enum { SAY_LENGTH_MAX = 1000, SAY_WIDTH_MAX = 1000 };

#define SAY_NONE ((size_t)-1)

typedef enum SayRule { SAY_GREEDY, SAY_SAMPLE, SAY_BEAM, SAY_RULE_COUNT } SayRule;

/* "greedy", "sample", "beam". */
const char *say_rule_name(SayRule rule);

/* False where there is no such rule. */
bool say_rule_from_name(const char *name, SayRule *rule);

typedef struct SayOptions {
    SayRule rule;
    double temperature;     /* of sample: above 0, finite; 1 leaves the logits */
    size_t top_k;           /* 0: all */
    double top_p;           /* above 0, at most 1: all */
    uint64_t seed;          /* of what is drawn */
    size_t width;           /* of beam: from 1 to SAY_WIDTH_MAX; 1 is greedy */
    double length_exponent; /* 0 or more, finite */
    size_t length;          /* at most so many words: from 1 to SAY_LENGTH_MAX */
    size_t end;             /* the ID that ends a text, or SAY_NONE */
    bool cache;             /* count what a key–value cache leaves to be computed */
} SayOptions;

/* Whether the options are such as can be: ERROR_VALUE with what would do. */
bool say_check(const SayOptions *options, Error *error);

typedef struct SayRequest {
    Tape *tape;               /* has the model's parameters; turns are appended to it */
    Arena *arena;             /* for what is not on the tape */
    const Transformer *model; /* its parameters' present values count, with edits */
    TransformerInput input;   /* as the first turn reads it; the target is <sos>, or the
                                 beginning of a text */
    const char *name;         /* of the words: "said" */
    bool drops_readings; /* the model's runs are not kept: of each text the tape has its
                            IDs and its row of logits, as given ones */
    SayOptions options;
} SayRequest;

typedef struct SayTurn {
    size_t first;       /* the number of the first text that it makes */
    size_t text_count;  /* that it puts words behind: 1, of a beam several */
    const size_t *from; /* their numbers */
    const size_t *ids;  /* of each the node of what is read, a row of labelled IDs */
    /* Nodes [texts,words]; TAPE_NONE where the rule does without. */
    size_t logits, scaled, top_k, top_p;
    size_t shares; /* before the cuts: the chances, where none cuts */
    size_t chances, log_chances;
    size_t result;          /* the node the turn is about: chances, or a beam's totals */
    size_t kept_count;      /* what the rule picked: one, or of a beam the best … */
    const size_t *kept;     /* … as numbers of texts */
    size_t multiplications; /* of all matrix products (see model/say/cost.h) */
} SayTurn;

typedef struct Said {
    SayOptions options;
    size_t word_count, first_output; /* column i is the word with ID first_output + i */
    size_t turn_count;
    const SayTurn *turns;
    size_t best;  /* the text that was said, of a beam the best finished one: */
    size_t count; /* its words */
    const size_t *ids;
    bool ended; /* by options.end rather than by the length */
    size_t multiplications;
} Said;

/* Says words behind the input's target. What say_check says, ERROR_VALUE for a model that
 * says no words and for a row of logits that leaves nothing to choose, and all errors of
 * transformer_append_input. On failure the tape may have some of the nodes. */
bool say_run(Said *said, const SayRequest *request, Error *error);

/* How many words a model can say. */
size_t say_words(const TransformerShape *shape);

/* ---- texts ---- */

/* Where a text is: a cell of its turn's nodes. */
typedef struct SayCell {
    size_t turn, row, col;
} SayCell;

/* False for text 0, which no turn has made, and for what is no text. */
bool say_cell(const Said *said, size_t text, SayCell *cell);

/* The text that a word was put behind, and that word. Not of text 0. */
size_t say_parent(const Said *said, size_t text);
size_t say_word(const Said *said, size_t text);

/* Fills ids [words of the text] with the words behind the beginning. */
void say_ids(const Said *said, size_t text, size_t *ids);

/* What a text with this sum of log chances and so many words scores. */
double say_score(const SayOptions *options, double total, size_t words);

/* ---- what became of a word put behind a text ---- */

typedef enum SayFate {
    SAY_KEPT, /* could be drawn; of a beam: grew on */
    SAY_IMPOSSIBLE,
    SAY_NOT_LARGEST, /* greedy took another */
    SAY_PAST_TOP_K,
    SAY_PAST_TOP_P,
    SAY_CUT,      /* of a beam: not among the best of its turn, */
    SAY_FINISHED, /* ended, and set aside, */
    SAY_GIVEN_UP, /* still growing when nothing could win any more */
    SAY_FATE_COUNT
} SayFate;

/* "kept", "impossible", "not_largest", "top_k", "top_p", "cut", "finished", "given_up".
 */
const char *say_fate_name(SayFate fate);

/* Of any text; sample's cuts are read from the tape's present values. */
SayFate say_fate(const Said *said, const Tape *tape, size_t text);

/* ---- picking ---- */

/* Numbers from 0 to count − 1 by falling values, of equals the smaller first; new in the
 * arena, NULL when that is exhausted. NaN comes last. */
size_t *say_order(Arena *arena, const double *values, size_t count);

/* Draws a number by its chance, with one random_uniform; where only the first in order
 * has any it takes that, and draws none. */
size_t say_draw(const size_t *order, const double *chances, size_t count, Random *random);

#endif
