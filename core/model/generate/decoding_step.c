#include "model/generate/generate.h"

#include "base/arena.h"
#include "model/build/build.h"
#include "model/build/transformer.h"
#include "model/generate/reading.h"

#include <stdio.h>
#include <string.h>

enum {
    READING_MEMORY = 1 << 30
}; /* memory limit, in bytes, of a run that is discarded */

/* A decoding step under construction. */
typedef struct StepMaker {
    const GenerateRequest *request;
    const Generated *earlier; /* the steps before this one */
    size_t number;
    DecodingStep *step;
    size_t *ids, *logits; /* IDs and logits of each text: nodes */
    Build build;          /* names and places the rule's nodes */
} StepMaker;

/* The model's run on one text, and its results: nodes. */
typedef struct DecodingRun {
    Reading reading;
    size_t ids, logits;
} DecodingRun;

/* ---- the model's input ---- */

static void label_ids(const GenerateRequest *request, Tensor *row) {
    const char *const *words = request->input.target_words;
    const char **labels = arena_alloc(request->arena, row->cols, sizeof *labels);
    for (size_t i = 0; i < row->cols; i++) {
        size_t id = (size_t)row->values[i];
        labels[i] =
            words && words[id][0] ? words[id] : arena_format(request->arena, "%zu", id);
    }
    row->col_labels = labels;
}

/* The prompt and the tokens of a text, as the row of IDs that the model reads. */
static Tensor make_ids(const StepMaker *this, size_t text) {
    const GenerateRequest *request = this->request;
    const Tensor *begin = &request->input.target;
    size_t tokens[DECODING_LENGTH_MAX];
    Tensor row = {.rows = 1, .cols = begin->cols + this->number};
    row.values = arena_alloc(request->arena, row.cols, sizeof *row.values);
    memcpy(row.values, begin->values, begin->cols * sizeof *row.values);
    generated_ids(this->earlier, text, tokens);
    for (size_t i = 0; i < this->number; i++)
        row.values[begin->cols + i] = (double)tokens[i];
    label_ids(request, &row);
    return row;
}

/* ---- the model's run ---- */

static void add_cost(const StepMaker *this, const Reading *reading, size_t first) {
    size_t known = this->number ? this->request->input.target.cols + this->number - 1 : 0;
    size_t whole = cost_whole(reading->tape, first, tape_count(reading->tape));
    this->step->without_cache += whole;
    this->step->multiplications +=
        this->earlier->options.cache
            ? cost_cached(reading->tape, &reading->model, known, reading->arena)
            : whole;
}

/* Appends a run on one text in a group of its own; its result is the last token's row of
 * logits. */
static bool run_model(const StepMaker *this, DecodingRun *run, const char *path,
                      Tensor target) {
    const GenerateRequest *request = this->request;
    Reading *reading = &run->reading;
    Build build = {reading->tape, NULL, path, this->build.error};
    TransformerInput input = request->input;
    ReadingSource from = {request->tape, request->model, request->repeats_cells};
    size_t first = tape_count(reading->tape);
    const char *group = arena_format(reading->arena, "%s.reading", path);
    input.target = target;
    if (!reading_append(reading, &from, &input, group, path, build.error))
        return false;
    tape_set_quiet(reading->tape, reading->model.probabilities);
    add_cost(this, reading, first);
    run->ids = reading_ids(&reading->model, TRANSFORMER_TARGET);
    size_t logits = reading->model.logits;
    run->logits = build_rows(build, logits, build_tensor(build, logits)->rows - 1, 1,
                             "next_logits");
    return run->logits != TAPE_NONE;
}

/* The model without the parts of the input it was built with. */
static Transformer without_input(const GenerateRequest *request) {
    Transformer model = reading_model(request->model);
    model.shape.temperature = 0; /* the rule divides by its own */
    return model;
}

