#include "lesson/model/generate_step.h"

#include "base/utf8.h"
#include "lesson/formula/expression.h"
#include "lesson/model/model_words.h"
#include "lesson/read/field.h"
#include "lesson/read/reader.h"

#include <string.h>

/* A step being read. */
typedef struct GenerateReader {
    LessonReader *reader;
    const YamlNode *node;
    LessonGenerate *generate;
    TransformerInput input;
} GenerateReader;

static bool no_memory(const GenerateReader *this) {
    return error_list_add(this->reader->errors, ERROR_MEMORY, 0, 0,
                          "the lesson needs more memory than it may use");
}

static bool refuse(const GenerateReader *this, const YamlNode *node, const Error *error) {
    return error_list_append(this->reader->errors, error, node->line, node->column);
}

static const char *const rules[LESSON_RULE_COUNT] = {"greedy", "sample", "beam"};

const char *lesson_rule_name(LessonRule rule) {
    return rules[rule];
}

/* ---- the options ---- */

/* The keys that say how words are said; each but the last few counts with one rule only.
 */
static const struct {
    const char *key;
    LessonRule rule; /* LESSON_RULE_COUNT: any */
} keys[] = {{"temperature", LESSON_SAMPLE},   {"top_k", LESSON_SAMPLE},
            {"top_p", LESSON_SAMPLE},         {"seed", LESSON_SAMPLE},
            {"draws", LESSON_SAMPLE},         {"beam", LESSON_BEAM},
            {"length_exponent", LESSON_BEAM}, {"name", LESSON_RULE_COUNT},
            {"rule", LESSON_RULE_COUNT},      {"length", LESSON_RULE_COUNT},
            {"cache", LESSON_RULE_COUNT},     {"text", LESSON_RULE_COUNT},
            {"begin", LESSON_RULE_COUNT}};

enum { KEY_COUNT = sizeof keys / sizeof *keys };

static bool read_rule(GenerateReader *this) {
    const YamlNode *node = yaml_lookup(this->node, "rule");
    const char *word;
    char quoted[UTF8_SHORT_SIZE];
    if (!node)
        return true;
    if (!field_string(node, "rule", &word, this->reader->errors))
        return false;
    for (size_t i = 0; i < LESSON_RULE_COUNT; i++) {
        if (strcmp(rules[i], word) == 0) {
            this->generate->rule = (LessonRule)i;
            return true;
        }
    }
    return error_list_add(this->reader->errors, ERROR_VALUE, node->line, node->column,
                          "rule is '%s', but must be one of: greedy, sample, beam",
                          utf8_shorten(quoted, word, strlen(word)));
}

/* What counts with another rule only is a mistake. */
static bool check_rule(const GenerateReader *this) {
    bool good = true;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        const YamlNode *node = yaml_lookup(this->node, keys[i].key);
        if (node && keys[i].rule != LESSON_RULE_COUNT &&
            keys[i].rule != this->generate->rule)
            good = error_list_add(
                this->reader->errors, ERROR_VALUE, node->key->line, node->key->column,
                "%s says nothing to rule: %s; it goes with rule: %s", keys[i].key,
                rules[this->generate->rule], rules[keys[i].rule]);
    }
    return good;
}

/* A whole number from `least` to `most`. */
static bool read_whole(const GenerateReader *this, const char *key, size_t least,
                       size_t most, size_t *value) {
    const YamlNode *node = yaml_lookup(this->node, key);
    size_t number;
    if (!node)
        return true;
    if (!field_whole(node, key, (size_t)1 << 53, &number, this->reader->errors))
        return false;
    if (number < least || number > most)
        return error_list_add(this->reader->errors, ERROR_VALUE, node->line, node->column,
                              "%s is %zu, but must be from %zu to %zu", key, number,
                              least, most);
    *value = number;
    return true;
}

