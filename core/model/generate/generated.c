#include "model/generate/generated.h"

#include "base/maths.h"

const char *candidate_fate_name(CandidateFate fate) {
    static const char *const names[CANDIDATE_FATE_COUNT] = {
        [CANDIDATE_KEPT] = "kept",
        [CANDIDATE_IMPOSSIBLE] = "impossible",
        [CANDIDATE_NOT_LARGEST] = "not_largest",
        [CANDIDATE_PAST_TOP_K] = "top_k",
        [CANDIDATE_PAST_TOP_P] = "top_p",
        [CANDIDATE_CUT] = "cut",
        [CANDIDATE_FINISHED] = "finished",
        [CANDIDATE_GIVEN_UP] = "given_up",
    };
    return names[fate];
}

/* ---- texts ---- */

bool generated_cell(const Generated *said, size_t text, GeneratedCell *cell) {
    size_t turn = said->step_count;
    while (turn && said->steps[turn - 1].first > text)
        turn--;
    if (!turn || text == GENERATE_NONE)
        return false;
    size_t place = text - said->steps[turn - 1].first;
    *cell = (GeneratedCell){turn - 1, place / said->word_count, place % said->word_count};
    return cell->row < said->steps[turn - 1].text_count;
}

size_t generated_parent(const Generated *said, size_t text) {
    GeneratedCell cell = {0};
    generated_cell(said, text, &cell);
    return said->steps[cell.step].from[cell.row];
}

size_t generated_token(const Generated *said, size_t text) {
    GeneratedCell cell = {0};
    generated_cell(said, text, &cell);
    return said->first_output + cell.col;
}

void generated_ids(const Generated *said, size_t text, size_t *ids) {
    GeneratedCell cell;
    for (; generated_cell(said, text, &cell); text = generated_parent(said, text))
        ids[cell.step] = said->first_output + cell.col;
}

double generated_score(const DecodingOptions *options, double total, size_t words) {
    double exponent = options->length_exponent;
    return exponent == 0 ? total : total / pow((double)words, exponent);
}

bool generated_is_complete(const Generated *said, size_t text) {
    GeneratedCell cell = {0};
    generated_cell(said, text, &cell);
    return cell.step + 1 == said->options.length ||
           generated_token(said, text) == said->options.end;
}

/* ---- candidates ---- */

static bool is_kept(const DecodingStep *turn, size_t text) {
    for (size_t i = 0; i < turn->chosen_count; i++) {
        if (turn->chosen[i] == text)
            return true;
    }
    return false;
}

static bool is_out(const Tape *tape, size_t node, const GeneratedCell *at) {
    return node != TAPE_NONE &&
           tensor_at(&tape_node(tape, node)->output, at->row, at->col) == -INFINITY;
}

CandidateFate candidate_fate(const Generated *said, const Tape *tape, size_t text) {
    GeneratedCell at;
    if (!generated_cell(said, text, &at))
        return CANDIDATE_KEPT;
    const DecodingStep *turn = &said->steps[at.step];
    bool kept = is_kept(turn, text);
    if (said->options.rule == GENERATE_BEAM)
        return !kept                               ? CANDIDATE_CUT
               : generated_is_complete(said, text) ? CANDIDATE_FINISHED
               : at.step + 1 < said->step_count    ? CANDIDATE_KEPT
                                                   : CANDIDATE_GIVEN_UP;
    if (is_out(tape, turn->logits, &at))
        return CANDIDATE_IMPOSSIBLE;
    if (said->options.rule == GENERATE_GREEDY)
        return kept ? CANDIDATE_KEPT : CANDIDATE_NOT_LARGEST;
    return is_out(tape, turn->top_k, &at)   ? CANDIDATE_PAST_TOP_K
           : is_out(tape, turn->top_p, &at) ? CANDIDATE_PAST_TOP_P
                                            : CANDIDATE_KEPT;
}
