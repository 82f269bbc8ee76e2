#include "model/generate/decoding_step.h"

#include "base/arena.h"
#include "model/build/build.h"
#include "model/generate/cost.h"

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

/* The model's run on one text: the tape it is appended to, and its results. */
typedef struct Reading {
    Tape *tape;
    Arena *arena;
    Transformer model; /* its parameters on that tape; after the run, all its parts */
    size_t ids, logits;
} Reading;

/* Appends an operation named `path.part`. */
static bool append(Tape *tape, OperationKind kind, const size_t *inputs, size_t count,
                   OperationOptions options, const char *path, const char *part,
                   size_t *node, Error *error) {
    char name[BUILD_NAME_SIZE];
    snprintf(name, sizeof name, "%s.%s", path, part);
    return tape_append(tape, kind, inputs, count, options, name, node, error);
}

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

/* Copies the source to a tensor of its own, so that setting one of its cells by hand
 * changes this step only. */
static Tensor copy_source(const Reading *reading, Tensor source) {
    const double *values = source.values;
    size_t cells = tensor_cells(&source);
    source.values = arena_alloc(reading->arena, cells, sizeof *values);
    if (cells)
        memcpy(source.values, values, cells * sizeof *values);
    return source;
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

/* Puts a path before the names of nodes from `first` on. The probabilities of all rows
 * get no step. */
static void rename_nodes(const Reading *reading, size_t first, const char *path) {
    Tape *tape = reading->tape;
    for (size_t i = first; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        bool is_constant =
            node->operation == OPERATION_GIVEN && tensor_cells(&node->output) == 1;
        if (!node->name[0] || (is_constant && node->quiet))
            continue;
        tape_rename(tape, i, arena_format(reading->arena, "%s.%s", path, node->name));
    }
    tape_set_quiet(tape, reading->model.probabilities);
}

/* The ID node of one side, or TAPE_NONE. */
static size_t ids_of(const Transformer *model, TransformerSide side) {
    for (size_t i = 0; i < model->part_count; i++) {
        const TransformerPart *part = &model->parts[i];
        if (part->kind == TRANSFORMER_IDS && part->tower->side == side)
            return part->node;
    }
    return TAPE_NONE;
}

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
static bool run_model(const StepMaker *this, Reading *reading, const char *path,
                      Tensor target) {
    Tape *tape = reading->tape;
    Error *error = this->build.error;
    TransformerInput input = this->request->input;
    char name[BUILD_NAME_SIZE];
    size_t first = tape_count(tape);
    input.target = target;
    snprintf(name, sizeof name, "%s.reading", path);
    input.source = copy_source(reading, input.source);
    tape_group_begin(tape, name);
    if (!transformer_append_input(tape, reading->arena, &input, &reading->model, error))
        return false;
    rename_nodes(reading, first, path);
    tape_group_end(tape);
    add_cost(this, reading, first);
    reading->ids = ids_of(&reading->model, TRANSFORMER_TARGET);
    const Tensor *rows = &tape_node(tape, reading->model.logits)->output;
    OperationOptions last = {
        .row_begin = rows->rows - 1, .row_end = rows->rows, .col_end = rows->cols};
    return append(tape, OPERATION_SLICE, &reading->model.logits, 1, last, path,
                  "next_logits", &reading->logits, error);
}

/* The model without the parts of the input it was built with. */
static Transformer without_input(const GenerateRequest *request) {
    Transformer model = *request->model;
    model.shape.temperature = 0; /* the rule divides by its own */
    model.expected = model.losses = model.loss = TAPE_NONE;
    return model;
}

static bool read_on_tape(const StepMaker *this, size_t text, const char *path,
                         Tensor target) {
    const GenerateRequest *request = this->request;
    Reading reading = {
        .tape = request->tape, .arena = request->arena, .model = without_input(request)};
    if (!run_model(this, &reading, path, target))
        return false;
    this->ids[text] = reading.ids;
    this->logits[text] = reading.logits;
    this->step->source = ids_of(&reading.model, TRANSFORMER_SOURCE);
    return true;
}

/* ---- a run that is discarded ---- */

/* Appends the model's parameters to the run's tape; their values are borrowed. */
static bool borrow_parameters(const StepMaker *this, Reading *reading) {
    const Transformer *model = this->request->model;
    TransformerParameter *own =
        arena_alloc(reading->arena, model->parameter_count, sizeof *own);
    for (size_t i = 0; i < model->parameter_count; i++) {
        own[i] = model->parameters[i];
        if (!tape_given(reading->tape, own[i].name,
                        tape_node(this->request->tape, own[i].node)->output, &own[i].node,
                        this->build.error))
            return false;
    }
    reading->model.parameters = own;
    return true;
}

/* Copies the row of logits to the request's tape. */
static bool keep_logits(const StepMaker *this, const Reading *reading, const char *path,
                        size_t *node) {
    Tensor row = tape_node(reading->tape, reading->logits)->output;
    const double *values = row.values;
    const char *name = arena_format(this->request->arena, "%s.next_logits", path);
    row.values = arena_alloc(this->request->arena, row.cols, sizeof *row.values);
    row.row_labels = NULL; /* these live on the run's tape */
    memcpy(row.values, values, row.cols * sizeof *row.values);
    return tape_given(this->request->tape, name, row, node, this->build.error);
}

static bool read_aside(const StepMaker *this, size_t text, const char *path,
                       Tensor target) {
    Arena *arena = arena_create_within(this->request->arena, READING_MEMORY);
    Reading reading = {.tape = tape_create(arena),
                       .arena = arena,
                       .model = without_input(this->request)};
    bool good = borrow_parameters(this, &reading) &&
                run_model(this, &reading, path, target) &&
                tape_given(this->request->tape, "", target, &this->ids[text],
                           this->build.error) &&
                keep_logits(this, &reading, path, &this->logits[text]);
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

/* Appends the division by the temperature and the top-k and top-p cuts; *x is the row of
 * logits. */
static bool append_cuts(const StepMaker *this, size_t *x) {
    const DecodingOptions *options = &this->earlier->options;
    DecodingStep *step = this->step;
    Build build = this->build;
    size_t words = this->earlier->word_count, constant;
    bool cuts_k = options->top_k && options->top_k < words, cuts_p = options->top_p < 1;
    char name[BUILD_NAME_SIZE];
    if (options->temperature != 1) {
        snprintf(name, sizeof name, "%g", options->temperature);
        if (!tape_constant(build.tape, name, options->temperature, &constant,
                           build.error))
            return false;
        tape_set_quiet(build.tape, constant);
        if (!build_binary(build, OPERATION_DIVIDE, *x, constant, "scaled", x))
            return false;
        step->scaled = *x;
    }
    if ((cuts_k || cuts_p) &&
        !build_unary(build, OPERATION_SOFTMAX, *x, "shares", &step->all_probabilities))
        return false;
    if (cuts_k) {
        if (!append(build.tape, OPERATION_TOP_K, x, 1,
                    (OperationOptions){.keep = options->top_k}, build.path, "top_k", x,
                    build.error))
            return false;
        step->top_k = *x;
    }
    if (cuts_p) {
        if (!append(build.tape, OPERATION_TOP_P, x, 1,
                    (OperationOptions){.share = options->top_p}, build.path, "top_p", x,
                    build.error))
            return false;
        step->top_p = *x;
    }
    return true;
}

static bool append_choice(const StepMaker *this) {
    DecodingStep *step = this->step;
    size_t x = step->logits = this->logits[0];
    if (this->earlier->options.rule == GENERATE_SAMPLE && !append_cuts(this, &x))
        return false;
    if (!build_unary(this->build, OPERATION_SOFTMAX, x, "chances", &step->probabilities))
        return false;
    step->result = step->probabilities;
    return true;
}

/* Stacks rows below each other; a single row is used as it is. */
static bool append_stack(Build build, const size_t *rows, size_t count, const char *what,
                         size_t *node) {
    *node = rows[0];
    return count == 1 ||
           append(build.tape, OPERATION_STACK, rows, count, (OperationOptions){0},
                  build.path, what, node, build.error);
}

/* Totals of each text before this step, [texts,1]: cells of the previous step's
 * totals. */
static bool append_before(const StepMaker *this, size_t *before) {
    const DecodingStep *step = this->step;
    Build build = this->build;
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
            return append(build.tape, OPERATION_SLICE, &last, 1, cell, build.path,
                          "before", before, build.error);
        if (!tape_append(build.tape, OPERATION_SLICE, &last, 1, cell, "", &cells[i],
                         build.error))
            return false;
        tape_set_quiet(build.tape, cells[i]);
    }
    return append_stack(build, cells, step->text_count, "before", before);
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

static bool append_totals(const StepMaker *this) {
    DecodingStep *step = this->step;
    Build build = this->build;
    size_t before;
    if (!append_stack(build, this->logits, step->text_count, "next_logits",
                      &step->logits))
        return false;
    label_texts(this, step->logits);
    if (!build_unary(build, OPERATION_SOFTMAX, step->logits, "chances",
                     &step->probabilities) ||
        !build_unary(build, OPERATION_LOG, step->probabilities,
                     this->number ? "log_chances" : "totals", &step->log_probabilities))
        return false;
    step->result = step->log_probabilities;
    return !this->number || (append_before(this, &before) &&
                             build_binary(build, OPERATION_ADD, step->log_probabilities,
                                          before, "totals", &step->result));
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
    good = good && (earlier->options.rule == GENERATE_BEAM ? append_totals(&this)
                                                           : append_choice(&this));
    tape_group_end(request->tape);
    if (step->all_probabilities == TAPE_NONE)
        step->all_probabilities = step->probabilities;
    return good;
}
