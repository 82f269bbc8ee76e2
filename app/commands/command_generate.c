#include "commands/commands.h"

#include "base/utf8.h"
#include "commands/report.h"
#include "lesson/model/generate_step.h"
#include "lesson/model/model_words.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Words being said by a lesson's model, and what came of it. */
typedef struct Generate {
    const Lesson *lesson;
    const CommandLine *line;
    PredictModel model;
    TransformerInput input;
    Arena *arena;
    Decode decode; /* of the rules greedy and sample */
    Beam beam;     /* of the rule beam */
    size_t said;   /* how many words were said: */
    const size_t *ids;
    bool ended;
    Error error;
} Generate;

static bool no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0,
                     "there is no memory to say so many words");
}

/* ---- what the model reads ---- */

/* The start token alone; where the vocabulary has none, what the lesson's own text begins
 * with. */
static bool read_start(Generate *this) {
    const Lesson *lesson = this->lesson;
    Tensor own = lesson_own_ids(lesson, TRANSFORMER_TARGET);
    double *id = arena_alloc(this->arena, 1, sizeof *id);
    if (!id)
        return no_memory(&this->error);
    *id = (double)lesson_special_id(lesson, lesson->start,
                                    tensor_cells(&own) ? (size_t)own.values[0] : 0);
    this->input.target = (Tensor){.rows = 1, .cols = 1, .values = id};
    return true;
}

/* Reads the text that was typed; says which word the vocabulary lacks, and some that it
 * has. */
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
    const Lesson *lesson = this->lesson;
    bool translates = lesson->model->shape.kind != TRANSFORMER_DECODER;
    TransformerSide side = translates ? TRANSFORMER_SOURCE : TRANSFORMER_TARGET;
    Tensor *ids = translates ? &this->input.source : &this->input.target;
    *ids = lesson_own_ids(lesson, side);
    if (this->line->text &&
        !read_text(this, side, translates ? NULL : lesson->start, ids))
        return false;
    return !translates || read_start(this);
}

/* ---- saying it ---- */

static bool run_beam(Generate *this) {
    const GenerateOptions *generate = &this->line->generate;
    const BeamOptions options = {
        .width = generate->beam,
        .length = generate->length,
        .end = lesson_special_id(this->lesson, this->lesson->end, BEAM_NONE),
        .length_exponent = generate->length_exponent,
        .cache = generate->cache,
    };
    Beam *beam = &this->beam;
    if (!beam_run(beam, this->arena, this->model, &this->input, &options, &this->error))
        return false;
    const BeamNode *best = &beam->nodes[beam->best];
    size_t *ids = arena_alloc(this->arena, best->depth, sizeof *ids);
    if (!ids)
        return no_memory(&this->error);
    beam_ids(beam, beam->best, ids);
    this->said = best->depth;
    this->ids = ids;
    this->ended = best->id == options.end;
    return true;
}

static bool run(Generate *this) {
    const GenerateOptions *generate = &this->line->generate;
    if (generate->rule == GENERATE_BEAM)
        return run_beam(this);
    const DecodeOptions options = {
        .choose = {.rule =
                       generate->rule == GENERATE_SAMPLE ? CHOOSE_SAMPLE : CHOOSE_GREEDY,
                   .temperature = generate->temperature,
                   .top_k = generate->top_k,
                   .top_p = generate->top_p},
        .length = generate->length,
        .end = lesson_special_id(this->lesson, this->lesson->end, DECODE_NO_END),
        .seed = generate->seed,
        .cache = generate->cache,
    };
    Decode *decode = &this->decode;
    if (!decode_run(decode, this->arena, this->model, &this->input, &options,
                    &this->error))
        return false;
    this->said = decode->turn_count;
    this->ids = decode->ids + decode->begin;
    this->ended = decode->ended;
    return true;
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

static bool print_text(const Generate *this) {
    char number[WORD_SIZE];
    for (size_t i = 0; i < this->said; i++)
        printf("%s%s", i ? " " : "",
               word_of(this, TRANSFORMER_TARGET, this->ids[i], number));
    puts("");
    return true;
}

/* An impossible word's numbers are "-inf", as JSON has none for them. */
static json_t *json_number(double value) {
    return isinf(value) ? json_string("-inf") : json_real(value);
}

static json_t *json_word(const Generate *this, TransformerSide side, size_t id) {
    char number[WORD_SIZE];
    return json_string(word_of(this, side, id, number));
}

static json_t *json_ids(const size_t *ids, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_integer((json_int_t)ids[i]));
    return array;
}

