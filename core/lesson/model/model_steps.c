#include "lesson/model/model_parts.h"

#include "tensor/tape/tape.h"

#include <string.h>

static const Text ENCODER = {.key = "chapter.encoder"},
                  DECODER = {.key = "chapter.decoder"},
                  NEXT_WORD = {.key = "chapter.next_word"},
                  LOSS = {.key = "chapter.loss"};

/* A chapter begins with each tower and with the logits. */
static const Text *chapter_of(const TransformerPart *part) {
    if (part->kind == TRANSFORMER_LOGITS)
        return &NEXT_WORD;
    if (part->kind == TRANSFORMER_EXPECTED)
        return &LOSS;
    if (part->kind != TRANSFORMER_IDS)
        return NULL;
    return part->tower->side == TRANSFORMER_TARGET ? &DECODER : &ENCODER;
}

/* Notes that a model from a file has a column for padding, which is left out here. */
static void note_padding(const TransformerPart *part, LessonStep *step) {
    if (part->kind == TRANSFORMER_LOGITS)
        step->say.key = "say.logits_of_file";
    if (part->kind != TRANSFORMER_PROBABILITIES)
        return;
    step->say.key = "say.probabilities_of_file";
    step->formula = "\\tensor{probabilities} = \\op{softmax}_{\\op{ID} > 0} "
                    "\\left(\\tensor{logits}\\right)";
}

/* Returns a layer's formula: its result is the tower's layer of the one before, X_0, X_1
 * … in the encoder and Y_0, Y_1 … in a decoder with cross-attention; counted from 1, as
 * on the map. Operations have their own. */
static const char *formula_of(const LessonReader *reader, const TransformerPart *part) {
    const Transformer *model = reader->lesson->model;
    Arena *arena = reader->lesson->arena;
    if (part->kind != TRANSFORMER_LAYER)
        return NULL;
    bool decodes = part->tower->side == TRANSFORMER_TARGET;
    bool reads = model->memory != TAPE_NONE && decodes;
    char letter = reads ? 'Y' : 'X';
    const char *result = part->node == model->memory
                             ? "\\tensor{memory}"
                             : arena_format(arena, "%c_{%zu}", letter, part->layer + 1);
    return arena_format(arena, "%s = \\op{%s}_{%zu}\\left(%c_{%zu}%s\\right)", result,
                        decodes ? "Decoder" : "Encoder", part->layer + 1, letter,
                        part->layer, reads ? ", \\tensor{memory}" : "");
}

/* Returns a part's key in the interface's strings, or NULL for one that has the key of
 * its group or its operation: a layer and what it consists of. */
static const char *topic_of(const Transformer *model, const TransformerPart *part) {
    bool learned = model->shape.positions == TRANSFORMER_POSITIONS_LEARNED;
    if (part->kind == TRANSFORMER_LAYER || part->kind == TRANSFORMER_SUBLAYER ||
        part->kind == TRANSFORMER_RESIDUAL || part->kind == TRANSFORMER_NORM)
        return NULL;
    return learned && part->kind == TRANSFORMER_POSITION
               ? "learned_position"
               : transformer_part_name(part->kind);
}

/* Sets a step's formula, key and view. */
static void describe(const LessonReader *reader, const TransformerPart *part,
                     LessonStep *step) {
    step->formula = formula_of(reader, part);
    step->topic = topic_of(reader->lesson->model, part);
    if (lesson_view_fits(LESSON_VIEW_CHIPS, reader->lesson->tape, NULL, &part->node, 1,
                         NULL) &&
        (part->kind == TRANSFORMER_IDS || part->kind == TRANSFORMER_EXPECTED))
        step->view = LESSON_VIEW_CHIPS;
    if (part->kind == TRANSFORMER_PROBABILITIES)
        step->view = LESSON_VIEW_BARS;
    if (part->kind == TRANSFORMER_LOGITS && reader->lesson->model->shape.tied)
        step->say.key = "say.tied_logits";
}

static void make_step(const LessonReader *reader, const TransformerPart *part,
                      LessonStep *step) {
    *step = (LessonStep){.source = part->name,
                         .first = part->first,
                         .count = part->count,
                         .result = part->node,
                         .line = reader->model_line};
    const Text *chapter = chapter_of(part);
    if (chapter)
        step->chapter = *chapter;
    describe(reader, part, step);
    if (part->count)
        return;
    size_t *shown = arena_alloc(reader->lesson->arena, 1, sizeof *shown);
    *shown = step->first = part->node;
    step->shown = shown;
    step->shown_count = 1;
}

void model_steps_make(LessonReader *reader, bool from_file) {
    const Transformer *model = reader->lesson->model;
    reader->steps =
        arena_alloc(reader->lesson->arena, model->part_count, sizeof *reader->steps);
    for (size_t i = 0; i < model->part_count; i++) {
        const TransformerPart *part = &model->parts[i];
        if (part->parent != TRANSFORMER_NONE)
            continue;
        LessonStep *step = &reader->steps[reader->model_steps++];
        make_step(reader, part, step);
        if (from_file)
            note_padding(part, step);
    }
}

void model_steps_describe(const LessonReader *reader, const char *name,
                          LessonStep *step) {
    const Transformer *model = reader->lesson->model;
    for (size_t i = 0; i < model->part_count; i++) {
        if (strcmp(model->parts[i].name, name) == 0)
            describe(reader, &model->parts[i], step);
    }
}

/* ---- names ---- */

/* Returns the key in the file that gives a tensor of this name, or copies one of the
 * untrained model. */
static const YamlNode *key_named(const LessonReader *reader, const char *name) {
    const GivenSpec *given = reader->spec.given.items;
    const WeightsSpec *weights = reader->spec.model->weights;
    const YamlNode *before = weights && weights->train ? weights->train->before : NULL;
    const YamlNode *kept = before ? yaml_lookup(before, name) : NULL;
    for (size_t i = 0; !kept && i < reader->spec.given.count; i++) {
        if (strcmp(given[i].place.node->key->text, name) == 0)
            kept = given[i].place.node;
    }
    return kept ? kept->key : reader->spec.model->place.node;
}

static bool free_name(LessonReader *reader, const char *name) {
    const Name *known = names_lookup(&reader->names, name);
    if (!known || !known->line)
        return !known;
    return yaml_error(reader->errors, ERROR_NAME, key_named(reader, name),
                      "'%s' is given, but the model makes a tensor of that name; take "
                      "another",
                      name);
}

bool model_steps_name(LessonReader *reader) {
    size_t before = reader->errors->count;
    const Lesson *lesson = reader->lesson;
    const Tape *tape = lesson->tape;
    for (size_t i = lesson->model->parameters[0].node; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        const Name *known = names_lookup(&reader->names, node->name);
        if (known && known->node == i) /* copied from the untrained model */
            continue;
        if (!node->quiet && free_name(reader, node->name))
            reader_name(reader, node->name, i, 0);
    }
    for (size_t i = 0; i < lesson->model->part_count; i++) {
        const TransformerPart *part = &lesson->model->parts[i];
        if (!names_lookup(&reader->names, part->name))
            reader_name(reader, part->name, part->node, 0);
    }
    for (size_t i = 0; i < tape_group_count(tape); i++) {
        const TapeGroup *group = tape_group(tape, i);
        if (group->count && !names_lookup(&reader->names, group->name))
            reader_name(reader, group->name, group->first + group->count - 1, 0);
    }
    return reader->errors->count == before;
}
