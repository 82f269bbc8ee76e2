#include "model/generate/generate.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/maths.h"
#include "tensor/tape/tape.h"

#include <stdlib.h>
#include <string.h>

static const char *const rules[GENERATE_RULE_COUNT] = {"greedy", "sample", "beam"};

const char *generate_rule_name(GenerateRule rule) {
    return rules[rule];
}

bool generate_rule_from_name(const char *name, GenerateRule *rule) {
    for (size_t i = 0; i < GENERATE_RULE_COUNT; i++) {
        if (strcmp(rules[i], name) == 0) {
            *rule = (GenerateRule)i;
            return true;
        }
    }
    return false;
}

/* ---- checks ---- */

static bool check_sample(const DecodingOptions *options, Error *error) {
    if (!(options->temperature > 0 && options->temperature < INFINITY))
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the temperature is %g, but must be above 0: 1 leaves the "
                         "probabilities as they are",
                         options->temperature);
    return (options->top_p > 0 && options->top_p <= 1) ||
           error_set(error, ERROR_VALUE, 0, 0,
                     "top-p is %g, but must be above 0 and at most 1, which keeps all "
                     "words",
                     options->top_p);
}

static bool check_beam(const DecodingOptions *options, Error *error) {
    if (options->width < 1 || options->width > DECODING_WIDTH_MAX)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the beam width is %zu, but must be from 1 to %d",
                         options->width, DECODING_WIDTH_MAX);
    return (options->length_exponent >= 0 && options->length_exponent < INFINITY) ||
           error_set(error, ERROR_VALUE, 0, 0,
                     "the length exponent is %g, but must be 0, which leaves sums as "
                     "they are, or more; 1 takes the mean",
                     options->length_exponent);
}

bool generate_check(const DecodingOptions *options, Error *error) {
    if (options->length < 1 || options->length > DECODING_LENGTH_MAX)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the length is %zu tokens, but must be from 1 to %d",
                         options->length, DECODING_LENGTH_MAX);
    return (options->rule != GENERATE_SAMPLE || check_sample(options, error)) &&
           (options->rule != GENERATE_BEAM || check_beam(options, error));
}

static bool check_row(const double *logits, size_t count, Error *error) {
    bool possible = false;
    for (size_t i = 0; i < count; i++) {
        if (isnan(logits[i]) || logits[i] == INFINITY)
            return error_set(error, ERROR_VALUE, 0, 0,
                             "token %zu has the logit %g, so no token can be chosen; the "
                             "model's numbers are too large to be represented",
                             i, logits[i]);
        possible |= logits[i] > -INFINITY;
    }
    return possible ||
           error_set(error, ERROR_VALUE, 0, 0,
                     "every token's logit is -inf, so no token can be chosen; "
                     "at least one must be finite");
}

/* Reports whether a step's nodes leave something to choose. */
static bool check_step(const DecodingStep *step, const Tape *tape,
                       const DecodingOptions *options, Error *error) {
    const Tensor *logits = &tape_node(tape, step->logits)->output;
    for (size_t i = 0; i < logits->rows; i++) {
        if (!check_row(logits->values + i * logits->cols, logits->cols, error))
            return false;
    }
    const double *chances = tape_node(tape, step->probabilities)->output.values;
    for (size_t i = 0; i < logits->cols; i++) {
        if (chances[i] > 0)
            return true;
    }
    return error_set(
        error, ERROR_VALUE, 0, 0,
        "logits divided by %g are too large to be represented, so no token can "
        "be chosen; take a larger temperature",
        options->temperature);
}

/* ---- choosing ---- */

typedef struct Ranked {
    double value;
    size_t number;
} Ranked;

static int compare_ranked(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    if (x->value > y->value || (isnan(y->value) && !isnan(x->value)))
        return -1;
    if (x->value < y->value || (isnan(x->value) && !isnan(y->value)))
        return 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

enum { ORDER_COST = 500 }; /* operations per item of a sort */

size_t *generate_order(Arena *arena, const double *values, size_t count) {
    Ranked *ranked = arena_alloc(arena, count, sizeof *ranked);
    size_t *order = arena_alloc(arena, count, sizeof *order);
    if (!ranked || !order ||
        !arena_spend(arena, ARENA_WORK_WORDS, ORDER_COST * (double)count))
        return NULL;
    for (size_t i = 0; i < count; i++)
        ranked[i] = (Ranked){values[i], i};
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < count; i++)
        order[i] = ranked[i].number;
    return order;
}

size_t generate_draw(const size_t *order, const double *chances, size_t count,
                     Random *random) {
    if (count == 1 || !(chances[order[1]] > 0))
        return order[0];
    double rest = random_uniform(random);
    size_t drawn = order[0];
    for (size_t i = 0; i < count && chances[order[i]] > 0; i++) {
        drawn = order[i]; /* the last candidate, if rounding leaves a remainder */
        if (rest < chances[drawn])
            break;
        rest -= chances[drawn];
    }
    return drawn;
}

