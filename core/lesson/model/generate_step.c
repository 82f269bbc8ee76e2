#include "lesson/model/generate_step.h"

#include "base/strings/utf8.h"
#include "lesson/formula/formula.h"
#include "lesson/model/model_parts.h"
#include "lesson/read/reader.h"
#include "tensor/tape/tape.h"
#include "text/vocabulary.h"

#include <string.h>

/* The step being read. */
typedef struct GenerateReader {
    LessonReader *reader;
    const GenerateSpec *spec;
    const YamlNode *node; /* node of the spec */
    LessonGenerate *generate;
    TransformerInput input;
} GenerateReader;

/* Names the generation "said", or "said_2" if that exists. */
static bool find_name(GenerateReader *this) {
    LessonReader *reader = this->reader;
    const YamlNode *node = this->spec->name;
    const char **name = &this->generate->name;
    char quoted[UTF8_SHORT_SIZE];
    *name = node ? node->text : "said";
    for (size_t i = 2; !node && names_lookup(&reader->names, *name); i++)
        *name = arena_format(reader->lesson->arena, "said_%zu", i);
    if (!node)
        return true;
    utf8_shorten(quoted, *name, strlen(*name));
    if (!expression_is_name(*name))
        return yaml_error(reader->errors, ERROR_NAME, node,
                          "'%s' can't be a name; take letters, digits and _", quoted);
    return reader_free_name(reader, *name, node, 0);
}

/* ---- the model's input ---- */

/* Returns the lesson's own IDs of one side; no cells if it has none. */
static Tensor own_ids(const Lesson *lesson, TransformerSide side) {
    for (size_t i = 0; i < lesson->model->part_count; i++) {
        const TransformerPart *part = &lesson->model->parts[i];
        if (part->kind == TRANSFORMER_IDS && part->tower->side == side)
            return tape_node(lesson->tape, part->node)->output;
    }
    return (Tensor){0};
}

/* Returns the ID of a decoder's begin or end token; `otherwise` if the vocabulary lacks
 * it. */
static size_t special_id(const Lesson *lesson, const char *token, size_t otherwise) {
    const ModelWords *words = &lesson->words[TRANSFORMER_TARGET];
    const VocabularyEntry *entry =
        vocabulary_lookup(words->tokenizer.vocabulary, token, strlen(token));
    return entry ? entry->id : otherwise;
}

size_t lesson_generate_end(const Lesson *lesson) {
    return special_id(lesson, lesson->end, GENERATE_NONE);
}

void lesson_generate_input(const Lesson *lesson, Arena *arena, TransformerInput *input) {
    Tensor own = own_ids(lesson, TRANSFORMER_TARGET);
    *input = (TransformerInput){
        .source = own_ids(lesson, TRANSFORMER_SOURCE),
        .target = own,
        .source_words = lesson->words[TRANSFORMER_SOURCE].tokens,
        .target_words = lesson->words[TRANSFORMER_TARGET].tokens,
    };
    if (lesson->model->shape.kind != TRANSFORMER_ENCODER_DECODER)
        return;
    double *id = arena_alloc(arena, 1, sizeof *id);
    *id = (double)special_id(lesson, lesson->start,
                             tensor_cells(&own) ? (size_t)own.values[0] : 0);
    input->target = (Tensor){.rows = 1, .cols = 1, .values = id};
}

/* Reads a text of the step's own. */
static bool read_text(const GenerateReader *this, const YamlNode *node,
                      TransformerSide side, const char *start, Tensor *ids) {
    return !node || model_words_ids(&this->reader->lesson->words[side], node,
                                    node->key->text, start, ids, this->reader->errors);
}

static bool read_input(GenerateReader *this) {
    const Lesson *lesson = this->reader->lesson;
    const YamlNode *text = this->spec->text;
    TransformerInput *input = &this->input;
    if (text && lesson->model->shape.kind != TRANSFORMER_ENCODER_DECODER)
        return yaml_error(this->reader->errors, ERROR_NAME, text->key,
                          "this model reads no source; 'begin:' is what it goes on "
                          "with");
    lesson_generate_input(lesson, lesson->arena, input);
    return read_text(this, text, TRANSFORMER_SOURCE, NULL, &input->source) &&
           read_text(this, this->spec->begin, TRANSFORMER_TARGET, lesson->start,
                     &input->target);
}

