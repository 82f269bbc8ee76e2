#include "model/generate/generate.h"

#include "base/maths.h"
#include "tensor/tape/tape.h"

/* ---- texts ---- */

bool generated_cell(const Generated *generated, size_t text, GeneratedCell *cell) {
    size_t step = generated->step_count;
    while (step && generated->steps[step - 1].first > text)
        step--;
    if (!step || text == GENERATE_NONE)
        return false;
    size_t place = text - generated->steps[step - 1].first;
    *cell = (GeneratedCell){step - 1, place / generated->word_count,
                            place % generated->word_count};
    return cell->row < generated->steps[step - 1].text_count;
}

size_t generated_parent(const Generated *generated, size_t text) {
    GeneratedCell cell = {0};
    generated_cell(generated, text, &cell);
    return generated->steps[cell.step].from[cell.row];
}

size_t generated_token(const Generated *generated, size_t text) {
    GeneratedCell cell = {0};
    generated_cell(generated, text, &cell);
    return generated->first_output + cell.col;
}

void generated_ids(const Generated *generated, size_t text, size_t *ids) {
    GeneratedCell cell;
    for (; generated_cell(generated, text, &cell);
         text = generated_parent(generated, text))
        ids[cell.step] = generated->first_output + cell.col;
}

double generated_score(const DecodingOptions *options, double total, size_t words) {
    double exponent = options->length_exponent;
    return exponent == 0 ? total : total / pow((double)words, exponent);
}

bool generated_is_complete(const Generated *generated, size_t text) {
    GeneratedCell cell = {0};
    generated_cell(generated, text, &cell);
    return cell.step + 1 == generated->options.length ||
           generated_token(generated, text) == generated->options.end;
}

/* ---- candidates ---- */

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

static bool is_kept(const DecodingStep *step, size_t text) {
    for (size_t i = 0; i < step->chosen_count; i++) {
        if (step->chosen[i] == text)
            return true;
    }
    return false;
}

static bool is_out(const Tape *tape, size_t node, const GeneratedCell *at) {
    return node != TAPE_NONE &&
           tensor_at(&tape_node(tape, node)->output, at->row, at->col) == -INFINITY;
}

CandidateFate candidate_fate(const Generated *generated, const Tape *tape, size_t text) {
    GeneratedCell at;
    if (!generated_cell(generated, text, &at))
        return CANDIDATE_KEPT;
    const DecodingStep *step = &generated->steps[at.step];
    bool kept = is_kept(step, text);
    if (generated->options.rule == GENERATE_BEAM)
        return !kept                                    ? CANDIDATE_CUT
               : generated_is_complete(generated, text) ? CANDIDATE_FINISHED
               : at.step + 1 < generated->step_count    ? CANDIDATE_KEPT
                                                        : CANDIDATE_GIVEN_UP;
    if (is_out(tape, step->logits, &at))
        return CANDIDATE_IMPOSSIBLE;
    if (generated->options.rule == GENERATE_GREEDY)
        return kept ? CANDIDATE_KEPT : CANDIDATE_NOT_LARGEST;
    return is_out(tape, step->top_k, &at)   ? CANDIDATE_PAST_TOP_K
           : is_out(tape, step->top_p, &at) ? CANDIDATE_PAST_TOP_P
                                            : CANDIDATE_KEPT;
}