static bool read_on_tape(const StepMaker *this, size_t text, const char *path,
                         Tensor target) {
    const GenerateRequest *request = this->request;
    DecodingRun run = {
        {request->tape, request->arena, without_input(request)}, TAPE_NONE, TAPE_NONE};
    if (!run_model(this, &run, path, target))
        return false;
    this->ids[text] = run.ids;
    this->logits[text] = run.logits;
    this->step->source = reading_ids(&run.reading.model, TRANSFORMER_SOURCE);
    return true;
}

/* ---- a run that is discarded ---- */

/* Copies the row of logits to the request's tape. */
static size_t keep_logits(const StepMaker *this, const DecodingRun *run,
                          const char *path) {
    Tensor row = tape_node(run->reading.tape, run->logits)->output;
    const double *values = row.values;
    const char *name = arena_format(this->request->arena, "%s.next_logits", path);
    row.values = arena_alloc(this->request->arena, row.cols, sizeof *row.values);
    row.row_labels = NULL; /* these live on the run's tape */
    memcpy(row.values, values, row.cols * sizeof *row.values);
    return build_given(this->build, name, row);
}

static bool read_aside(const StepMaker *this, size_t text, const char *path,
                       Tensor target) {
    Arena *arena = arena_create_within(this->request->arena, READING_MEMORY);
    DecodingRun run = {
        {tape_create(arena), arena, without_input(this->request)}, TAPE_NONE, TAPE_NONE};
    Reading *reading = &run.reading;
    bool good = transformer_share_parameters(this->request->tape, reading->tape, arena,
                                             &reading->model, this->build.error) &&
                run_model(this, &run, path, target);
    if (good) {
        this->ids[text] = build_given(this->build, "", target);
        this->logits[text] = keep_logits(this, &run, path);
        good = this->ids[text] != TAPE_NONE && this->logits[text] != TAPE_NONE;
    }
    arena_destroy(arena);
    return good;
}

/* Reads one text of the step; several texts get a group each. */
static bool read_text(const StepMaker *this, size_t text) {
    Tape *tape = this->request->tape;
    bool several = this->step->text_count > 1;
    const char *path = this->build.path;
    Tensor target = make_ids(this, this->step->from[text]);
    if (several) {
        path = arena_format(this->request->arena, "%s.text_%zu", path, text + 1);
        tape_group_begin(tape, path);
    }
    bool good = this->request->discards_runs ? read_aside(this, text, path, target)
                                             : read_on_tape(this, text, path, target);
    if (several)
        tape_group_end(tape);
    return good;
}

/* ---- the rule's nodes ---- */

/* Appends the division by the temperature and the top-k and top-p cuts of a row of
 * logits. */
static size_t append_cuts(const StepMaker *this, size_t x) {
    const DecodingOptions *options = &this->earlier->options;
    DecodingStep *step = this->step;
    Build build = this->build;
    bool cuts_k = options->top_k && options->top_k < this->earlier->word_count;
    bool cuts_p = options->top_p < 1;
    if (options->temperature != 1) {
        char name[32];
        snprintf(name, sizeof name, "%g", options->temperature);
        step->scaled = x =
            build_binary(build, OPERATION_DIVIDE, x,
                         build_constant(build, name, options->temperature), "scaled");
    }
    if (cuts_k || cuts_p)
        step->all_probabilities = build_unary(build, OPERATION_SOFTMAX, x, "shares");
    if (cuts_k)
        step->top_k = x =
            build_append(build, OPERATION_TOP_K, &x, 1,
                         (OperationOptions){.keep = options->top_k}, "top_k");
    if (cuts_p)
        step->top_p = x =
            build_append(build, OPERATION_TOP_P, &x, 1,
                         (OperationOptions){.share = options->top_p}, "top_p");
    return x;
}

static void append_choice(const StepMaker *this) {
    DecodingStep *step = this->step;
    size_t x = step->logits = this->logits[0];
    if (this->earlier->options.rule == GENERATE_SAMPLE)
        x = append_cuts(this, x);
    step->result = step->probabilities =
        build_unary(this->build, OPERATION_SOFTMAX, x, "chances");
}

