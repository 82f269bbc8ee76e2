#include "model/say/said.h"

#include "base/maths.h"

const char *said_fate_name(SaidFate fate) {
    static const char *const names[SAID_FATE_COUNT] = {
        [SAID_KEPT] = "kept",
        [SAID_IMPOSSIBLE] = "impossible",
        [SAID_NOT_LARGEST] = "not_largest",
        [SAID_PAST_TOP_K] = "top_k",
        [SAID_PAST_TOP_P] = "top_p",
        [SAID_CUT] = "cut",
        [SAID_FINISHED] = "finished",
        [SAID_GIVEN_UP] = "given_up",
    };
    return names[fate];
}

/* ---- texts ---- */

bool said_cell(const Said *said, size_t text, SaidCell *cell) {
    size_t turn = said->turn_count;
    while (turn && said->turns[turn - 1].first > text)
        turn--;
    if (!turn || text == SAY_NONE)
        return false;
    size_t place = text - said->turns[turn - 1].first;
    *cell = (SaidCell){turn - 1, place / said->word_count, place % said->word_count};
    return cell->row < said->turns[turn - 1].text_count;
}

size_t said_parent(const Said *said, size_t text) {
    SaidCell cell = {0};
    said_cell(said, text, &cell);
    return said->turns[cell.turn].from[cell.row];
}

size_t said_word(const Said *said, size_t text) {
    SaidCell cell = {0};
    said_cell(said, text, &cell);
    return said->first_output + cell.col;
}

void said_ids(const Said *said, size_t text, size_t *ids) {
    SaidCell cell;
    for (; said_cell(said, text, &cell); text = said_parent(said, text))
        ids[cell.turn] = said->first_output + cell.col;
}

double said_score(const SayOptions *options, double total, size_t words) {
    double exponent = options->length_exponent;
    return exponent == 0 ? total : total / pow((double)words, exponent);
}

bool said_is_over(const Said *said, size_t text) {
    SaidCell cell = {0};
    said_cell(said, text, &cell);
    return cell.turn + 1 == said->options.length ||
           said_word(said, text) == said->options.end;
}

/* ---- fates ---- */

static bool is_kept(const SaidTurn *turn, size_t text) {
    for (size_t i = 0; i < turn->kept_count; i++) {
        if (turn->kept[i] == text)
            return true;
    }
    return false;
}

static bool is_out(const Tape *tape, size_t node, const SaidCell *at) {
    return node != TAPE_NONE &&
           tensor_at(&tape_node(tape, node)->output, at->row, at->col) == -INFINITY;
}

SaidFate said_fate(const Said *said, const Tape *tape, size_t text) {
    SaidCell at;
    if (!said_cell(said, text, &at))
        return SAID_KEPT;
    const SaidTurn *turn = &said->turns[at.turn];
    bool kept = is_kept(turn, text);
    if (said->options.rule == SAY_BEAM)
        return !kept                            ? SAID_CUT
               : said_is_over(said, text)       ? SAID_FINISHED
               : at.turn + 1 < said->turn_count ? SAID_KEPT
                                                : SAID_GIVEN_UP;
    if (is_out(tape, turn->logits, &at))
        return SAID_IMPOSSIBLE;
    if (said->options.rule == SAY_GREEDY)
        return kept ? SAID_KEPT : SAID_NOT_LARGEST;
    return is_out(tape, turn->top_k, &at)   ? SAID_PAST_TOP_K
           : is_out(tape, turn->top_p, &at) ? SAID_PAST_TOP_P
                                            : SAID_KEPT;
}