/* ---- summary tensors ---- */

/* Finds the token of each column of the logits. */
static void find_words(GenerateReader *this) {
    const Lesson *lesson = this->reader->lesson;
    LessonGenerate *generate = this->generate;
    const Generated *generated = &generate->generated;
    const char *const *tokens = lesson->words[TRANSFORMER_TARGET].tokens;
    const char **labels =
        arena_alloc(lesson->arena, generated->word_count, sizeof *labels);
    for (size_t i = 0; i < generated->word_count; i++) {
        size_t id = generated->first_output + i;
        labels[i] =
            tokens && tokens[id][0] ? tokens[id] : arena_format(lesson->arena, "%zu", id);
    }
    generate->words = labels;
}

/* Makes the labels "1", "2" … */
static const char **count_labels(Arena *arena, size_t count) {
    const char **labels = arena_alloc(arena, count, sizeof *labels);
    for (size_t i = 0; i < count; i++)
        labels[i] = arena_format(arena, "%zu", i + 1);
    return labels;
}

/* Appends a given tensor about the whole generation, "logits_said", to be filled; NULL
 * with the error on failure. It is [steps,words], or [1,steps] without `has_words`. */
static double *append_given(GenerateReader *this, const char *what, bool has_words,
                            size_t *node) {
    LessonReader *reader = this->reader;
    Arena *arena = reader->lesson->arena;
    const Generated *generated = &this->generate->generated;
    const char *name = arena_format(arena, "%s_%s", what, this->generate->name);
    const char *const *turns = count_labels(arena, generated->step_count);
    Tensor tensor = {.rows = has_words ? generated->step_count : 1,
                     .cols = has_words ? generated->word_count : generated->step_count,
                     .row_labels = has_words ? turns : NULL,
                     .col_labels = has_words ? this->generate->words : turns};
    tensor.values = arena_alloc(arena, tensor_cells(&tensor), sizeof *tensor.values);
    Error error;
    if (names_lookup(&reader->names, name)) {
        yaml_error(reader->errors, ERROR_NAME, this->node,
                   "'%s' is made already, but the step '%s' makes a tensor of that "
                   "name; take another name",
                   name, this->generate->name);
        return NULL;
    }
    if (!tape_given(reader->lesson->tape, name, tensor, node, &error)) {
        yaml_error_append(reader->errors, &error, this->node);
        return NULL;
    }
    reader_name(reader, name, *node, 0);
    return tensor.values;
}

static const Tensor *tensor_of(const GenerateReader *this, size_t node) {
    return &tape_node(this->reader->lesson->tape, node)->output;
}

static bool append_costs(GenerateReader *this) {
    const Generated *generated = &this->generate->generated;
    size_t node;
    double *values = append_given(this, "cost", false, &node);
    for (size_t i = 0; values && i < generated->step_count; i++)
        values[i] = (double)generated->steps[i].multiplications;
    return values != NULL;
}

static bool append_logits(GenerateReader *this) {
    const Generated *generated = &this->generate->generated;
    size_t node;
    double *values = append_given(this, "logits", true, &node);
    for (size_t i = 0; values && i < generated->step_count; i++)
        memcpy(values + i * generated->word_count,
               tensor_of(this, generated->steps[i].logits)->values,
               generated->word_count * sizeof *values);
    return values != NULL;
}

enum { DRAW_COST = 8 }; /* operations per candidate that a draw skips */

/* Upper bound of the operations of all draws: a random number each, and all candidates
 * visited. */
static double draws_cost(const LessonGenerate *generate) {
    return (double)generate->draws * (double)generate->generated.step_count *
           (RANDOM_COST + DRAW_COST * (double)generate->generated.word_count);
}