static json_t *json_words(const Generate *this, const size_t *ids, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_word(this, TRANSFORMER_TARGET, ids[i]));
    return array;
}

static json_t *json_tensor(const Generate *this, TransformerSide side,
                           const Tensor *ids) {
    json_t *array = json_array();
    for (size_t i = 0; i < tensor_cells(ids); i++)
        json_array_append_new(array, json_word(this, side, (size_t)ids->values[i]));
    return array;
}

static json_t *json_choice(const Generate *this, const DecodeTurn *turn, size_t rank) {
    size_t number = turn->order[rank], id = this->decode.first_output + number;
    const ChooseWord *word = &turn->words[number];
    return json_pack("{s:o, s:I, s:o, s:f, s:f, s:s}", "word",
                     json_word(this, TRANSFORMER_TARGET, id), "id", (json_int_t)id,
                     "logit", json_number(word->logit), "share", word->share, "chance",
                     word->chance, "fate", choose_fate_name(word->fate));
}

static json_t *json_decode_turn(const Generate *this, size_t index) {
    const DecodeTurn *turn = &this->decode.turns[index];
    json_t *words = json_array();
    for (size_t i = 0; i < this->decode.word_count; i++)
        json_array_append_new(words, json_choice(this, turn, i));
    return json_pack("{s:o, s:I, s:I, s:o, s:o}", "read",
                     json_words(this, this->decode.ids, turn->read), "rows",
                     (json_int_t)turn->rows, "multiplications",
                     (json_int_t)turn->multiplications, "chosen",
                     json_word(this, TRANSFORMER_TARGET, turn->chosen), "words", words);
}

static json_t *json_beam_turn(const Generate *this, size_t index) {
    const BeamTurn *turn = &this->beam.turns[index];
    return json_pack("{s:I, s:I, s:I}", "first", (json_int_t)turn->first, "count",
                     (json_int_t)turn->count, "multiplications",
                     (json_int_t)turn->multiplications);
}

static json_t *json_node(const Generate *this, size_t index) {
    const BeamNode *node = &this->beam.nodes[index];
    return json_pack(
        "{s:I, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:s}", "node", (json_int_t)index,
        "parent",
        node->parent == BEAM_NONE ? json_null() : json_integer((json_int_t)node->parent),
        "word", json_word(this, TRANSFORMER_TARGET, node->id), "id", (json_int_t)node->id,
        "depth", (json_int_t)node->depth, "log_chance", json_number(node->log_chance),
        "total", json_number(node->total), "score", json_number(node->score), "fate",
        beam_fate_name(node->fate));
}

/* Prints a value and lets go of it; NULL, which jansson gives when there is no memory, is
 * a failure. */
static bool print_json(json_t *value) {
    const size_t flags = JSON_REAL_PRECISION(17) | JSON_COMPACT | JSON_ENCODE_ANY;
    bool printed = value && json_dumpf(value, stdout, flags) == 0;
    json_decref(value);
    return printed;
}

/* One of a list's items a line. */
static bool print_list(const Generate *this, const char *name, size_t count,
                       json_t *(*item)(const Generate *this, size_t index)) {
    printf(",\n\"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ",\n  " : "\n  ", stdout);
        if (!print_json(item(this, i)))
            return false;
    }
    fputs("\n]", stdout);
    return true;
}

