#include "base/json_watch.h"
#include "base/strings/utf8.h"
#include "base/strings/writer.h"
#include "commands/command.h"
#include "course/course.h"
#include "files/files.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/model/generate_step.h"
#include "lesson/model/model_parts.h"
#include "tensor/tape/tape.h"
#include "text/byte_bpe.h"

#include <jansson.h>
#include <string.h>

enum { RESULTS_MEMORY = 1 << 30 }; /* bytes, beside the lesson's */

/* Words being said by a lesson's model, and what came of it. */
typedef struct Generate {
    const Lesson *lesson;
    const CommandLine *line;
    TransformerInput input;
    Arena *arena;
    Generated said;
    bool generated, printed;
    Error error;
} Generate;

/* ---- what the model reads ---- */

/* Reads the text that was typed; an error names the word that the vocabulary hasn't,
 * and some that it has. */
static bool read_text(Generate *this, TransformerSide side, const char *start,
                      Tensor *ids) {
    const ModelWords *words = &this->lesson->words[side];
    const char *text = this->line->text;
    Lesson side_only = {.tokenizer = &words->tokenizer};
    if (!words->tokens)
        return error_set(&this->error, ERROR_VALUE, 0, 0,
                         "the model of %s knows IDs but no words, so it can't read a "
                         "text; leave --text out",
                         this->lesson->id);
    if (model_words_text(words, text, "the text", start, ids, &this->error))
        return true;
    const char *unknown = lesson_unknown_word(&side_only, text, this->arena);
    const char *some = lesson_some_words(&side_only, 60, this->arena);
    char quoted[UTF8_SHORT_SIZE];
    if (this->error.code == ERROR_NAME && unknown && some)
        error_set(&this->error, ERROR_NAME, 0, 0,
                  "the model has no word '%s'; its words are %s",
                  utf8_shorten(quoted, unknown, strlen(unknown)), some);
    return false;
}

/* An encoder–decoder translates the text, a decoder alone goes on with it. */
static bool read_input(Generate *this) {
    bool translates = this->lesson->model->shape.kind == TRANSFORMER_ENCODER_DECODER;
    TransformerInput *input = &this->input;
    lesson_generate_input(this->lesson, this->arena, input);
    return !this->line->text ||
           (translates ? read_text(this, TRANSFORMER_SOURCE, NULL, &input->source)
                       : read_text(this, TRANSFORMER_TARGET, this->lesson->start,
                                   &input->target));
}

static bool run(Generate *this) {
    GenerateRequest request = {.tape = this->lesson->tape,
                               .arena = this->arena,
                               .model = this->lesson->model,
                               .input = this->input,
                               .name = "said",
                               .repeats_cells = !this->line->text,
                               .discards_runs = true,
                               .options = this->line->generate.say};
    request.options.end = lesson_generate_end(this->lesson);
    return generate_run(&this->said, &request, &this->error);
}

/* ---- printing ---- */

enum { WORD_SIZE = 24 };

/* A word of one side's vocabulary; its ID where only that is known. */
static const char *word_of(const Generate *this, TransformerSide side, size_t id,
                           char number[WORD_SIZE]) {
    const ModelWords *words = &this->lesson->words[side];
    if (words->tokens && id < words->ids && *words->tokens[id])
        return words->tokens[id];
    snprintf(number, WORD_SIZE, "%zu", id);
    return number;
}

/* Adds a token to a text: of a tokenizer of bytes its bytes, which may be part of a
 * character; of another, the token behind a blank. */
static void add_token(const Generate *this, TransformerSide side, size_t id,
                      Writer *text) {
    const Tokenizer *tokenizer = &this->lesson->words[side].tokenizer;
    char number[WORD_SIZE], bytes[VOCABULARY_TOKEN_SIZE_MAX];
    const char *word = word_of(this, side, id, number);
    if (tokenizer->kind && tokenizer->kind->bytes) {
        writer_put(text, bytes, byte_name_read(bytes, word));
    } else {
        writer_text(text, text->length ? " " : "");
        writer_text(text, word);
    }
}

/* Reports whether the text ended because it fills the model's context. */
static bool is_context_full(const Generate *this) {
    const Generated *said = &this->said;
    return !said->ended && said->options.length < this->line->generate.say.length;
}

/* Tells on standard error what the model reads, so that standard output has only what it
 * predicts. */
static void print_read(const Generate *this) {
    bool translates = this->lesson->model->shape.kind == TRANSFORMER_ENCODER_DECODER;
    TransformerSide side = translates ? TRANSFORMER_SOURCE : TRANSFORMER_TARGET;
    const Tensor *ids = translates ? &this->input.source : &this->input.target;
    Writer text = {.arena = this->arena};
    for (size_t i = 0; i < tensor_cells(ids); i++)
        add_token(this, side, (size_t)ids->values[i], &text);
    print_to(stderr,
             translates ? "The encoder reads the source \"%s\". The decoder predicts:\n"
                        : "The decoder reads \"%s\" and predicts:\n",
             text.text ? text.text : "");
}

