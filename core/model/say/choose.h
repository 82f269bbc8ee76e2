/* Choosing the next word: what each rule makes of one row of logits.
 *
 * The usual order: temperature, then top-k, then top-p, then a draw. Every word keeps its
 * share before the cuts, which rule cut it away, and its chance after them, so that a
 * picture can show each. Words are numbered from 0, the columns of the row. Pure
 * functions on plain arrays; nothing is allocated or kept.
 *
 *   temperature  logits are divided by it before the softmax: below 1 the likely words
 *                gain, above 1 the unlikely ones. So small that quotients overflow, only
 *                the largest logits keep a share
 *   top-k        the k words with the largest shares stay; past the vocabulary's size,
 * all top-p        of those, from the largest share on, as many words as it takes to
 * reach p of what top-k left: always one at least, and with p = 1 all greedy       only
 * the word with the largest share stays; top-k and top-p do not count
 *
 * Of equal logits the smaller number comes first. A logit of −∞ is an impossible word,
 * cut before all rules. NaN, +∞, or −∞ throughout leave nothing to choose: ERROR_VALUE.
 * Source: Fan et al. 2018 (top-k); Holtzman et al. 2020 (top-p). */
#ifndef MODEL_CHOOSE_H
#define MODEL_CHOOSE_H

#include "base/error.h"
#include "base/random.h"

typedef enum ChooseRule { CHOOSE_GREEDY, CHOOSE_SAMPLE } ChooseRule;

typedef struct ChooseOptions {
    ChooseRule rule;
    double temperature; /* above 0, finite */
    size_t top_k;       /* 0: all */
    double top_p;       /* above 0, at most 1: all */
} ChooseOptions;

typedef enum ChooseFate {
    CHOOSE_KEPT,
    CHOOSE_IMPOSSIBLE, /* its logit is −∞ */
    CHOOSE_NOT_LARGEST,
    CHOOSE_PAST_TOP_K,
    CHOOSE_PAST_TOP_P,
    CHOOSE_FATE_COUNT
} ChooseFate;

typedef struct ChooseWord {
    double logit;
    double share;    /* of the softmax after temperature, before any cut */
    double chance;   /* of being drawn: the kept words' shares, made to sum to 1 */
    ChooseFate fate; /* kept, or what cut it away */
} ChooseWord;

/* "kept", "impossible", "not_largest", "top_k", "top_p". */
const char *choose_fate_name(ChooseFate fate);

/* Whether the options are such as can be: ERROR_VALUE with what would do. */
bool choose_check(const ChooseOptions *options, Error *error);

/* Whether a row of logits leaves anything to choose: ERROR_VALUE where not. */
bool choose_check_logits(const double *logits, size_t count, Error *error);

/* Fills words [count], and order [count] with the words' numbers, the largest logit's
 * first. Options must have passed choose_check, count must not be 0. ERROR_VALUE when
 * there is nothing to choose (see above). */
bool choose_words(ChooseWord *words, size_t *order, const double *logits, size_t count,
                  const ChooseOptions *options, Error *error);

/* Draws one of the words by their chances, with one random_uniform; where just one is
 * left it takes that, and draws none. `random` may be NULL then. Words must come from
 * choose_words. */
size_t choose_draw(const ChooseWord *words, const size_t *order, size_t count,
                   Random *random);

#endif