/* A number that choose_check or beam_check takes. */
static bool read_number(const GenerateReader *this, const char *key, double *value) {
    const YamlNode *node = yaml_lookup(this->node, key);
    Error error;
    if (!node)
        return true;
    if (!field_number(node, key, value, this->reader->errors))
        return false;
    if (this->generate->rule == LESSON_BEAM)
        return beam_check(&this->generate->beam_options, &error) ||
               refuse(this, node, &error);
    return choose_check(&this->generate->options.choose, &error) ||
           refuse(this, node, &error);
}

static bool read_cache(const GenerateReader *this, bool *cache) {
    const YamlNode *node = yaml_lookup(this->node, "cache");
    const char *word;
    if (!node)
        return true;
    if (!field_string(node, "cache", &word, this->reader->errors))
        return false;
    *cache = strcmp(word, "true") == 0;
    return *cache || strcmp(word, "false") == 0 ||
           error_list_add(this->reader->errors, ERROR_VALUE, node->line, node->column,
                          "cache must be true or false");
}

enum { DEFAULT_LENGTH = 16, DEFAULT_WIDTH = 3 };

static bool read_options(GenerateReader *this) {
    LessonGenerate *generate = this->generate;
    const Lesson *lesson = this->reader->lesson;
    const char *known[KEY_COUNT + 1] = {NULL};
    for (size_t i = 0; i < KEY_COUNT; i++)
        known[i] = keys[i].key;
    if (!field_keys(this->node, "generate", known, this->reader->errors) ||
        !read_rule(this) || !check_rule(this))
        return false;
    DecodeOptions *options = &generate->options;
    BeamOptions *beam = &generate->beam_options;
    *options = (DecodeOptions){.choose = {.rule = generate->rule == LESSON_SAMPLE
                                                      ? CHOOSE_SAMPLE
                                                      : CHOOSE_GREEDY,
                                          .temperature = 1,
                                          .top_p = 1},
                               .length = DEFAULT_LENGTH};
    *beam = (BeamOptions){.width = DEFAULT_WIDTH, .length = DEFAULT_LENGTH};
    size_t seed = 0;
    bool good = read_whole(this, "length", 1, GENERATE_LENGTH_MAX, &options->length);
    good &= read_whole(this, "seed", 0, (size_t)1 << 53, &seed);
    good &= read_whole(this, "top_k", 1, TENSOR_MAX_CELLS, &options->choose.top_k);
    good &= read_whole(this, "draws", 1, GENERATE_DRAWS_MAX, &generate->draws);
    good &= read_whole(this, "beam", 1, GENERATE_WIDTH_MAX, &beam->width);
    good &= read_number(this, "temperature", &options->choose.temperature);
    good &= read_number(this, "top_p", &options->choose.top_p);
    good &= read_number(this, "length_exponent", &beam->length_exponent);
    good &= read_cache(this, &options->cache);
    options->seed = seed;
    options->end = lesson_special_id(lesson, lesson->end, DECODE_NO_END);
    beam->end = lesson_special_id(lesson, lesson->end, BEAM_NONE);
    beam->length = options->length;
    beam->cache = options->cache;
    return good;
}

/* "said", or "said_2" where there is one already. */
static bool read_name(GenerateReader *this) {
    LessonReader *reader = this->reader;
    const YamlNode *node = yaml_lookup(this->node, "name");
    const char **name = &this->generate->name;
    char quoted[UTF8_SHORT_SIZE];
    if (!node) {
        *name = "said";
        for (size_t i = 2; *name && names_lookup(&reader->names, *name); i++)
            *name = arena_format(reader->lesson->arena, "said_%zu", i);
        return *name || no_memory(this);
    }
    if (!field_string(node, "name", name, reader->errors))
        return false;
    utf8_shorten(quoted, *name, strlen(*name));
    if (!expression_is_name(*name))
        return error_list_add(reader->errors, ERROR_NAME, node->line, node->column,
                              "'%s' can't be a name; take letters, digits and _", quoted);
    const Name *known = names_lookup(&reader->names, *name);
    return !known || error_list_add(reader->errors, ERROR_NAME, node->line, node->column,
                                    "'%s' is already made at line %d; a name stands for "
                                    "one tensor, so take another",
                                    quoted, known->line);
}

