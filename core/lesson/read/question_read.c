#include "lesson/read/reader.h"

#include "base/strings/utf8.h"
#include "lesson/content/question.h"
#include "lesson/schema/schema.h"
#include "tensor/tape/tape.h"

#include <string.h>

/* The question being read. */
typedef struct QuestionReader {
    LessonReader *reader;
    const AskSpec *ask;
    size_t result;
    Question *question;
} QuestionReader;

static bool read_cell(QuestionReader *this) {
    LessonReader *reader = this->reader;
    const TapeNode *result = tape_node(reader->lesson->tape, this->result);
    const Tensor *output = &result->output;
    size_t row = this->ask->cell[0], col = this->ask->cell[1];
    char name[UTF8_SHORT_SIZE];
    const YamlNode *at = schema_lookup(&this->ask->place, "cell");
    this->question->row = row;
    this->question->col = col;
    if (row < output->rows && col < output->cols)
        return true;
    utf8_shorten(name, result->name, strlen(result->name));
    return yaml_error(reader->errors, ERROR_VALUE, at,
                      "%s [%zu,%zu] has no cell [%zu, %zu]; rows count from 0 to "
                      "%zu, columns from 0 to %zu",
                      *name ? name : "the result", output->rows, output->cols, row, col,
                      output->rows - 1, output->cols - 1);
}

/* ---- choices ---- */

static bool read_option(QuestionReader *this, const OptionSpec *spec,
                        QuestionOption *option) {
    *option = (QuestionOption){spec->text, spec->because, spec->right};
    if (spec->place.broken)
        return false;
    if (!spec->right && text_is_empty(&spec->because))
        return yaml_error(this->reader->errors, ERROR_NAME, spec->place.node,
                          "this choice is wrong, but doesn't say why; write 'because: …' "
                          "beside it, or 'right: true'");
    return true;
}

static bool read_choices(QuestionReader *this) {
    const SchemaItems *choose = &this->ask->choose;
    const OptionSpec *specs = choose->items;
    QuestionOption *options =
        arena_alloc(this->reader->lesson->arena, choose->count, sizeof *options);
    size_t right = 0;
    bool good = true;
    for (size_t i = 0; i < choose->count; i++) {
        good &= read_option(this, &specs[i], &options[i]);
        right += specs[i].right;
    }
    this->question->count = choose->count;
    this->question->options = options;
    if (!good || right == 1)
        return good;
    return yaml_error(this->reader->errors, ERROR_VALUE, choose->node,
                      right ? "%zu choices are right; exactly one of them may be"
                            : "none of the choices is right; write 'right: true' beside "
                              "the one that is",
                      right);
}

static bool read_order(QuestionReader *this) {
    const SchemaTexts *order = &this->ask->order;
    QuestionOption *options =
        arena_alloc(this->reader->lesson->arena, order->count, sizeof *options);
    for (size_t i = 0; i < order->count; i++)
        options[i].text = order->items[i];
    this->question->count = order->count;
    this->question->options = options;
    return true;
}

/* ---- directions ---- */

static bool find_tensor(QuestionReader *this, const YamlNode *at, size_t *node) {
    LessonReader *reader = this->reader;
    char quoted[UTF8_SHORT_SIZE];
    const char *name;
    if (!field_string(at, "a tensor's name", &name, reader->errors))
        return false;
    const Name *known = names_lookup(&reader->names, name);
    if (known && known->broken)
        return false;
    *node = known ? known->node : tape_find(reader->lesson->tape, name);
    if (*node != TAPE_NONE)
        return true;
    const char *nearest = names_nearest(&reader->names, name);
    return yaml_error(
        reader->errors, ERROR_NAME, at, "there is no tensor '%s' at this step%s%s%s",
        utf8_shorten(quoted, name, strlen(name)), nearest ? "; did you mean '" : "",
        nearest ? nearest : "", nearest ? "'?" : "");
}

bool reader_read_cell(LessonReader *reader, const YamlNode *cell, size_t node,
                      size_t *row, size_t *col) {
    const YamlNode *name = cell->first;
    const Tensor *tensor = &tape_node(reader->lesson->tape, node)->output;
    char shortened[UTF8_SHORT_SIZE];
    if (!field_whole(name->next, "the cell's row", 0, TENSOR_MAX_CELLS, row,
                     reader->errors) ||
        !field_whole(name->next->next, "the cell's column", 0, TENSOR_MAX_CELLS, col,
                     reader->errors))
        return false;
    if (*row < tensor->rows && *col < tensor->cols)
        return true;
    return yaml_error(reader->errors, ERROR_VALUE, cell,
                      "%s [%zu,%zu] has no cell [%zu, %zu]; rows count from 0 to %zu, "
                      "columns from 0 to %zu",
                      field_short(shortened, name), tensor->rows, tensor->cols, *row,
                      *col, tensor->rows - 1, tensor->cols - 1);
}

