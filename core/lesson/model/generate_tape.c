#include "lesson/model/generate_step.h"

#include "lesson/model/model_words.h"
#include "lesson/read/reader.h"
#include "model/build/build.h"

#include <string.h>

static Tape *tape_of(const GenerateTape *this) {
    return this->reader->lesson->tape;
}

static Arena *arena_of(const GenerateTape *this) {
    return this->reader->lesson->arena;
}

static bool no_memory(const GenerateTape *this) {
    return error_set(this->error, ERROR_MEMORY, 0, 0,
                     "the lesson needs more memory than it may use");
}

/* ---- how it went ---- */

/* "1", "2" … */
static const char **count_labels(const GenerateTape *this, size_t count) {
    const char **labels = arena_alloc(arena_of(this), count, sizeof *labels);
    for (size_t i = 0; labels && i < count; i++) {
        if (!(labels[i] = arena_format(arena_of(this), "%zu", i + 1)))
            return NULL;
    }
    return labels;
}

/* A given tensor of the whole generation, "logits_said". */
static bool append_given(GenerateTape *this, const char *what, Tensor tensor,
                         size_t *node) {
    const char *name = arena_format(arena_of(this), "%s_%s", what, this->generate->name);
    if (!name)
        return no_memory(this);
    if (names_lookup(&this->reader->names, name))
        return error_set(this->error, ERROR_NAME, 0, 0,
                         "'%s' is made already, but the step '%s' makes a tensor of that "
                         "name; take another name",
                         name, this->generate->name);
    if (!tape_given(tape_of(this), name, tensor, node, this->error))
        return false;
    reader_name(this->reader, name, *node, 0);
    return true;
}

static bool append_multiplications(GenerateTape *this) {
    const LessonGenerate *generate = this->generate;
    Tensor tensor = {.rows = 1, .cols = generate->turn_count};
    tensor.values = arena_alloc(arena_of(this), tensor.cols, sizeof *tensor.values);
    tensor.col_labels = count_labels(this, tensor.cols);
    size_t node;
    if (!tensor.values || !tensor.col_labels)
        return no_memory(this);
    for (size_t i = 0; i < tensor.cols; i++)
        tensor.values[i] = (double)lesson_turn_multiplications(generate, i);
    return append_given(this, "cost", tensor, &node);
}

/* A tensor [turns,words] to be filled. */
static bool rows_of_turns(const GenerateTape *this, Tensor *tensor) {
    const LessonGenerate *generate = this->generate;
    *tensor = (Tensor){.rows = generate->turn_count, .cols = generate->word_count};
    tensor->values =
        arena_alloc(arena_of(this), tensor->rows, tensor->cols * sizeof(double));
    tensor->row_labels = count_labels(this, tensor->rows);
    tensor->col_labels = generate->words;
    return (tensor->values && tensor->row_labels) || no_memory(this);
}

static bool append_logits(GenerateTape *this) {
    const Decode *decode = &this->generate->decode;
    Tensor tensor;
    size_t node;
    if (!rows_of_turns(this, &tensor))
        return false;
    for (size_t i = 0; i < tensor.rows; i++) {
        for (size_t j = 0; j < tensor.cols; j++)
            tensor.values[i * tensor.cols + j] = decode->turns[i].words[j].logit;
    }
    return append_given(this, "logits", tensor, &node);
}

/* Draws again and again from each turn's chances; the share that fell on each word. */
static bool append_drawn(GenerateTape *this) {
    LessonGenerate *generate = this->generate;
    Tensor tensor;
    Random random;
    if (!rows_of_turns(this, &tensor))
        return false;
    random_init(&random, generate->options.seed);
    for (size_t i = 0; i < tensor.rows; i++) {
        const DecodeTurn *turn = &generate->decode.turns[i];
        double *row = tensor.values + i * tensor.cols;
        for (size_t j = 0; j < generate->draws; j++)
            row[choose_draw(turn->words, turn->order, tensor.cols, &random)]++;
        for (size_t j = 0; j < tensor.cols; j++)
            row[j] /= (double)generate->draws;
    }
    return append_given(this, "drawn", tensor, &generate->drawn);
}