static void print_said(const Generate *this) {
    Writer text = {.arena = this->arena};
    for (size_t i = 0; i < this->said.count; i++)
        add_token(this, TRANSFORMER_TARGET, this->said.ids[i], &text);
    print_read(this);
    print_to(stdout, "%s\n", text.text ? text.text : "");
    if (is_context_full(this))
        print_to(stderr,
                 "The text ends here because the model's context of %zu tokens is "
                 "full.\n",
                 this->lesson->model->shape.context);
}

static json_t *json_word(const Generate *this, TransformerSide side, size_t id) {
    char number[WORD_SIZE];
    return json_string(word_of(this, side, id, number));
}

static json_t *json_ids(const Generated *said) {
    json_t *array = json_array();
    for (size_t i = 0; i < said->count; i++)
        json_array_append_new(array, json_integer((json_int_t)said->ids[i]));
    return array;
}

static json_t *json_words(const Generate *this) {
    json_t *array = json_array();
    for (size_t i = 0; i < this->said.count; i++)
        json_array_append_new(array,
                              json_word(this, TRANSFORMER_TARGET, this->said.ids[i]));
    return array;
}

static json_t *json_tensor(const Generate *this, TransformerSide side,
                           const Tensor *ids) {
    json_t *array = json_array();
    for (size_t i = 0; i < tensor_cells(ids); i++)
        json_array_append_new(array, json_word(this, side, (size_t)ids->values[i]));
    return array;
}

static const Tensor *tensor_of(const Generate *this, size_t node) {
    return &tape_node(this->lesson->tape, node)->output;
}

/* Returns a token of a generation step as JSON; with greedy decoding, the chosen one has
 * probability 1. */
static json_t *json_choice(const Generate *this, const DecodingStep *turn, size_t col) {
    const Generated *said = &this->said;
    size_t text = turn->first + col, id = generated_token(said, text);
    CandidateFate fate = candidate_fate(said, this->lesson->tape, text);
    double chance = said->options.rule == GENERATE_GREEDY
                        ? fate == CANDIDATE_KEPT
                        : tensor_at(tensor_of(this, turn->probabilities), 0, col);
    return json_pack("{s:o, s:I, s:o, s:f, s:f, s:s}", "word",
                     json_word(this, TRANSFORMER_TARGET, id), "id", (json_int_t)id,
                     "logit",
                     json_number(tensor_at(tensor_of(this, turn->logits), 0, col)),
                     "share", tensor_at(tensor_of(this, turn->all_probabilities), 0, col),
                     "chance", chance, "fate", candidate_fate_name(fate));
}

static json_t *json_turn(const Generate *this, size_t index) {
    const DecodingStep *turn = &this->said.steps[index];
    const Tensor *ids = tensor_of(this, turn->ids[0]);
    const size_t *order = generate_order(
        this->arena, tensor_of(this, turn->logits)->values, this->said.word_count);
    size_t rows = index && this->said.options.cache ? 1 : ids->cols;
    json_t *words = json_array();
    for (size_t i = 0; i < this->said.word_count; i++)
        json_array_append_new(words, json_choice(this, turn, order[i]));
    return json_pack("{s:o, s:I, s:I, s:o, s:o}", "read",
                     json_tensor(this, TRANSFORMER_TARGET, ids), "rows", (json_int_t)rows,
                     "multiplications", (json_int_t)turn->multiplications, "chosen",
                     json_word(this, TRANSFORMER_TARGET,
                               generated_token(&this->said, turn->chosen[0])),
                     "words", words);
}

static json_t *json_beam_turn(const Generate *this, size_t index) {
    const DecodingStep *turn = &this->said.steps[index];
    size_t count = turn->text_count * this->said.word_count;
    return json_pack("{s:I, s:I, s:I}", "first", (json_int_t)turn->first, "count",
                     (json_int_t)count, "multiplications",
                     (json_int_t)turn->multiplications);
}

/* A text of a beam's tree; the first is the beginning, alone. */
static json_t *json_node(const Generate *this, size_t text) {
    const Generated *said = &this->said;
    GeneratedCell at = {0};
    bool made = generated_cell(said, text, &at);
    const DecodingStep *turn = &said->steps[at.step];
    const Tensor *begin = &this->input.target;
    size_t id =
        made ? generated_token(said, text) : (size_t)begin->values[begin->cols - 1];
    size_t depth = made ? at.step + 1 : 0;
    double log_chance = 0, total = 0, score = 0;
    if (made) {
        log_chance = tensor_at(tensor_of(this, turn->log_probabilities), at.row, at.col);
        total = tensor_at(tensor_of(this, turn->result), at.row, at.col);
        score = generated_score(&said->options, total, depth);
    }
    return json_pack(
        "{s:I, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:s}", "node", (json_int_t)text,
        "parent",
        made ? json_integer((json_int_t)generated_parent(said, text)) : json_null(),
        "word", json_word(this, TRANSFORMER_TARGET, id), "id", (json_int_t)id, "depth",
        (json_int_t)depth, "log_chance", json_number(log_chance), "total",
        json_number(total), "score", json_number(score), "fate",
        candidate_fate_name(candidate_fate(said, this->lesson->tape, text)));
}

