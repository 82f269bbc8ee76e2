#include "lesson/model/model_parts.h"

#include "base/strings/utf8.h"
#include "base/strings/writer.h"
#include "lesson/formula/formula.h"
#include "lesson/model/generate_step.h"
#include "lesson/read/reader.h"
#include "lesson/schema/schema.h"
#include "tensor/tape/tape.h"

#include <string.h>

/* The step being read. `made`: its tensors are on the tape. */
typedef struct StepReader {
    LessonReader *reader;
    LessonStep *step;
    bool made;
} StepReader;

/* Appends an error within a scalar's text, with its position in the file. */
static void add_in_text(LessonReader *reader, const YamlNode *node, const Error *error) {
    Error placed = *error;
    if (error->code == ERROR_NONE)
        return;
    placed.line = node->line;
    placed.column =
        node->text_column ? node->text_column + error->column - 1 : node->column;
    yaml_error_append(reader->errors, &placed, node);
}

static Evaluation evaluation_in(const LessonReader *reader, const Statement *statement,
                                Error *error) {
    return evaluation_of(reader->lesson->arena, reader->lesson->tape, &reader->names,
                         statement, error);
}

/* ---- `show:` ---- */

/* Finds one tensor of `show:`. */
static bool read_shown(LessonReader *reader, const YamlNode *node, const char **name,
                       size_t *number) {
    Statement statement;
    Error error;
    const char *text;
    if (!field_string(node, "show", &text, reader->errors)) /* an item of a list */
        return false;
    Evaluation evaluation = evaluation_in(reader, &statement, &error);
    if (!statement_parse(reader->lesson->arena, text, &statement, &error)) {
        add_in_text(reader, node, &error);
        return false;
    }
    if (statement.name || statement.value->kind != EXPRESSION_NAME)
        return yaml_error(reader->errors, ERROR_VALUE, node,
                          "show takes names of tensors, 'show: X' or 'show: [W_Q, "
                          "W_K]'; what computes goes behind 'do:'");
    if (!evaluate_name(&evaluation, statement.value, number)) {
        add_in_text(reader, node, &error);
        return false;
    }
    *name = statement.value->name;
    return true;
}

static void read_show(StepReader *this, const YamlNode *node) {
    LessonReader *reader = this->reader;
    Arena *arena = reader->lesson->arena;
    size_t count = node->kind == YAML_SCALAR ? 1 : node->count, i = 0;
    size_t *shown = arena_alloc(arena, count, sizeof *shown);
    const char **names = arena_alloc(arena, count, sizeof *names);
    bool good = true;
    const YamlNode *item = node->kind == YAML_SCALAR ? node : node->first;
    for (; i < count; item = item->next, i++)
        good &= read_shown(reader, item, &names[i], &shown[i]);
    if (!good)
        return;
    size_t results = 0;
    Writer source = {.arena = arena}; /* "W_Q, W_K" */
    for (i = 0; i < count; i++) {
        results += generate_step_summary_node(reader, shown[i]);
        writer_format(&source, "%s%s", i ? ", " : "", names[i]);
    }
    if (results == count)
        this->step->topic = "results";
    this->step->shown_count = count;
    this->step->shown = shown;
    this->step->first = this->step->result = shown[count - 1];
    this->step->source = source.text;
    this->step->formula = formula_source_names(arena, names, count);
    this->made = true;
}

/* ---- `do:` ---- */

/* Names a composite's inner nodes, so that the lesson can refer to them. */
static void name_inner_nodes(LessonReader *reader, size_t first) {
    const Tape *tape = reader->lesson->tape;
    for (size_t i = first; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (!node->quiet && strchr(node->name, '.'))
            reader_name(reader, node->name, i, 0);
    }
}