/* ---- what the model reads ---- */

Tensor lesson_own_ids(const Lesson *lesson, TransformerSide side) {
    for (size_t i = 0; i < lesson->model->part_count; i++) {
        const TransformerPart *part = &lesson->model->parts[i];
        if (part->kind == TRANSFORMER_IDS && part->tower->side == side)
            return tape_node(lesson->tape, part->node)->output;
    }
    return (Tensor){0};
}

size_t lesson_special_id(const Lesson *lesson, const char *token, size_t otherwise) {
    const ModelWords *words = &lesson->words[TRANSFORMER_TARGET];
    const VocabularyEntry *entry =
        vocabulary_lookup(words->tokenizer.vocabulary, token, strlen(token));
    return entry ? entry->id : otherwise;
}

/* A text of the step's own. */
static bool read_text(const GenerateReader *this, const char *key, TransformerSide side,
                      const char *start, Tensor *ids) {
    const YamlNode *node = yaml_lookup(this->node, key);
    return !node || model_words_ids(&this->reader->lesson->words[side], node, key, start,
                                    NULL, ids, this->reader->errors);
}

/* The token that texts begin with, alone; where the vocabulary has none, what the
 * lesson's own begins with. */
static bool make_start(GenerateReader *this) {
    const Lesson *lesson = this->reader->lesson;
    Tensor own = lesson_own_ids(lesson, TRANSFORMER_TARGET);
    double *id = arena_alloc(lesson->arena, 1, sizeof *id);
    if (!id)
        return no_memory(this);
    *id = (double)lesson_special_id(lesson, lesson->start,
                                    tensor_cells(&own) ? (size_t)own.values[0] : 0);
    this->input.target = (Tensor){.rows = 1, .cols = 1, .values = id};
    return true;
}

/* An encoder–decoder translates the lesson's source and begins with <sos>; a decoder
 * alone goes on with the lesson's text. */
static bool read_input(GenerateReader *this) {
    const Lesson *lesson = this->reader->lesson;
    const YamlNode *text = yaml_lookup(this->node, "text");
    TransformerInput *input = &this->input;
    bool translates = lesson->model->shape.kind == TRANSFORMER_ENCODER_DECODER;
    input->source = lesson_own_ids(lesson, TRANSFORMER_SOURCE);
    input->target = lesson_own_ids(lesson, TRANSFORMER_TARGET);
    input->source_words = lesson->words[TRANSFORMER_SOURCE].tokens;
    input->target_words = lesson->words[TRANSFORMER_TARGET].tokens;
    if (text && !translates)
        return error_list_add(this->reader->errors, ERROR_NAME, text->key->line,
                              text->key->column,
                              "this model reads no source; 'begin:' is what it goes on "
                              "with");
    return (!translates || make_start(this)) &&
           read_text(this, "text", TRANSFORMER_SOURCE, NULL, &input->source) &&
           read_text(this, "begin", TRANSFORMER_TARGET, lesson->start, &input->target);
}

/* ---- saying it ---- */

/* The words that a column of the logits stands for. */
static bool find_words(GenerateReader *this) {
    const Lesson *lesson = this->reader->lesson;
    LessonGenerate *generate = this->generate;
    const ModelWords *words = &lesson->words[TRANSFORMER_TARGET];
    generate->word_count = predict_words(&lesson->model->shape);
    generate->first_output = lesson->model->shape.first_output;
    const char **labels =
        arena_alloc(lesson->arena, generate->word_count, sizeof *labels);
    if (!labels)
        return no_memory(this);
    for (size_t i = 0; i < generate->word_count; i++) {
        size_t id = generate->first_output + i;
        labels[i] = words->tokens && words->tokens[id][0]
                        ? words->tokens[id]
                        : arena_format(lesson->arena, "%zu", id);
        if (!labels[i])
            return no_memory(this);
    }
    generate->words = labels;
    return true;
}