static bool print_value(json_t *value) {
    return print_json(stdout, value,
                      JSON_REAL_PRECISION(17) | JSON_COMPACT | JSON_ENCODE_ANY);
}

/* Prints a list, an item a line. */
static bool print_list(const Generate *this, const char *name, size_t count,
                       json_t *(*item)(const Generate *this, size_t index)) {
    print(",\n\"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        print(i ? ",\n  " : "\n  ");
        if (!print_value(item(this, i)))
            return false;
    }
    print("\n]");
    return true;
}

static json_t *json_options(const DecodingOptions *options) {
    switch (options->rule) {
    case GENERATE_SAMPLE:
        return json_pack("{s:f, s:I, s:f, s:I}", "temperature", options->temperature,
                         "top_k", (json_int_t)options->top_k, "top_p", options->top_p,
                         "seed", (json_int_t)options->seed);
    case GENERATE_BEAM:
        return json_pack("{s:I, s:f}", "beam", (json_int_t)options->width,
                         "length_exponent", options->length_exponent);
    default:
        return json_object();
    }
}

static bool print_field(const char *name, json_t *value) {
    print(",\n\"%s\": ", name);
    return print_value(value);
}

static bool print_beam(const Generate *this) {
    const Generated *said = &this->said;
    const DecodingStep *last = &said->steps[said->step_count - 1];
    return print_field("best", json_integer((json_int_t)said->best)) &&
           print_list(this, "turns", said->step_count, json_beam_turn) &&
           print_list(this, "tree", last->first + last->text_count * said->word_count,
                      json_node);
}

static bool print_all(const Generate *this) {
    const Generated *said = &this->said;
    const DecodingOptions *options = &said->options;
    const TransformerInput *input = &this->input;
    json_watch();
    print("{\"lesson\": ");
    bool good =
        print_value(json_string(this->lesson->id)) &&
        print_field("rule", json_string(generate_rule_name(options->rule))) &&
        print_field("options", json_options(options)) &&
        print_field("length", json_integer((json_int_t)options->length)) &&
        print_field("cache", json_boolean(options->cache)) &&
        print_field("source", json_tensor(this, TRANSFORMER_SOURCE, &input->source)) &&
        print_field("begin", json_tensor(this, TRANSFORMER_TARGET, &input->target)) &&
        print_field("words", json_words(this)) && print_field("ids", json_ids(said)) &&
        print_field("ended", json_boolean(said->ended)) &&
        print_field("context_full", json_boolean(is_context_full(this))) &&
        print_field("multiplications", json_integer((json_int_t)said->multiplications)) &&
        (options->rule == GENERATE_BEAM
             ? print_beam(this)
             : print_list(this, "turns", said->step_count, json_turn));
    print("}\n");
    return good;
}

/* ---- the command ---- */

static void no_memory(Generate *this, const Arena *arena) {
    arena_error(arena, "there is no memory to predict so many tokens", &this->error);
}

static bool generate(Generate *this) {
    const Lesson *lesson = this->lesson;
    if (!lesson->model)
        return error_set(&this->error, ERROR_VALUE, 0, 0,
                         "%s has no model to predict with; take a lesson with "
                         "'model:'",
                         lesson->id);
    bool reads = lesson->model->shape.kind != TRANSFORMER_ENCODER; /* else run refuses */
    return (!reads || read_input(this)) && run(this);
}

static void generate_guarded(void *context) {
    Generate *this = context;
    this->generated = generate(this);
}

/* The typed text is split into tokens in the lesson's arena. */
static void generate_in_lesson(void *context) {
    Generate *this = context;
    if (!arena_guard(this->arena, generate_guarded, this))
        no_memory(this, this->arena);
}

static void print_guarded(void *context) {
    Generate *this = context;
    this->printed = true;
    if (this->line->json)
        this->printed = print_all(this);
    else
        print_said(this);
}

ExitCode command_generate(Course *course, const CommandLine *line) {
    ErrorList errors = {0};
    course->text = NULL; /* the text is the model's alone, not the lesson's */
    Lesson *lesson = course_open(course, line->lessons[0], &errors);
    if (!lesson)
        return report_errors(&errors);
    Generate this = {
        .lesson = lesson, .line = line, .arena = arena_create(RESULTS_MEMORY)};
    ExitCode code = EXIT_DONE;
    if (this.arena)
        arena_allow(this.arena, arena_allowed(lesson->arena));
    if (!this.arena || !arena_guard(lesson->arena, generate_in_lesson, &this))
        no_memory(&this, lesson->arena);
    if (!this.generated) {
        code = report_error(&this.error);
    } else if ((!arena_guard(this.arena, print_guarded, &this) || !this.printed) &&
               !ferror(stdout)) {
        code =
            report_no_memory("to print this"); /* main reports an error of the stream */
    }
    arena_destroy(this.arena);
    lesson_destroy(lesson);
    return code;
}