static bool find_cell(QuestionReader *this, const YamlNode *at, size_t *node, size_t *row,
                      size_t *col) {
    return find_tensor(this, at->first, node) &&
           reader_read_cell(this->reader, at, *node, row, col);
}

/* Reads the change of a question about direction. */
static bool read_change(QuestionReader *this, const DirectionSpec *spec, WhatIf *what) {
    LessonReader *reader = this->reader;
    const Tape *tape = reader->lesson->tape;
    what->times = spec->times;
    what->add = spec->add;
    what->mutes = spec->mute != NULL;
    if (spec->cell) {
        if (!find_cell(this, spec->cell, &what->changed, &what->changed_row,
                       &what->changed_col))
            return false;
    } else if (!find_tensor(this, spec->all ? spec->all : spec->mute, &what->changed)) {
        return false;
    }
    const TapeNode *node = tape_node(tape, what->changed);
    if (what->mutes && !operation_of(node->operation)->mutable)
        return yaml_error(reader->errors, ERROR_VALUE, spec->mute,
                          "this operation can't be left out; a scaling, a mask, an "
                          "addition, a norm or ReLU can");
    if (tape_node(tape, what->changed)->holds_ids)
        return yaml_error(reader->errors, ERROR_VALUE, spec->place.node,
                          "IDs are names and don't grow; let another tensor change");
    bool unchanged =
        !(spec->times < 1) && !(spec->times > 1) && !(spec->add < 0) && !(spec->add > 0);
    if (!what->mutes && unchanged)
        return yaml_error(reader->errors, ERROR_VALUE, spec->place.node,
                          "nothing changes; write 'add: 1' or 'times: 2'");
    return true;
}

static bool read_direction(QuestionReader *this) {
    const DirectionSpec *spec = this->ask->direction;
    LessonReader *reader = this->reader;
    WhatIf what = {.changed_row = TAPE_NONE, .changed_col = TAPE_NONE};
    double before, after;
    if (spec->place.broken ||
        !find_cell(this, spec->of, &what.node, &what.row, &what.col) ||
        !read_change(this, spec, &what))
        return false;
    this->question->what = what;
    /* The tape is computed twice: without and with the change. */
    arena_spend(reader->lesson->arena, ARENA_WORK_OPERATIONS,
                2 * tape_cost(reader->lesson->tape));
    return tape_what_if(reader->lesson->tape, &what, reader->lesson->arena, &before,
                        &after) != TREND_NONE ||
           yaml_error(reader->errors, ERROR_VALUE, spec->place.node,
                      "the number goes nowhere: it is, or becomes, no number");
}

/* ---- all kinds ---- */

static const struct {
    const char *key;
    bool (*read)(QuestionReader *this); /* NULL: it has only a text */
    bool speaks;                        /* requires a text */
} kinds[] = {
    [QUESTION_CELL] = {"cell", read_cell, false},
    [QUESTION_CHOICE] = {"choose", read_choices, true},
    [QUESTION_ORDER] = {"order", read_order, true},
    [QUESTION_DIRECTION] = {"direction", read_direction, false},
    [QUESTION_THOUGHT] = {"think", NULL, false},
};

const Question *reader_read_question(LessonReader *reader, const AskSpec *ask,
                                     size_t result) {
    Question *question = arena_alloc(reader->lesson->arena, 1, sizeof *question);
    QuestionReader this = {reader, ask, result, question};
    size_t kind = QUESTION_CELL;
    if (ask->place.broken)
        return NULL;
    while (!schema_lookup(&ask->place, kinds[kind].key))
        kind++;
    *question = (Question){.kind = (QuestionKind)kind,
                           .text = ask->question,
                           .because = ask->because,
                           .open = ask->open};
    if (kind == QUESTION_THOUGHT)
        question->text = ask->think;
    if (kinds[kind].speaks && text_is_empty(&question->text)) {
        yaml_error(reader->errors, ERROR_NAME, ask->place.node,
                   "'%s:' needs a question in words; write 'question: …' beside it",
                   kinds[kind].key);
        return NULL;
    }
    return !kinds[kind].read || kinds[kind].read(&this) ? question : NULL;
}
