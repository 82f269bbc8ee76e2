#include "lesson/read/reader.h"

#include "base/strings/utf8.h"
#include "lesson/schema/schema.h"
#include "model/build/model.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <string.h>

/* The target of an `at:`. */
typedef struct Place {
    size_t step;  /* index among the model's own steps, or TAPE_NONE */
    size_t group; /* one of the model's groups, or TAPE_NONE */
    size_t node;
} Place;

static LessonStep *second_words(LessonReader *reader, const YamlNode *at, int line) {
    char name[UTF8_SHORT_SIZE];
    yaml_error(reader->errors, ERROR_NAME, at,
               "'%s' has its texts already, at line %d; write them together",
               field_short(name, at), line);
    return NULL;
}

static bool find_group(const LessonReader *reader, const char *name, Place *place) {
    const Tape *tape = reader->lesson->tape;
    for (size_t i = 0; reader->lesson->model && i < tape_group_count(tape); i++) {
        const TapeGroup *group = tape_group(tape, i);
        if (strcmp(group->name, name) != 0 || !group->count)
            continue;
        place->group = i;
        place->node = group->first + group->count - 1;
        return true;
    }
    return false;
}

/* Refuses a tower, since it is several steps: its layers. */
static bool refuse_tower(LessonReader *reader, const YamlNode *at) {
    const Transformer *model = reader->lesson->model;
    const TransformerTower *tower;
    for (size_t i = 0; model && (tower = transformer_tower(model->shape.kind, i)); i++) {
        if (strcmp(tower->name, at->text) == 0)
            return yaml_error(reader->errors, ERROR_NAME, at,
                              "'%s' is not one step but several; name one of them, "
                              "'%s.input' or '%s.0'",
                              at->text, at->text, at->text);
    }
    return true;
}

/* Finds a tensor made within a step. */
static bool find_node(LessonReader *reader, const YamlNode *at, const Name *known,
                      Place *place) {
    char quoted[UTF8_SHORT_SIZE];
    place->node = known->node;
    if (known->broken)
        return false;
    field_short(quoted, at);
    if (known->line)
        return yaml_error(reader->errors, ERROR_NAME, at,
                          "'%s' is defined at line %d; write its texts there", quoted,
                          known->line);
    if (tape_node(reader->lesson->tape, known->node)->operation != OPERATION_GIVEN)
        return true;
    return yaml_error(reader->errors, ERROR_NAME, at,
                      "'%s' is given and no step makes it; write 'show: %s'", quoted,
                      quoted);
}

static bool find_place(LessonReader *reader, const YamlNode *at, Place *place) {
    char quoted[UTF8_SHORT_SIZE];
    const char *name = at->text;
    *place = (Place){TAPE_NONE, TAPE_NONE, TAPE_NONE};
    if (!refuse_tower(reader, at))
        return false;
    for (size_t i = 0; i < reader->model_steps; i++) {
        if (strcmp(reader->steps[i].source, name) == 0) {
            place->step = i;
            return true;
        }
    }
    if (find_group(reader, name, place))
        return true;
    const Name *known = names_lookup(&reader->names, name);
    if (known)
        return find_node(reader, at, known, place);
    const char *nearest = names_nearest(&reader->names, name);
    if (!nearest && !reader->lesson->model)
        return yaml_error(reader->errors, ERROR_NAME, at,
                          "there is no step '%s', as this lesson has no 'model:'; 'at:' "
                          "names a model's step, or what is made within one, 'A.weights'",
                          utf8_shorten(quoted, name, strlen(name)));
    return yaml_error(reader->errors, ERROR_NAME, at, "there is no step '%s'%s%s%s",
                      utf8_shorten(quoted, name, strlen(name)),
                      nearest ? "; did you mean '"
                              : "; steps are called as in 'encoder.0.norm_1'",
                      nearest ? nearest : "", nearest ? "'?" : "");
}

/* ---- listed steps ---- */

/* Finds a listed step: a part of the model, also its IDs, a group or a tensor. */
static bool find_listed(LessonReader *reader, const YamlNode *at, Place *place) {
    const Transformer *model = reader->lesson->model;
    for (size_t i = 0; model && i < model->part_count; i++) {
        const TransformerPart *part = &model->parts[i];
        if (strcmp(part->name, at->text) != 0)
            continue;
        *place = (Place){TAPE_NONE, part->group, part->node};
        return true;
    }
    return find_place(reader, at, place);
}

/* Reports whether a step shows what is there already: IDs, or the encoder's output, which
 * is that of its last layer. */
static bool is_shown(const LessonReader *reader, const Place *place) {
    const TapeNode *node = tape_node(reader->lesson->tape, place->node);
    return node->operation == OPERATION_GIVEN ||
           (place->group == TAPE_NONE && place->node + 1 == reader->listed_end &&
            place->node == reader->lesson->model->memory);
}

static bool check_order(LessonReader *reader, const YamlNode *at, const Place *place) {
    char name[UTF8_SHORT_SIZE], before[UTF8_SHORT_SIZE];
    if (place->node >= reader->listed_end)
        return true;
    field_short(name, at);
    utf8_shorten(before, reader->listed->text, strlen(reader->listed->text));
    if (place->node + 1 == reader->listed_end)
        return yaml_error(reader->errors, ERROR_NAME, at,
                          "'%s' is the step '%s' of line %d; write its texts there", name,
                          before, reader->listed->line);
    return yaml_error(reader->errors, ERROR_NAME, at,
                      "'%s' is computed before '%s', which line %d lists; list the "
                      "model's steps in the order in which they are computed",
                      name, before, reader->listed->line);
}

bool reader_list_step(LessonReader *reader, const YamlNode *at, LessonStep *step) {
    Place place;
    size_t *shown = arena_alloc(reader->lesson->arena, 1, sizeof *shown);
    if (!find_listed(reader, at, &place))
        return false;
    step->source = at->text;
    step->result = step->first = *shown = place.node;
    if (is_shown(reader, &place)) {
        step->shown = shown;
        step->shown_count = 1;
        return true;
    }
    if (!check_order(reader, at, &place))
        return false;
    step->count = 1;
    if (place.group != TAPE_NONE) {
        step->first = tape_group(reader->lesson->tape, place.group)->first;
        step->count = place.node + 1 - step->first;
    }
    if (step->first > reader->listed_end)
        step->folded = step->first - reader->listed_end;
    reader->listed = at;
    reader->listed_end = place.node + 1;
    return true;
}

/* ---- words of a step inside another ---- */

LessonStep *reader_step_at(LessonReader *reader, const YamlNode *at) {
    Place place;
    if (!find_place(reader, at, &place))
        return NULL;
    if (place.step != TAPE_NONE) {
        LessonStep *step = &reader->steps[place.step];
        if (step->line != reader->model_line)
            return second_words(reader, at, step->line);
        step->line = at->line;
        return step;
    }
    Lesson *lesson = reader->lesson;
    for (size_t i = 0; i < lesson->note_count; i++) {
        const LessonNote *note = &reader->notes[i];
        if (note->group == place.group && note->words.result == place.node)
            return second_words(reader, at, note->words.line);
    }
    LessonNote *note = &reader->notes[lesson->note_count++];
    *note = (LessonNote){.group = place.group,
                         .words = {.result = place.node,
                                   .first = place.node,
                                   .count = 1,
                                   .source = at->text,
                                   .line = at->line}};
    return &note->words;
}