/* Appends the frequencies of tokens when each step's probabilities are sampled
 * repeatedly. */
static bool append_drawn(GenerateReader *this) {
    LessonGenerate *generate = this->generate;
    const Generated *generated = &generate->generated;
    size_t words = generated->word_count;
    double *row = append_given(this, "drawn", true, &generate->drawn);
    Random random;
    if (!row)
        return false;
    random_init(&random, generated->options.seed);
    arena_spend(this->reader->lesson->arena, ARENA_WORK_RANDOM, draws_cost(generate));
    for (size_t i = 0; i < generated->step_count; i++, row += words) {
        const double *chances =
            tensor_of(this, generated->steps[i].probabilities)->values;
        const size_t *order =
            generate_order(this->reader->lesson->arena,
                           tensor_of(this, generated->steps[i].logits)->values, words);
        for (size_t j = 0; j < generate->draws; j++)
            row[generate_draw(order, chances, words, &random)]++;
        for (size_t j = 0; j < words; j++)
            row[j] /= (double)generate->draws;
    }
    return true;
}

/* ---- the step ---- */

/* Returns the formula of the generation rule. */
static const char *formula_of(Arena *arena, const LessonGenerate *generate) {
    const char *how = "\\op{softmax} \\left(z_{t}\\right)";
    if (generate->generated.options.rule == GENERATE_BEAM)
        return arena_format(arena, "\\tensor{%s} = \\op{argmax} \\sum \\op{log} P",
                            generate->name);
    if (generate->generated.options.rule == GENERATE_GREEDY)
        return arena_format(arena, "\\tensor{%s}_{t} = \\op{argmax} \\left(%s\\right)",
                            generate->name, how);
    if (generate->generated.options.temperature != 1)
        how = "\\op{softmax} \\left(\\frac{z_{t}}{T}\\right)";
    return arena_format(arena, "%s \\to \\tensor{%s}_{t}", how, generate->name);
}

/* Names the nodes of all steps, so that the lesson can refer to them; "said.logits" are
 * the rows of all tokens in the last step, which a beam doesn't have. */
static void name_nodes(const GenerateReader *this, size_t first, size_t end) {
    const LessonGenerate *generate = this->generate;
    const DecodingStep *last =
        &generate->generated.steps[generate->generated.step_count - 1];
    if (generate->generated.options.rule != GENERATE_BEAM)
        reader_name(
            this->reader,
            arena_format(this->reader->lesson->arena, "%s.logits", generate->name),
            tape_node(this->reader->lesson->tape, last->logits)->inputs[0], 0);
    for (size_t i = first; i < end; i++) {
        const TapeNode *node = tape_node(this->reader->lesson->tape, i);
        if (!node->quiet && node->name[0])
            reader_name(this->reader, node->name, i, 0);
    }
}

/* Runs the generation; its steps are nodes [*first, *end) of the tape. */
static bool read_and_run(GenerateReader *this, size_t *first, size_t *end) {
    const Lesson *lesson = this->reader->lesson;
    LessonGenerate *generate = this->generate;
    Generated *generated = &generate->generated;
    Error error;
    DecodingOptions options = this->spec->options;
    options.seed = this->spec->seed;
    options.end = lesson_generate_end(lesson);
    if (options.rule == GENERATE_SAMPLE && lesson->switches.temperature > 0)
        options.temperature = lesson->switches.temperature;
    if (!find_name(this) || !read_input(this))
        return false;
    *first = tape_count(lesson->tape);
    if (!generate_run(
            generated,
            &(GenerateRequest){.tape = lesson->tape,
                               .arena = lesson->arena,
                               .model = lesson->model,
                               .input = this->input,
                               .repeats_cells = !this->spec->text && !this->spec->begin,
                               .name = generate->name,
                               .options = options},
            &error))
        return yaml_error_append(this->reader->errors, &error, this->node);
    *end = tape_count(lesson->tape);
    name_nodes(this, *first, *end);
    generate->drawn = TAPE_NONE;
    generate->draws = this->spec->draws;
    find_words(this);
    generate->summary = tape_count(lesson->tape);
    bool told = append_costs(this) &&
                (options.rule == GENERATE_BEAM || append_logits(this)) &&
                (!generate->draws || append_drawn(this));
    generate->summary_end = tape_count(lesson->tape);
    return told;
}