static bool evaluate_do(StepReader *this, const YamlNode *node,
                        const Statement *statement) {
    LessonReader *reader = this->reader;
    Error error;
    Evaluation evaluation = evaluation_in(reader, statement, &error);
    size_t first = tape_count(reader->lesson->tape);
    if (statement->name &&
        !reader_free_name(reader, statement->name, node, node->text_column))
        return false;
    if (!evaluate_statement(&evaluation, &this->step->result)) {
        add_in_text(reader, node, &error);
        return false;
    }
    this->step->first = first;
    this->step->count = tape_count(reader->lesson->tape) - first;
    name_inner_nodes(reader, first);
    if (statement->name)
        reader_name(reader, statement->name, this->step->result, node->line);
    return true;
}

static void read_do(StepReader *this, const YamlNode *node) {
    LessonReader *reader = this->reader;
    Arena *arena = reader->lesson->arena;
    Statement statement;
    Error error;
    if (!statement_parse(arena, node->text, &statement, &error)) {
        add_in_text(reader, node, &error);
        if (statement.name)
            reader_name_broken(reader, statement.name, node->line);
        return;
    }
    if (!statement.name && statement.value->kind == EXPRESSION_NAME) {
        read_show(this, node);
        return;
    }
    if (reader->words.count)
        statement.value =
            calls_with_words(statement.value, arena, reader->words.vocabulary.count,
                             reader->spec.tokens.count);
    this->step->source = node->text;
    this->step->formula = formula_source(arena, &statement);
    this->made = evaluate_do(this, node, &statement);
    if (!this->made && statement.name)
        reader_name_broken(reader, statement.name, node->line);
}

/* ---- a step's keys ---- */

/* The name of the result in messages. */
static const char *result_name(const StepReader *this, char out[UTF8_SHORT_SIZE]) {
    const char *name = tape_node(this->reader->lesson->tape, this->step->result)->name;
    return *name ? utf8_shorten(out, name, strlen(name)) : "the result";
}

static void read_printed(StepReader *this, const YamlNode *node) {
    LessonReader *reader = this->reader;
    const LessonPrinted *printed =
        numbers_read_printed(reader->lesson->arena, node, reader->errors);
    if (!printed || !this->made)
        return;
    char name[UTF8_SHORT_SIZE];
    const Tensor *output = &tape_node(reader->lesson->tape, this->step->result)->output;
    if (printed->values.rows != output->rows || printed->values.cols != output->cols) {
        yaml_error(reader->errors, ERROR_SHAPE, node,
                   "printed is [%zu,%zu], but %s is [%zu,%zu]; write _ for a cell that "
                   "the source does not print",
                   printed->values.rows, printed->values.cols, result_name(this, name),
                   output->rows, output->cols);
        return;
    }
    this->step->printed = printed;
}

static void read_cell(StepReader *this, const YamlNode *node) {
    LessonReader *reader = this->reader;
    Statement statement;
    Error error;
    if (statement_parse(reader->lesson->arena, node->text, &statement, &error))
        this->step->cell = reader_cell(reader, &statement, this->step, &error);
    if (!this->step->cell)
        add_in_text(reader, node, &error);
}

/* Reads the view; uses the default if the learner's own text or variant has made the
 * tensor too small for it. */
static void read_view(StepReader *this, LessonView view, const YamlNode *node) {
    LessonStep *step = this->step;
    const LessonReader *reader = this->reader;
    const Lesson *lesson = reader->lesson;
    const size_t *nodes = step->shown_count ? step->shown : &step->result;
    size_t count = step->shown_count ? step->shown_count : 1;
    Error error;
    if (!this->made ||
        lesson_view_fits(view, lesson->tape, lesson->sources, nodes, count, &error))
        step->view = view;
    else if (!reader->texts.override && !reader->switched)
        yaml_error_append(reader->errors, &error, node);
}

