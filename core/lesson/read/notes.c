#include "lesson/read/reader.h"

#include "base/strings/utf8.h"
#include "lesson/schema/schema.h"
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
