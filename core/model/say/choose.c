#include "model/say/choose.h"

#include <assert.h>
#include <math.h>

const char *choose_fate_name(ChooseFate fate) {
    static const char *const names[CHOOSE_FATE_COUNT] = {
        [CHOOSE_KEPT] = "kept",
        [CHOOSE_IMPOSSIBLE] = "impossible",
        [CHOOSE_NOT_LARGEST] = "not_largest",
        [CHOOSE_PAST_TOP_K] = "top_k",
        [CHOOSE_PAST_TOP_P] = "top_p",
    };
    return names[fate];
}

bool choose_check(const ChooseOptions *options, Error *error) {
    if (!(options->temperature > 0 && options->temperature < INFINITY))
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the temperature is %g, but must be above 0: 1 leaves the "
                         "chances as they are",
                         options->temperature);
    if (!(options->top_p > 0 && options->top_p <= 1))
        return error_set(error, ERROR_VALUE, 0, 0,
                         "top-p is %g, but must be above 0 and at most 1, which keeps "
                         "all words",
                         options->top_p);
    return true;
}

/* ---- shares ---- */

bool choose_check_logits(const double *logits, size_t count, Error *error) {
    bool possible = false;
    for (size_t i = 0; i < count; i++) {
        if (isnan(logits[i]) || logits[i] == INFINITY)
            return error_set(error, ERROR_VALUE, 0, 0,
                             "word %zu has the logit %g, so no word can be chosen; the "
                             "model's numbers have grown past what a number can be",
                             i, logits[i]);
        possible |= logits[i] > -INFINITY;
    }
    return possible || error_set(error, ERROR_VALUE, 0, 0,
                                 "every word's logit is -inf, so no word can be chosen; "
                                 "one at least must be finite");
}

/* The softmax of logits / temperature. The largest is taken off before the division, so
 * that a small temperature overflows downwards only. */
static void fill_shares(ChooseWord *words, const double *logits, size_t count,
                        double temperature) {
    double largest = -INFINITY, total = 0;
    for (size_t i = 0; i < count; i++)
        largest = logits[i] > largest ? logits[i] : largest;
    for (size_t i = 0; i < count; i++) {
        /* Finite logits may be further apart than the largest number. */
        double below = logits[i] == largest ? 0 : (logits[i] - largest) / temperature;
        words[i] = (ChooseWord){
            .logit = logits[i],
            .share = exp(below),
            .fate = logits[i] == -INFINITY ? CHOOSE_IMPOSSIBLE : CHOOSE_KEPT,
        };
        total += words[i].share;
    }
    for (size_t i = 0; i < count; i++)
        words[i].share /= total;
}

/* ---- the order ---- */

/* By the logits: shares that have become 0 or equal by rounding still have an order. */
static bool comes_before(const ChooseWord *words, size_t a, size_t b) {
    return words[a].logit != words[b].logit ? words[a].logit > words[b].logit : a < b;
}

/* Restores the heap, whose top comes last, below `root`. */
static void sift_down(size_t *order, const ChooseWord *words, size_t root, size_t end) {
    for (size_t child; (child = 2 * root + 1) < end; root = child) {
        if (child + 1 < end && comes_before(words, order[child], order[child + 1]))
            child++;
        if (comes_before(words, order[child], order[root]))
            return;
        size_t swapped = order[root];
        order[root] = order[child];
        order[child] = swapped;
    }
}

/* Heapsort: in place, and as fast for a row that is sorted already. */
static void sort_words(size_t *order, const ChooseWord *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t root = count / 2; root-- > 0;)
        sift_down(order, words, root, count);
    for (size_t end = count; end-- > 1;) {
        size_t last = order[0];
        order[0] = order[end];
        order[end] = last;
        sift_down(order, words, 0, end);
    }
}

/* ---- the cuts ---- */

/* Marks the kept words from rank `first` on. */
static void cut_from(ChooseWord *words, const size_t *order, size_t count, size_t first,
                     ChooseFate fate) {
    for (size_t i = first; i < count; i++) {
        ChooseWord *word = &words[order[i]];
        word->fate = word->fate == CHOOSE_KEPT ? fate : word->fate;
    }
}

/* The kept words are those of the first ranks. */
static double kept_total(const ChooseWord *words, const size_t *order, size_t count) {
    double total = 0;
    for (size_t i = 0; i < count && words[order[i]].fate == CHOOSE_KEPT; i++)
        total += words[order[i]].share;
    return total;
}

static void cut_top_p(ChooseWord *words, const size_t *order, size_t count, double p) {
    double wanted = p * kept_total(words, order, count), reached = 0;
    size_t rank = 0;
    while (rank < count && (rank == 0 || reached < wanted))
        reached += words[order[rank++]].share;
    cut_from(words, order, count, rank, CHOOSE_PAST_TOP_P);
}

bool choose_words(ChooseWord *words, size_t *order, const double *logits, size_t count,
                  const ChooseOptions *options, Error *error) {
    assert(count > 0);
    if (!choose_check_logits(logits, count, error))
        return false;
    fill_shares(words, logits, count, options->temperature);
    sort_words(order, words, count);
    if (options->rule == CHOOSE_GREEDY) {
        cut_from(words, order, count, 1, CHOOSE_NOT_LARGEST);
    } else {
        if (options->top_k && options->top_k < count)
            cut_from(words, order, count, options->top_k, CHOOSE_PAST_TOP_K);
        if (options->top_p < 1)
            cut_top_p(words, order, count, options->top_p);
    }
    double total = kept_total(words, order, count);
    for (size_t i = 0; i < count; i++)
        words[i].chance = words[i].fate == CHOOSE_KEPT ? words[i].share / total : 0;
    return true;
}

size_t choose_draw(const ChooseWord *words, const size_t *order, size_t count,
                   Random *random) {
    if (count == 1 || words[order[1]].fate != CHOOSE_KEPT)
        return order[0];
    double rest = random_uniform(random);
    size_t drawn = order[0];
    for (size_t i = 0; i < count && words[order[i]].chance > 0; i++) {
        drawn = order[i]; /* the last one, should rounding leave a rest */
        if (rest < words[drawn].chance)
            break;
        rest -= words[drawn].chance;
    }
    return drawn;
}