static const char *rule_name(GenerateRule rule) {
    static const char *const names[] = {"greedy", "sample", "beam"};
    return names[rule];
}

static json_t *json_options(const GenerateOptions *generate) {
    switch (generate->rule) {
    case GENERATE_SAMPLE:
        return json_pack("{s:f, s:I, s:f, s:I}", "temperature", generate->temperature,
                         "top_k", (json_int_t)generate->top_k, "top_p", generate->top_p,
                         "seed", (json_int_t)generate->seed);
    case GENERATE_BEAM:
        return json_pack("{s:I, s:f}", "beam", (json_int_t)generate->beam,
                         "length_exponent", generate->length_exponent);
    default:
        return json_object();
    }
}

static bool print_field(const char *name, json_t *value) {
    printf(",\n\"%s\": ", name);
    return print_json(value);
}

static bool print_all(const Generate *this) {
    const GenerateOptions *generate = &this->line->generate;
    bool beam = generate->rule == GENERATE_BEAM;
    const TransformerInput *input = &this->input;
    fputs("{\"lesson\": ", stdout);
    bool good =
        print_json(json_string(this->lesson->id)) &&
        print_field("rule", json_string(rule_name(generate->rule))) &&
        print_field("options", json_options(generate)) &&
        print_field("length", json_integer((json_int_t)generate->length)) &&
        print_field("cache", json_boolean(generate->cache)) &&
        print_field("source", json_tensor(this, TRANSFORMER_SOURCE, &input->source)) &&
        print_field("begin", json_tensor(this, TRANSFORMER_TARGET, &input->target)) &&
        print_field("words", json_words(this, this->ids, this->said)) &&
        print_field("ids", json_ids(this->ids, this->said)) &&
        print_field("ended", json_boolean(this->ended)) &&
        print_field("multiplications",
                    json_integer((json_int_t)(beam ? this->beam.multiplications
                                                   : this->decode.multiplications)));
    if (beam)
        good = good && print_field("best", json_integer((json_int_t)this->beam.best)) &&
               print_list(this, "turns", this->beam.turn_count, json_beam_turn) &&
               print_list(this, "tree", this->beam.node_count, json_node);
    else
        good =
            good && print_list(this, "turns", this->decode.turn_count, json_decode_turn);
    puts("}");
    return good;
}

/* ---- the command ---- */

static bool generate(Generate *this) {
    const Lesson *lesson = this->lesson;
    if (!lesson->model)
        return error_set(&this->error, ERROR_VALUE, 0, 0,
                         "%s has no model that could say words; take a lesson with "
                         "'model:'",
                         lesson->id);
    this->model = (PredictModel){lesson->tape, lesson->model};
    if (lesson->model->shape.kind == TRANSFORMER_ENCODER)
        return predict_check(&lesson->model->shape, &this->input, &this->error);
    return read_input(this) && run(this);
}

ExitCode command_generate(Course *course, const CommandLine *line) {
    ErrorList errors = {0};
    size_t number;
    course->text = NULL; /* the text is the model's alone, not the lesson's */
    Lesson *lesson = course_open(course, line->lessons[0], &number, &errors);
    if (!lesson)
        return report_errors(&errors);
    Generate this = {
        .lesson = lesson, .line = line, .arena = arena_create(PREDICT_MEMORY)};
    ExitCode code = EXIT_DONE;
    if (this.arena ? !generate(&this) : !no_memory(&this.error)) {
        code = report_error(&this.error);
    } else if (!(line->json ? print_all(&this) : print_text(&this)) && !ferror(stdout)) {
        fputs("glassformer: there is no memory to print this\n", stderr);
        code = EXIT_DATA; /* main tells of what could not be written */
    }
    arena_destroy(this.arena);
    if (!number)
        lesson_destroy(lesson);
    return code;
}