/* ---- what a turn reads ---- */

/* The IDs of a text as a row that the model reads: what it began with, then `count`
 * more. */
static bool make_ids(const GenerateTape *this, const size_t *ids, size_t count,
                     Tensor *row) {
    const Tensor *begin = &this->input.target;
    const ModelWords *words = &this->reader->lesson->words[TRANSFORMER_TARGET];
    *row = (Tensor){.rows = 1, .cols = begin->cols + count};
    row->values = arena_alloc(arena_of(this), row->cols, sizeof *row->values);
    const char **labels = arena_alloc(arena_of(this), row->cols, sizeof *labels);
    if (!row->values || !labels)
        return no_memory(this);
    memcpy(row->values, begin->values, begin->cols * sizeof *row->values);
    for (size_t i = 0; i < count; i++)
        row->values[begin->cols + i] = (double)ids[i];
    for (size_t i = 0; i < row->cols; i++) {
        size_t id = (size_t)row->values[i];
        labels[i] = words->tokens && words->tokens[id][0]
                        ? words->tokens[id]
                        : arena_format(arena_of(this), "%zu", id);
        if (!labels[i])
            return no_memory(this);
    }
    row->col_labels = labels;
    return true;
}

/* Text `text` of a turn as the turn reads it. */
static bool read_ids(const GenerateTape *this, size_t turn, size_t text, Tensor *row) {
    const LessonGenerate *generate = this->generate;
    if (generate->rule != LESSON_BEAM)
        return make_ids(this, generate->said, turn, row);
    size_t node = generate->turns[turn].from[text];
    size_t *ids = arena_alloc(arena_of(this), turn + 1, sizeof *ids);
    if (!ids)
        return no_memory(this);
    beam_ids(&generate->beam, node, ids);
    return make_ids(this, ids, turn, row);
}

/* ---- a turn ---- */

/* Puts a path before the names of nodes [first, end); the model's shares of all rows are
 * no step. */
static bool rename_nodes(GenerateTape *this, size_t first, const Transformer *model,
                         const char *path) {
    Tape *tape = tape_of(this);
    for (size_t i = first; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        bool is_constant =
            node->operation == OPERATION_GIVEN && tensor_cells(&node->output) == 1;
        if (!node->name[0] || (is_constant && node->quiet))
            continue;
        const char *name = arena_format(arena_of(this), "%s.%s", path, node->name);
        if (!name)
            return no_memory(this);
        tape_rename(tape, i, name);
    }
    tape_set_quiet(tape, model->probabilities);
    return true;
}

/* The model reads a text; *logits is the row of its last word. */
static bool append_reading(GenerateTape *this, const char *path, Tensor target,
                           size_t *ids, size_t *logits) {
    Tape *tape = tape_of(this);
    Transformer model = *this->reader->lesson->model;
    TransformerInput input = this->input;
    input.target = target;
    model.shape.temperature = 0; /* the step has its own */
    model.expected = model.losses = model.loss = TAPE_NONE;
    const char *name = arena_format(arena_of(this), "%s.reading", path);
    size_t first = tape_count(tape);
    if (!name)
        return no_memory(this);
    if (!tape_group_begin(tape, name, this->error))
        return false;
    bool good =
        transformer_append_input(tape, arena_of(this), &input, &model, this->error);
    tape_group_end(tape);
    if (!good)
        return false;
    for (size_t i = 0; i < model.part_count; i++) {
        if (model.parts[i].kind == TRANSFORMER_IDS &&
            model.parts[i].tower->side == TRANSFORMER_TARGET)
            *ids = model.parts[i].node;
    }
    const Tensor *rows = &tape_node(tape, model.logits)->output;
    OperationOptions last = {
        .row_begin = rows->rows - 1, .row_end = rows->rows, .col_end = rows->cols};
    const char *row = arena_format(arena_of(this), "%s.next_logits", path);
    if (!row)
        return no_memory(this);
    return rename_nodes(this, first, &model, path) &&
           tape_append(tape, OPERATION_SLICE, &model.logits, 1, last, row, logits,
                       this->error);
}