/* Stacks rows below each other; a single row is used as it is. */
static size_t append_stack(Build build, const size_t *rows, size_t count,
                           const char *what) {
    return count == 1 ? rows[0]
                      : build_append(build, OPERATION_STACK, rows, count,
                                     (OperationOptions){0}, what);
}

/* Totals of each text before this step, [texts,1]: cells of the previous step's
 * totals. */
static size_t append_before(const StepMaker *this) {
    const DecodingStep *step = this->step;
    Build build = this->build, unnamed = {build.tape, NULL, "", build.error};
    size_t last = this->earlier->steps[this->number - 1].result;
    size_t *cells = arena_alloc(this->request->arena, step->text_count, sizeof *cells);
    bool alone = step->text_count == 1;
    for (size_t i = 0; i < step->text_count; i++) {
        GeneratedCell at;
        generated_cell(this->earlier, step->from[i], &at);
        OperationOptions cell = {.row_begin = at.row,
                                 .row_end = at.row + 1,
                                 .col_begin = at.col,
                                 .col_end = at.col + 1};
        if (alone)
            return build_append(build, OPERATION_SLICE, &last, 1, cell, "before");
        cells[i] = build_quiet(
            build, build_append(unnamed, OPERATION_SLICE, &last, 1, cell, ""));
    }
    return append_stack(build, cells, step->text_count, "before");
}

/* Labels the rows with the tokens generated so far: "he brings". */
static void label_texts(const StepMaker *this, size_t node) {
    Tape *tape = this->request->tape;
    Arena *arena = this->request->arena;
    size_t begin = this->request->input.target.cols;
    const char **labels = arena_alloc(arena, this->step->text_count, sizeof *labels);
    for (size_t i = 0; i < this->step->text_count; i++) {
        const Tensor *ids = &tape_node(tape, this->ids[i])->output;
        labels[i] = begin < ids->cols ? ids->col_labels[begin] : ids->col_labels[0];
        for (size_t j = begin + 1; j < ids->cols; j++)
            labels[i] = arena_format(arena, "%s %s", labels[i], ids->col_labels[j]);
    }
    tape_set_labels(tape, node, labels, NULL);
}

static void append_totals(const StepMaker *this) {
    DecodingStep *step = this->step;
    Build build = this->build;
    step->logits = append_stack(build, this->logits, step->text_count, "next_logits");
    step->result = step->logits;
    if (step->logits == TAPE_NONE)
        return;
    label_texts(this, step->logits);
    step->probabilities = build_unary(build, OPERATION_SOFTMAX, step->logits, "chances");
    step->log_probabilities = build_unary(build, OPERATION_LOG, step->probabilities,
                                          this->number ? "log_chances" : "totals");
    step->result = step->log_probabilities;
    if (this->number)
        step->result = build_binary(build, OPERATION_ADD, step->log_probabilities,
                                    append_before(this), "totals");
}

/* ---- the step ---- */

bool decoding_step_append(const GenerateRequest *request, const Generated *earlier,
                          size_t number, DecodingStep *step, Error *error) {
    const char *path =
        arena_format(request->arena, "%s.turn_%zu", request->name, number + 1);
    StepMaker this = {
        .request = request,
        .earlier = earlier,
        .number = number,
        .step = step,
        .ids = arena_alloc(request->arena, step->text_count, sizeof *this.ids),
        .logits = arena_alloc(request->arena, step->text_count, sizeof *this.logits),
        .build = {request->tape, NULL, path, error},
    };
    step->ids = this.ids;
    step->source = step->scaled = step->top_k = step->top_p = step->all_probabilities =
        step->log_probabilities = TAPE_NONE;
    tape_group_begin(request->tape, path);
    bool good = true;
    for (size_t i = 0; good && i < step->text_count; i++)
        good = read_text(&this, i);
    if (good && earlier->options.rule == GENERATE_BEAM)
        append_totals(&this);
    else if (good)
        append_choice(&this);
    tape_group_end(request->tape);
    if (step->all_probabilities == TAPE_NONE)
        step->all_probabilities = step->probabilities;
    return good && step->result != TAPE_NONE;
}