/* ---- steps ---- */

/* A generation under way. */
typedef struct Generation {
    const GenerateRequest *request;
    Generated *generated;
    DecodingStep *steps;
    const size_t *growing; /* texts that the next step extends */
    size_t growing_count;
    double best_score;
    Random random;
    bool good;
    Error *error;
} Generation;

/* Fills `chosen` with the numbers of the chosen cells of a step's nodes, best first;
 * returns their count. */
static size_t pick(Generation *this, size_t *chosen) {
    const DecodingStep *step = &this->steps[this->generated->step_count - 1];
    const DecodingOptions *options = &this->generated->options;
    const Tape *tape = this->request->tape;
    bool beam = options->rule == GENERATE_BEAM;
    const Tensor *values = &tape_node(tape, beam ? step->result : step->logits)->output;
    const double *chances = tape_node(tape, step->probabilities)->output.values;
    size_t cells = tensor_cells(values);
    const size_t *order = generate_order(this->request->arena, values->values, cells);
    size_t count = 0;
    if (options->rule == GENERATE_SAMPLE)
        chosen[count++] = generate_draw(order, chances, cells, &this->random);
    else
        for (; count < options->width && count < cells &&
               values->values[order[count]] > -INFINITY;
             count++)
            chosen[count] = order[count];
    return count;
}

/* A text's number in its step's node by the tape's present values: of a beam the sum of
 * its log probabilities. */
static double total_of(const Generated *generated, const Tape *tape, size_t text) {
    GeneratedCell at = {0};
    generated_cell(generated, text, &at);
    const TapeNode *totals = tape_node(tape, generated->steps[at.step].result);
    return tensor_at(&totals->output, at.row, at.col);
}

/* Stores the chosen texts: each is finished, or grows in the next step. */
static void store_chosen(Generation *this, DecodingStep *step) {
    Generated *generated = this->generated;
    const DecodingOptions *options = &generated->options;
    size_t *kept = arena_alloc(this->request->arena, options->width, sizeof *kept);
    size_t *growing = arena_alloc(this->request->arena, options->width, sizeof *growing);
    step->chosen = kept;
    step->chosen_count = pick(this, kept);
    this->growing = growing;
    this->growing_count = 0;
    for (size_t i = 0; i < step->chosen_count; i++) {
        size_t text = kept[i] += step->first;
        if (!generated_is_complete(generated, text)) {
            growing[this->growing_count++] = text;
            continue;
        }
        double score =
            generated_score(options, total_of(generated, this->request->tape, text),
                            generated->step_count);
        if (generated->best == GENERATE_NONE || score > this->best_score) {
            generated->best = text;
            this->best_score = score;
        }
    }
}

/* Reports whether an unfinished text could still score more than the best finished one.
 * Totals only fall, so the upper bound is its present total at full length. */
static bool can_win(const Generation *this) {
    const DecodingOptions *options = &this->generated->options;
    bool can = this->generated->best == GENERATE_NONE;
    for (size_t i = 0; !can && i < this->growing_count; i++)
        can =
            generated_score(
                options, total_of(this->generated, this->request->tape, this->growing[i]),
                options->length) > this->best_score;
    return can;
}

static bool take_step(Generation *this) {
    Generated *generated = this->generated;
    size_t number = generated->step_count;
    DecodingStep *step = &this->steps[number];
    *step = (DecodingStep){.text_count = this->growing_count, .from = this->growing};
    step->first =
        number ? step[-1].first + step[-1].text_count * generated->word_count : 1;
    if (!decoding_step_append(this->request, generated, number, step, this->error) ||
        !check_step(step, this->request->tape, &generated->options, this->error))
        return false;
    generated->step_count++;
    generated->multiplications += step->multiplications;
    generated->without_cache += step->without_cache;
    store_chosen(this, step);
    return true;
}

/* Stores the tokens of the best text. */
static void finish(const Generation *this) {
    Generated *generated = this->generated;
    GeneratedCell last = {0};
    generated_cell(generated, generated->best, &last);
    generated->count = last.step + 1;
    size_t *ids = arena_alloc(this->request->arena, generated->count, sizeof *ids);
    generated_ids(generated, generated->best, ids);
    generated->ids = ids;
    generated->ended = ids[generated->count - 1] == generated->options.end;
}

/* Runs all steps, under the arena's guard. */
static void generate_guarded(void *context) {
    static const size_t beginning = 0;
    Generation *this = context;
    Generated *generated = this->generated;
    generated->steps = this->steps =
        arena_alloc(this->request->arena, generated->options.length, sizeof *this->steps);
    this->growing = &beginning;
    this->growing_count = 1;
    this->good = true;
    while (this->good && this->growing_count && can_win(this))
        this->good = take_step(this);
    if (this->good)
        finish(this);
}