static bool make_turns(const GenerateReader *this, size_t count) {
    LessonGenerate *generate = this->generate;
    generate->turn_count = count;
    generate->turns =
        arena_alloc(this->reader->lesson->arena, count, sizeof *generate->turns);
    return generate->turns || no_memory(this);
}

static bool run_decode(GenerateReader *this, PredictModel model, Error *error) {
    LessonGenerate *generate = this->generate;
    Decode *decode = &generate->decode;
    if (!decode_run(decode, this->reader->lesson->arena, model, &this->input,
                    &generate->options, error))
        return refuse(this, this->node, error);
    generate->said_count = decode->turn_count;
    generate->said = decode->ids + decode->begin;
    generate->ended = decode->ended;
    generate->multiplications = decode->multiplications;
    if (!make_turns(this, decode->turn_count))
        return false;
    for (size_t i = 0; i < decode->turn_count; i++)
        generate->turns[i] =
            (LessonTurn){.text_count = 1, .chosen = decode->turns[i].chosen};
    return true;
}

/* The texts that grew in a turn: its nodes are a run for each of them. */
static bool find_texts(const GenerateReader *this, size_t index) {
    const Beam *beam = &this->generate->beam;
    LessonTurn *turn = &this->generate->turns[index];
    size_t count = beam->turns[index].count / beam->word_count;
    size_t *from = arena_alloc(this->reader->lesson->arena, count, sizeof *from);
    if (!from)
        return no_memory(this);
    for (size_t i = 0; i < count; i++)
        from[i] = beam->nodes[beam->turns[index].first + i * beam->word_count].parent;
    *turn = (LessonTurn){.text_count = count, .from = from};
    return true;
}

static bool run_beam(GenerateReader *this, PredictModel model, Error *error) {
    LessonGenerate *generate = this->generate;
    Arena *arena = this->reader->lesson->arena;
    Beam *beam = &generate->beam;
    if (!beam_run(beam, arena, model, &this->input, &generate->beam_options, error))
        return refuse(this, this->node, error);
    const BeamNode *best = &beam->nodes[beam->best];
    size_t *said = arena_alloc(arena, best->depth, sizeof *said);
    if (!said)
        return no_memory(this);
    beam_ids(beam, beam->best, said);
    generate->said = said;
    generate->said_count = best->depth;
    generate->ended = best->id == generate->beam_options.end;
    generate->multiplications = beam->multiplications;
    bool good = make_turns(this, beam->turn_count);
    for (size_t i = 0; good && i < beam->turn_count; i++)
        good = find_texts(this, i);
    return good;
}

/* ---- the step ---- */

/* How the words that have the step's name come about. */
static const char *formula_of(Arena *arena, const LessonGenerate *generate) {
    const char *how = "\\op{softmax} \\left(z_{t}\\right)";
    if (generate->rule == LESSON_BEAM)
        return arena_format(arena, "\\tensor{%s} = \\op{argmax} \\sum \\op{log} P",
                            generate->name);
    if (generate->rule == LESSON_GREEDY)
        return arena_format(arena, "\\tensor{%s}_{t} = \\op{argmax} \\left(%s\\right)",
                            generate->name, how);
    if (generate->options.choose.temperature != 1)
        how = "\\op{softmax} \\left(\\frac{z_{t}}{T}\\right)";
    return arena_format(arena, "%s \\to \\tensor{%s}_{t}", how, generate->name);
}