/* Sets the words; a model's step may have a chapter of its own. */
static void put_words(LessonStep *step, const StepSpec *spec) {
    if (schema_lookup(&spec->place, "heading"))
        step->heading = spec->heading;
    if (schema_lookup(&spec->place, "say"))
        step->say = spec->say;
    if (schema_lookup(&spec->place, "notes"))
        step->notes = spec->notes;
    if (schema_lookup(&spec->place, "chapter"))
        step->chapter = spec->chapter;
    step->concept = spec->concept;
    step->seconds = spec->seconds;
    step->document = spec->document;
    step->tour = spec->tour;
    step->is_cover = spec->is_cover;
    step->explains = spec->explains;
    step->block = spec->block;
}

/* Reads the keys that refer to the file's own text and model. */
static void read_facts(StepReader *this, const StepSpec *spec) {
    if (this->reader->texts.override || this->reader->switched)
        return;
    this->step->compared = spec->compared;
    if (spec->printed)
        read_printed(this, spec->printed);
    if (spec->cell && this->made)
        read_cell(this, spec->cell);
    if (spec->ask && this->made)
        this->step->question =
            reader_read_question(this->reader, spec->ask, this->step->result);
}

/* Reads a listed step of the model. */
static void read_listed(StepReader *this, const YamlNode *node) {
    this->made = reader_list_step(this->reader, node, this->step);
    if (this->made)
        model_steps_describe(this->reader, node->text, this->step);
}

/* Reads a step. `made`: its tensors are on the tape already, as it is one of the
 * model's. */
static void read_step(LessonReader *reader, const StepSpec *spec, LessonStep *step,
                      bool made) {
    StepReader this = {.reader = reader, .step = step, .made = made};
    if (spec->train)
        this.made = training_step_read(reader, spec->train, step);
    else if (spec->generate)
        this.made = generate_step_read(reader, spec->generate, step);
    else if (spec->compute)
        read_do(&this, spec->compute);
    else if (spec->show)
        read_show(&this, spec->show);
    else if (spec->at && !made && reader->listed_end)
        read_listed(&this, spec->at);
    put_words(step, spec);
    if (spec->view)
        read_view(&this, spec->view, schema_lookup(&spec->place, "as"));
    read_facts(&this, spec);
}

/* Moves a chapter that is given within one of the first `count` steps to the beginning of
 * that step. */
static void raise_chapter(const LessonReader *reader, const StepSpec *spec,
                          const LessonStep *note, size_t count) {
    const YamlNode *chapter = schema_lookup(&spec->place, "chapter");
    for (size_t i = 0; chapter && i < count; i++) {
        LessonStep *step = &reader->steps[i];
        bool within = step != note && note->result >= step->first &&
                      note->result < step->first + step->count;
        if (within && text_is_empty(&step->chapter))
            step->chapter = note->chapter;
        else if (within)
            yaml_error(
                reader->errors, ERROR_NAME, chapter,
                "the step '%s' begins a chapter already, and a chapter begins with "
                "a whole step; leave one of the two out",
                step->source);
    }
}

/* Reads words for an existing step, one of `count` or inside it. If there is none, they
 * are read only to report their errors. */
static void read_note(LessonReader *reader, const StepSpec *spec, size_t count) {
    LessonStep lost = {0}, *step = reader_step_at(reader, spec->at);
    read_step(reader, spec, step ? step : &lost, step != NULL);
    if (step)
        raise_chapter(reader, spec, step, count);
}

/* Reserves room for the model's steps, `count` more and as many notes. */
static void make_room(LessonReader *reader, size_t count) {
    Arena *arena = reader->lesson->arena;
    LessonStep *steps = arena_alloc(arena, reader->model_steps + count, sizeof *steps);
    reader->notes = arena_alloc(arena, count, sizeof *reader->notes);
    if (reader->model_steps)
        memcpy(steps, reader->steps, reader->model_steps * sizeof *steps);
    reader->steps = steps;
}

/* Drops a step that doesn't fit a variant of the model or the learner's own text, with
 * its errors. `step` is NULL for words alone. Returns the number of steps dropped. */