/* Divides by the temperature and cuts; `x` is the row of logits. */
static bool append_cuts(GenerateTape *this, Build build, LessonTurn *turn, size_t *x) {
    const ChooseOptions *choose = &this->generate->options.choose;
    size_t words = this->generate->word_count, constant;
    char name[BUILD_NAME_SIZE];
    if (choose->temperature != 1) {
        snprintf(name, sizeof name, "%g", choose->temperature);
        if (!tape_constant(build.tape, name, choose->temperature, &constant, build.error))
            return false;
        tape_set_quiet(build.tape, constant);
        if (!build_binary(build, OPERATION_DIVIDE, *x, constant, "scaled", x))
            return false;
        turn->scaled = *x;
    }
    bool cuts_k = choose->top_k && choose->top_k < words, cuts_p = choose->top_p < 1;
    if ((cuts_k || cuts_p) &&
        !build_unary(build, OPERATION_SOFTMAX, *x, "shares", &turn->shares))
        return false;
    snprintf(name, sizeof name, "%s.top_k", build.path);
    if (cuts_k) {
        if (!tape_append(build.tape, OPERATION_TOP_K, x, 1,
                         (OperationOptions){.keep = choose->top_k}, name, x, build.error))
            return false;
        turn->top_k = *x;
    }
    snprintf(name, sizeof name, "%s.top_p", build.path);
    if (cuts_p) {
        if (!tape_append(build.tape, OPERATION_TOP_P, x, 1,
                         (OperationOptions){.share = choose->top_p}, name, x,
                         build.error))
            return false;
        turn->top_p = *x;
    }
    return true;
}

static bool append_choice(GenerateTape *this, Build build, LessonTurn *turn, size_t x) {
    turn->scaled = turn->top_k = turn->top_p = turn->shares = TAPE_NONE;
    if (this->generate->rule == LESSON_SAMPLE && !append_cuts(this, build, turn, &x))
        return false;
    if (!build_unary(build, OPERATION_SOFTMAX, x, "chances", &turn->chances))
        return false;
    if (turn->shares == TAPE_NONE)
        turn->shares = turn->chances;
    turn->result = turn->chances;
    return true;
}

/* ---- a beam's turn ---- */

/* Rows below each other; one alone is itself. */
static bool append_stack(Build build, const size_t *rows, size_t count, const char *what,
                         size_t *node) {
    char name[BUILD_NAME_SIZE];
    *node = rows[0];
    snprintf(name, sizeof name, "%s.%s", build.path, what);
    return count == 1 || tape_append(build.tape, OPERATION_STACK, rows, count,
                                     (OperationOptions){0}, name, node, build.error);
}

/* What each text had before this turn, [texts,1]. */
static bool append_before(GenerateTape *this, Build build, size_t number,
                          size_t *before) {
    const LessonGenerate *generate = this->generate;
    const LessonTurn *turn = &generate->turns[number];
    const LessonTurn *last = &generate->turns[number - 1];
    size_t cells[GENERATE_WIDTH_MAX];
    char name[BUILD_NAME_SIZE];
    snprintf(name, sizeof name, "%s.before", build.path);
    for (size_t i = 0; i < turn->text_count; i++) {
        size_t made, row, col;
        lesson_beam_cell(generate, turn->from[i], &made, &row, &col);
        OperationOptions cell = {
            .row_begin = row, .row_end = row + 1, .col_begin = col, .col_end = col + 1};
        if (!tape_append(build.tape, OPERATION_SLICE, &last->result, 1, cell,
                         turn->text_count == 1 ? name : "", &cells[i], build.error))
            return false;
        if (turn->text_count > 1)
            tape_set_quiet(build.tape, cells[i]);
    }
    return append_stack(build, cells, turn->text_count, "before", before);
}