static bool read_and_run(GenerateReader *this, size_t *first) {
    const Lesson *lesson = this->reader->lesson;
    const PredictModel model = {lesson->tape, lesson->model};
    Error error;
    GenerateTape tape = {
        .reader = this->reader, .generate = this->generate, .error = &error};
    bool good = read_name(this);
    good &= read_options(this);
    if (!good || !read_input(this) || !find_words(this))
        return false;
    bool beam = this->generate->rule == LESSON_BEAM;
    if (!(beam ? run_beam(this, model, &error) : run_decode(this, model, &error)))
        return false;
    tape.input = this->input;
    return generate_tape_append(&tape, first) || refuse(this, this->node, &error);
}

bool generate_step_read(LessonReader *reader, const YamlNode *node, LessonStep *step) {
    GenerateReader this = {.reader = reader, .node = node};
    const Lesson *lesson = reader->lesson;
    size_t first;
    if (node->kind != YAML_MAPPING)
        return error_list_add(reader->errors, ERROR_VALUE, node->line, node->column,
                              "generate takes its options, 'generate: {rule: greedy}'");
    if (!lesson->model || lesson->model->shape.kind == TRANSFORMER_ENCODER)
        return error_list_add(reader->errors, ERROR_VALUE, node->line, node->column,
                              "this lesson has no model that could say words; it takes a "
                              "'model:' of kind encoder_decoder or decoder");
    this.generate = arena_alloc(lesson->arena, 1, sizeof *this.generate);
    if (!this.generate)
        return no_memory(&this);
    if (!read_and_run(&this, &first))
        return false;
    const LessonGenerate *generate = this.generate;
    step->generate = generate;
    step->first = first;
    step->count = tape_count(lesson->tape) - first;
    step->result = generate->turns[generate->turn_count - 1].result;
    step->source = generate->name;
    step->formula = formula_of(lesson->arena, generate);
    step->topic = "generate";
    reader_name(reader, generate->name, step->result, node->line);
    return true;
}

/* ---- for whoever shows it ---- */

size_t lesson_turn_multiplications(const LessonGenerate *generate, size_t turn) {
    return generate->rule == LESSON_BEAM ? generate->beam.turns[turn].multiplications
                                         : generate->decode.turns[turn].multiplications;
}

const char *lesson_said_word(const LessonGenerate *generate, size_t id) {
    return generate->words[id - generate->first_output];
}

bool lesson_beam_cell(const LessonGenerate *generate, size_t node, size_t *turn,
                      size_t *row, size_t *col) {
    const Beam *beam = &generate->beam;
    if (!node || node >= beam->node_count)
        return false;
    *turn = beam->nodes[node].depth - 1;
    size_t place = node - beam->turns[*turn].first;
    *row = place / beam->word_count;
    *col = place % beam->word_count;
    return true;
}

const LessonGenerate *lesson_generation_at(const Player *player, size_t step,
                                           size_t *turn) {
    const PlayerStep *at = &player->steps[step];
    const LessonGenerate *generate = player->lesson->steps[at->statement].generate;
    *turn = PLAYER_NONE;
    if (!generate || at->depth > 2 || !at->child_count)
        return NULL;
    if (at->depth == 1 && generate->turn_count > 1)
        return generate;
    for (size_t i = 0; i < generate->turn_count; i++) {
        if (generate->turns[i].result != at->node)
            continue;
        *turn = i;
        return generate;
    }
    return NULL;
}

/* The node of a beam's turn that led to the best text, or that text. */
static size_t best_in_turn(const Beam *beam, size_t turn) {
    size_t node = beam->best;
    while (beam->nodes[node].depth > turn + 1)
        node = beam->nodes[node].parent;
    return node;
}

FollowCell lesson_generation_cell(const LessonGenerate *generate, size_t turn) {
    size_t last = turn == PLAYER_NONE ? generate->turn_count - 1 : turn, row, col;
    const LessonTurn *at = &generate->turns[last];
    if (generate->rule != LESSON_BEAM)
        return (FollowCell){at->chances, 0, at->chosen - generate->first_output};
    lesson_beam_cell(generate, best_in_turn(&generate->beam, last), &last, &row, &col);
    return (FollowCell){generate->turns[last].result, row, col};
}