static size_t drop_unfit(LessonReader *reader, size_t errors, LessonStep *step) {
    bool unfit = step && !step->count && !step->shown_count;
    if (reader->errors->count > errors)
        reader->errors->count = errors;
    else if (!unfit)
        return 0;
    if (step)
        *step = (LessonStep){0};
    return step != NULL;
}

/* Returns the step whose picture represents the lesson: the cover, else the last of
 * `count`. */
static const LessonStep *hero_of(const LessonReader *reader, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (reader->steps[i].is_cover)
            return &reader->steps[i];
    }
    return &reader->steps[count - 1];
}

/* Makes the closing step with the lines to remember. It shows the cover's result and
 * picture. */
static void close_lesson(const LessonReader *reader, LessonStep *step, size_t count) {
    const LessonStep *is_cover = hero_of(reader, count);
    size_t *shown = arena_alloc(reader->lesson->arena, 1, sizeof *shown);
    *shown = is_cover->result;
    *step = (LessonStep){.heading = {.key = "remember.heading"},
                         .chapter = {.key = "remember.chapter"},
                         .closes = true,
                         .source = tape_node(reader->lesson->tape, *shown)->name,
                         .first = *shown,
                         .result = *shown,
                         .shown_count = 1,
                         .shown = shown,
                         .line = is_cover->line,
                         .topic = "remember"};
}

/* Reports whether the model's steps are those that the lesson lists. */
static bool lists_steps(const LessonReader *reader) {
    const ModelSpec *spec = reader->spec.model;
    return spec && spec->steps == MODEL_STEPS_LISTED;
}

/* Counts the steps of an outline as steps_read would. */
static void count_steps(const LessonReader *reader) {
    const StepSpec *spec = reader->spec.steps.items;
    size_t count = reader->model_steps;
    bool lists = lists_steps(reader);
    for (size_t i = 0; i < reader->spec.steps.count; i++)
        count += lists || spec[i].at == NULL;
    count += reader->spec.remember.count && count;
    reader->lesson->step_count = count;
    reader->lesson->model_step_count = reader->model_steps;
    reader->lesson->lists_model_steps = lists;
}

/* Begins the list of a model's steps with its first computed node; false if it has no
 * list. */
static bool begin_list(LessonReader *reader) {
    const Transformer *model = reader->lesson->model;
    if (!model || !lists_steps(reader))
        return false;
    const TransformerParameter *last = &model->parameters[model->parameter_count - 1];
    reader->listed_end = last->node + 1;
    return true;
}

void steps_read(LessonReader *reader) {
    if (reader->outline) {
        count_steps(reader);
        return;
    }
    size_t count = reader->model_steps;
    const StepSpec *spec = reader->spec.steps.items;
    bool lists = begin_list(reader);
    make_room(reader, reader->spec.steps.count + 1);
    for (size_t i = 0; i < reader->spec.steps.count && !reader_stopped(reader);
         i++, spec++) {
        bool note = spec->at != NULL && !lists;
        size_t errors = reader->errors->count;
        reader->at = spec->place.node;
        reader->steps[count].line = reader->at->line;
        if (note)
            read_note(reader, spec, count);
        else
            read_step(reader, spec, &reader->steps[count++], false);
        if (reader_leaves_out(reader))
            count -= drop_unfit(reader, errors, note ? NULL : &reader->steps[count - 1]);
    }
    if (reader->spec.remember.count && count && !reader->errors->count) {
        close_lesson(reader, &reader->steps[count], count);
        count++;
    }
    reader->lesson->steps = reader->steps;
    reader->lesson->step_count = count;
    reader->lesson->model_step_count = reader->model_steps;
    reader->lesson->lists_model_steps = lists;
    if (lists && !reader->listed && !reader->errors->count)
        yaml_error(reader->errors, ERROR_NAME,
                   schema_lookup(&reader->spec.model->place, "steps"),
                   "'steps: listed' shows the steps of the model that are listed, but "
                   "none is; write '- at: NAME' below the lesson's 'steps:'");
    reader->lesson->notes = reader->notes;
}