/* Fails; errors of later steps about the missing text are not reported. */
static bool fail(const GenerateReader *this) {
    static const char *const made[] = {"%s", "logits_%s", "cost_%s", "drawn_%s"};
    const YamlNode *name = this->spec->name;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        reader_name_broken(this->reader,
                           arena_format(this->reader->lesson->arena, made[i],
                                        name ? name->text : "said"),
                           this->node->line);
    return false;
}

bool generate_step_read(LessonReader *reader, const GenerateSpec *spec,
                        LessonStep *step) {
    const YamlNode *node = spec->place.node;
    GenerateReader this = {.reader = reader, .spec = spec, .node = node};
    const Lesson *lesson = reader->lesson;
    size_t first, end = 0;
    if (spec->place.broken)
        return fail(&this);
    if (!lesson->model || lesson->model->shape.kind == TRANSFORMER_ENCODER)
        return yaml_error(reader->errors, ERROR_VALUE, node,
                          "this lesson has no model that generates text; it needs a "
                          "'model:' of kind encoder_decoder or decoder");
    this.generate = arena_alloc(lesson->arena, 1, sizeof *this.generate);
    if (!read_and_run(&this, &first, &end))
        return fail(&this);
    this.generate->earlier = reader->generations;
    reader->generations = this.generate;
    const LessonGenerate *generate = this.generate;
    step->generate = generate;
    step->first = first;
    step->count = end - first;
    step->result = generate->generated.steps[generate->generated.step_count - 1].result;
    step->source = generate->name;
    step->formula = formula_of(lesson->arena, generate);
    step->topic = "generate";
    reader_name(reader, generate->name, step->result, node->line);
    return true;
}

bool generate_step_summary_node(const LessonReader *reader, size_t node) {
    const LessonGenerate *generate = reader->generations;
    while (generate && (node < generate->summary || node >= generate->summary_end))
        generate = generate->earlier;
    return generate != NULL;
}

/* ---- access ---- */

const char *lesson_generated_token(const LessonGenerate *generate, size_t id) {
    return generate->words[id - generate->generated.first_output];
}

const char *lesson_would_generate(const LessonGenerate *generate, const Tape *tape,
                                  size_t decoding_step, Arena *scratch) {
    const Generated *generated = &generate->generated;
    if (generated->options.rule == GENERATE_BEAM ||
        generate_choice_holds(generated, tape, decoding_step, scratch))
        return NULL;
    size_t col = generate_choice(generated, tape, decoding_step, scratch);
    return col == GENERATE_NONE ? "?" : generate->words[col];
}

const LessonGenerate *lesson_generation_at(const Player *player, size_t step,
                                           size_t *decoding_step) {
    const PlayerStep *at = &player->steps[step];
    const LessonGenerate *generate = player->lesson->steps[at->statement].generate;
    *decoding_step = PLAYER_NONE;
    if (!generate || at->depth > 2 || !at->child_count)
        return NULL;
    if (at->depth == 1 && generate->generated.step_count > 1)
        return generate;
    for (size_t i = 0; i < generate->generated.step_count; i++) {
        if (generate->generated.steps[i].result != at->node)
            continue;
        *decoding_step = i;
        return generate;
    }
    return NULL;
}

FollowCell lesson_generation_cell(const LessonGenerate *generate, size_t decoding_step) {
    const Generated *generated = &generate->generated;
    size_t last =
               decoding_step == PLAYER_NONE ? generated->step_count - 1 : decoding_step,
           text = generated->best;
    GeneratedCell at;
    while (generated_cell(generated, text, &at) && at.step > last)
        text = generated_parent(generated, text);
    return (FollowCell){generated->steps[at.step].result, at.row, at.col};
}