/* Limits the length to what the model's context allows; a prompt that is longer than the
 * context is an error elsewhere. */
static void limit_length(DecodingOptions *options, const TransformerShape *shape,
                         size_t begin) {
    if (!shape->context || begin > shape->context)
        return;
    size_t most = shape->context - begin + 1; /* the last token need not be read */
    options->length = options->length < most ? options->length : most;
}

bool generate_run(Generated *generated, const GenerateRequest *request, Error *error) {
    const TransformerShape *shape = &request->model->shape;
    Generation this = {.request = request, .generated = generated, .error = error};
    *generated = (Generated){.options = request->options,
                             .word_count = shape->target_vocabulary - shape->first_output,
                             .first_output = shape->first_output,
                             .best = GENERATE_NONE};
    if (generated->options.rule != GENERATE_BEAM)
        generated->options.width = 1;
    if (shape->kind == TRANSFORMER_ENCODER)
        return error_set(
            error, ERROR_VALUE, 0, 0,
            "a model of kind encoder generates no tokens; it takes one of kind "
            "encoder_decoder or decoder");
    if (!generate_check(&generated->options, error))
        return false;
    limit_length(&generated->options, shape, request->input.target.cols);
    random_init(&this.random, generated->options.seed);
    if (arena_guard(request->arena, generate_guarded, &this))
        return this.good;
    return arena_error(request->arena,
                       "there is no memory to say so many words; ask for fewer", error);
}

/* ---- the choice by present values ---- */

size_t generate_choice(const Generated *generated, const Tape *tape, size_t step,
                       Arena *scratch) {
    bool sample = generated->options.rule == GENERATE_SAMPLE;
    Random random;
    Error unused;
    size_t col = GENERATE_NONE;
    random_init(&random, generated->options.seed);
    for (size_t i = sample ? 0 : step; i <= step; i++) {
        const DecodingStep *at = &generated->steps[i];
        const double *logits = tape_node(tape, at->logits)->output.values;
        const size_t *order = generate_order(scratch, logits, generated->word_count);
        if (!order || !check_step(at, tape, &generated->options, &unused))
            return GENERATE_NONE;
        col = order[0];
        if (sample)
            col = generate_draw(order, tape_node(tape, at->probabilities)->output.values,
                                generated->word_count, &random);
    }
    return col;
}

/* The finished text with the highest score by the present totals. */
static size_t present_best(const Generated *generated, const Tape *tape) {
    size_t best = GENERATE_NONE;
    double most = 0;
    for (size_t i = 0; i < generated->step_count; i++) {
        const DecodingStep *step = &generated->steps[i];
        for (size_t j = 0; j < step->chosen_count; j++) {
            double total = total_of(generated, tape, step->chosen[j]);
            double score = generated_score(&generated->options, total, i + 1);
            if (!generated_is_complete(generated, step->chosen[j]) ||
                (best != GENERATE_NONE && score <= most))
                continue;
            best = step->chosen[j];
            most = score;
        }
    }
    return best;
}

/* Reports whether a beam would keep the same texts, in whatever order. */
static bool chooses_same(const Generated *generated, const Tape *tape, size_t number,
                         Arena *scratch) {
    const DecodingStep *step = &generated->steps[number];
    const Tensor *totals = &tape_node(tape, step->result)->output;
    size_t cells = tensor_cells(totals), same = 0;
    const size_t *order = generate_order(scratch, totals->values, cells);
    for (size_t i = 0; order && i < step->chosen_count; i++) {
        for (size_t j = 0; j < step->chosen_count; j++)
            same += step->chosen[i] == step->first + order[j];
    }
    return order && same == step->chosen_count;
}

/* Reports whether the values behind the choices up to a step are those that they were
 * made by. */
static bool is_unchanged(const Generated *generated, const Tape *tape, size_t step) {
    for (size_t i = 0; i <= step; i++) {
        const DecodingStep *at = &generated->steps[i];
        if (tape_changed(tape, at->logits) || tape_changed(tape, at->probabilities) ||
            tape_changed(tape, at->result))
            return false;
    }
    return true;
}

bool generate_choice_holds(const Generated *generated, const Tape *tape, size_t step,
                           Arena *scratch) {
    const DecodingStep *at = &generated->steps[step];
    if (is_unchanged(generated, tape, step))
        return true;
    if (generated->options.rule != GENERATE_BEAM)
        return at->first + generate_choice(generated, tape, step, scratch) ==
               at->chosen[0];
    bool last = step + 1 == generated->step_count;
    return chooses_same(generated, tape, step, scratch) &&
           (!last || present_best(generated, tape) == generated->best);
}