/* The words that each text has so far, "he brings", as labels of the rows. */
static bool label_texts(GenerateTape *this, const LessonTurn *turn, size_t node) {
    Tape *tape = tape_of(this);
    const char **labels = arena_alloc(arena_of(this), turn->text_count, sizeof *labels);
    for (size_t i = 0; labels && i < turn->text_count; i++) {
        const Tensor *ids = &tape_node(tape, turn->ids[i])->output;
        size_t begin = this->input.target.cols;
        labels[i] = begin < ids->cols ? ids->col_labels[begin] : ids->col_labels[0];
        for (size_t j = begin + 1; labels[i] && j < ids->cols; j++)
            labels[i] =
                arena_format(arena_of(this), "%s %s", labels[i], ids->col_labels[j]);
        if (!labels[i])
            return no_memory(this);
    }
    if (!labels)
        return no_memory(this);
    tape_set_labels(tape, node, labels, NULL);
    return true;
}

static bool append_totals(GenerateTape *this, Build build, size_t number,
                          const size_t *logits) {
    LessonTurn *turn = &this->generate->turns[number];
    size_t x, before;
    turn->scaled = turn->top_k = turn->top_p = TAPE_NONE;
    if (!append_stack(build, logits, turn->text_count, "next_logits", &x) ||
        !label_texts(this, turn, x) ||
        !build_unary(build, OPERATION_SOFTMAX, x, "chances", &turn->chances))
        return false;
    turn->shares = turn->chances;
    if (!number)
        return build_unary(build, OPERATION_LOG, turn->chances, "totals", &turn->result);
    return build_unary(build, OPERATION_LOG, turn->chances, "log_chances", &x) &&
           append_before(this, build, number, &before) &&
           build_binary(build, OPERATION_ADD, x, before, "totals", &turn->result);
}

/* ---- all turns ---- */

/* One text of a turn; where there are several each is a group. */
static bool append_text(GenerateTape *this, const char *path, size_t number, size_t text,
                        size_t *ids, size_t *logits) {
    Tape *tape = tape_of(this);
    Tensor target;
    if (!read_ids(this, number, text, &target))
        return false;
    if (this->generate->turns[number].text_count == 1)
        return append_reading(this, path, target, ids, logits);
    const char *inner = arena_format(arena_of(this), "%s.text_%zu", path, text + 1);
    if (!inner)
        return no_memory(this);
    if (!tape_group_begin(tape, inner, this->error))
        return false;
    bool good = append_reading(this, inner, target, ids, logits);
    tape_group_end(tape);
    return good;
}

static bool append_turn(GenerateTape *this, size_t number) {
    LessonTurn *turn = &this->generate->turns[number];
    Tape *tape = tape_of(this);
    const char *path =
        arena_format(arena_of(this), "%s.turn_%zu", this->generate->name, number + 1);
    size_t *ids = arena_alloc(arena_of(this), turn->text_count, sizeof *ids);
    size_t logits[GENERATE_WIDTH_MAX];
    bool good = true;
    if (!path || !ids)
        return no_memory(this);
    turn->ids = ids;
    if (!tape_group_begin(tape, path, this->error))
        return false;
    for (size_t i = 0; good && i < turn->text_count; i++)
        good = append_text(this, path, number, i, &ids[i], &logits[i]);
    Build build = {tape, NULL, path, this->error};
    if (good)
        good = this->generate->rule == LESSON_BEAM
                   ? append_totals(this, build, number, logits)
                   : append_choice(this, build, turn, logits[0]);
    tape_group_end(tape);
    return good;
}

static void name_nodes(GenerateTape *this, size_t first) {
    const Tape *tape = tape_of(this);
    for (size_t i = first; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (!node->quiet && node->name[0])
            reader_name(this->reader, node->name, i, 0);
    }
}

bool generate_tape_append(GenerateTape *this, size_t *first) {
    LessonGenerate *generate = this->generate;
    bool decoded = generate->rule != LESSON_BEAM;
    generate->drawn = TAPE_NONE;
    if (!append_multiplications(this) || (decoded && !append_logits(this)) ||
        (generate->draws && !append_drawn(this)))
        return false;
    *first = tape_count(tape_of(this));
    for (size_t i = 0; i < generate->turn_count; i++) {
        if (!append_turn(this, i))
            return false;
    }
    name_nodes(this, *first);
    return true;
}
