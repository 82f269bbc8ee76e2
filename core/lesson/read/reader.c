#include "lesson/read/reader.h"

#include "base/strings/utf8.h"
#include "lesson/formula/formula.h"
#include "lesson/schema/schema.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <string.h>

bool reader_stopped(const LessonReader *reader) {
    const ErrorList *errors = reader->errors;
    bool full = tape_count(reader->lesson->tape) >= TAPE_MAX_NODES;
    return errors->count == ERROR_LIST_MAX || (full && errors->count > 0);
}

/* ---- labels ---- */

/* Reads the labels of one axis. */
static SchemaStrings axis_labels(LessonReader *reader,
                                 const SchemaStrings *given_labels) {
    if (!given_labels->node || given_labels->items)
        return *given_labels;
    if (!reader->spec.tokens.count)
        yaml_error(reader->errors, ERROR_NAME, given_labels->node,
                   "the lesson has no 'tokens:' to label with");
    return reader->spec.tokens;
}

/* Reports whether the lesson has a text that can be replaced. */
static bool has_text(const LessonSpec *spec) {
    const GivenSpec *given = spec->given.items;
    for (size_t i = 0; i < spec->given.count; i++) {
        if (given[i].text)
            return true;
    }
    return spec->model != NULL;
}

/* Reads the list of words of a lesson without a text. */
static void read_words(LessonReader *reader) {
    Texts *texts = &reader->texts;
    Lesson *lesson = reader->lesson;
    Error error;
    if (has_text(&reader->spec))
        return;
    reader->words = own_words_of(&reader->spec.tokens);
    if (!reader->words.vocabulary.count)
        return;
    texts->written = texts->first = own_words_text(&reader->words, lesson->arena);
    if (texts->override) {
        texts->first = texts->override;
        if (!own_words_read(&reader->words, lesson->arena, texts->override, &error))
            texts_refuse(texts, reader->spec.tokens.node, texts->override, &error,
                         reader->errors);
        own_words_label(&reader->words, lesson->arena, &reader->spec.tokens);
    }
    OwnWords *chosen = arena_alloc(lesson->arena, 1, sizeof *chosen);
    *chosen = reader->words;
    lesson->chosen = chosen;
}

bool reader_leaves_out(const LessonReader *reader) {
    return reader->switched || reader->words.count;
}

void reader_read_labels(LessonReader *reader) {
    LabelsSpec *labels = reader->spec.labels.items;
    read_words(reader);
    for (size_t i = 0; i < reader->spec.labels.count; i++) {
        const YamlNode *key = labels[i].place.node->key;
        labels[i].rows = axis_labels(reader, &labels[i].rows);
        labels[i].cols = axis_labels(reader, &labels[i].cols);
        own_words_label(&reader->words, reader->lesson->arena, &labels[i].rows);
        own_words_label(&reader->words, reader->lesson->arena, &labels[i].cols);
        if (!labels[i].place.broken)
            names_add(&reader->label_names, (Name){key->text, i, key->line, false});
    }
}

static void check_label_count(LessonReader *reader, const LabelsSpec *labels,
                              const char *what, size_t count, size_t size) {
    char name[UTF8_SHORT_SIZE];
    const YamlNode *key = labels->place.node->key;
    if (count && count != size)
        yaml_error(reader->errors, ERROR_SHAPE, key,
                   "%s has %zu %s, but there are %zu labels for them",
                   field_short(name, key), size, what, count);
}

/* Labels a given tensor with the tokens, and any tensor with its own labels. */
static void apply_labels(LessonReader *reader, const char *name, size_t node, int line) {
    Tape *tape = reader->lesson->tape;
    size_t rows = tape_node(tape, node)->output.rows;
    size_t cols = tape_node(tape, node)->output.cols;
    bool given = line && tape_node(tape, node)->operation == OPERATION_GIVEN;
    const SchemaStrings *tokens = &reader->spec.tokens;
    if (given && tokens->count == rows && (!reader->words.count || reader->followed))
        tape_set_labels(tape, node, tokens->items, NULL);
    const Name *entry = names_lookup(&reader->label_names, name);
    if (!entry)
        return;
    const LabelsSpec *labels = (LabelsSpec *)reader->spec.labels.items + entry->node;
    if (!reader_leaves_out(reader)) {
        check_label_count(reader, labels, "rows", labels->rows.count, rows);
        check_label_count(reader, labels, "columns", labels->cols.count, cols);
    }
    tape_set_labels(tape, node, labels->rows.count == rows ? labels->rows.items : NULL,
                    labels->cols.count == cols ? labels->cols.items : NULL);
}

/* Reports whether `labels:` has the tensor's row labels. */
static bool has_row_labels(const LessonReader *reader, const char *name) {
    const Name *entry = names_lookup(&reader->label_names, name);
    const LabelsSpec *labels = reader->spec.labels.items;
    return entry && labels[entry->node].rows.items;
}

static bool are_same(const char *const *labels, const SchemaStrings *tokens) {
    for (size_t i = 0; labels && i < tokens->count; i++) {
        if (strcmp(labels[i], tokens->items[i]) != 0)
            return false;
    }
    return labels != NULL;
}

/* A right factor's rows are its left factor's columns. If those are no words, a given
 * right factor's rows aren't either: it is a weight whose number of rows is equal by
 * chance. */
static void take_words_from_weights(LessonReader *reader) {
    Tape *tape = reader->lesson->tape;
    const SchemaStrings *tokens = &reader->spec.tokens;
    for (size_t i = 0; tokens->count && i < tape_count(tape); i++) {
        const TapeNode *product = tape_node(tape, i);
        if (product->operation != OPERATION_MATMUL)
            continue;
        const TapeNode *right = tape_node(tape, product->inputs[1]);
        if (right->operation == OPERATION_GIVEN &&
            right->output.row_labels == tokens->items &&
            !has_row_labels(reader, right->name) &&
            !are_same(product->operands[0]->col_labels, tokens))
            tape_take_row_labels(tape, product->inputs[1]);
    }
}

/* Also reports labels of a tensor that the lesson never makes. */
void reader_check_labels(LessonReader *reader) {
    char shortened[UTF8_SHORT_SIZE];
    const LabelsSpec *labels = reader->spec.labels.items;
    size_t count = reader_leaves_out(reader) ? 0 : reader->spec.labels.count;
    take_words_from_weights(reader);
    for (size_t i = 0; i < count && !reader_stopped(reader); i++) {
        const YamlNode *key = labels[i].place.node->key;
        if (labels[i].place.broken || names_lookup(&reader->names, key->text))
            continue;
        const char *nearest = names_nearest(&reader->names, key->text);
        field_short(shortened, key);
        yaml_error(reader->errors, ERROR_NAME, key,
                   "labels for '%s', which the lesson doesn't make%s%s%s", shortened,
                   nearest ? "; did you mean '" : "", nearest ? nearest : "",
                   nearest ? "'?" : "");
    }
}

/* ---- names ---- */

void reader_name(LessonReader *reader, const char *name, size_t node, int line) {
    names_add(&reader->names, (Name){name, node, line, false});
    apply_labels(reader, name, node, line);
}

bool reader_free_name(LessonReader *reader, const char *name, const YamlNode *at,
                      int column) {
    char place[40] = "by the model", quoted[UTF8_SHORT_SIZE];
    const Name *known = names_lookup(&reader->names, name);
    if (!known)
        return true;
    if (known->line)
        snprintf(place, sizeof place, "at line %d", known->line);
    return error_list_add(reader->errors, ERROR_NAME, at->line,
                          column ? column : at->column,
                          "'%s' is already made %s; a name stands for one tensor, so "
                          "take another",
                          utf8_shorten(quoted, name, strlen(name)), place);
}

void reader_name_broken(LessonReader *reader, const char *name, int line) {
    if (!names_lookup(&reader->names, name))
        names_add(&reader->names, (Name){.name = name, .line = line, .broken = true});
}

void reader_keep_source(LessonReader *reader, LessonSource source) {
    Lesson *lesson = reader->lesson;
    LessonSource *kept = arena_alloc(lesson->arena, 1, sizeof *kept);
    *kept = source;
    kept->next = lesson->sources;
    lesson->sources = kept;
}

/* ---- given tensors ---- */

/* Stores how a tensor's numbers were drawn. */
static void keep_drawn(LessonReader *reader, const GivenSpec *spec, size_t node) {
    Lesson *lesson = reader->lesson;
    LessonDrawn *drawn = arena_alloc(lesson->arena, 1, sizeof *drawn);
    *drawn = (LessonDrawn){node, spec->seed, spec->scale, lesson->drawn};
    lesson->drawn = drawn;
}

/* Adapts a tensor labelled with the lesson's words to the learner's. */
static void follow_words(LessonReader *reader, const char *name, Tensor *tensor) {
    Arena *arena = reader->lesson->arena;
    const Name *entry = names_lookup(&reader->label_names, name);
    const LabelsSpec *labels =
        entry ? (LabelsSpec *)reader->spec.labels.items + entry->node : NULL;
    const SchemaStrings *rows =
        labels && labels->rows.items ? &labels->rows : &reader->spec.tokens;
    reader->followed = own_words_follow(&reader->words, arena, rows, false, tensor);
    if (labels)
        own_words_follow(&reader->words, arena, &labels->cols, true, tensor);
}

static void read_given_tensor(LessonReader *reader, const GivenSpec *spec) {
    const YamlNode *node = spec->place.node;
    char shortened[UTF8_SHORT_SIZE];
    const char *name = node->key->text;
    const char *short_name = utf8_shorten(shortened, name, strlen(name));
    Tensor tensor;
    Error error;
    size_t number;
    LessonSource source = {0};
    reader->at = node->key;
    if (!expression_is_name(name)) {
        yaml_error(reader->errors, ERROR_NAME, node->key,
                   "'%s' can't be a tensor's name; a name is a letter or _, then "
                   "letters, digits and _, at most %d of them, and not inf",
                   short_name, EXPRESSION_NAME_MAX);
        return;
    }
    Arena *arena = reader->lesson->arena;
    bool text = spec->vocabulary != NULL;
    if (spec->place.broken ||
        !(text ? texts_read_given(&reader->texts, arena, spec, &tensor, &source,
                                  reader->errors)
               : numbers_read(arena, spec, short_name, &tensor, reader->errors))) {
        reader_name_broken(reader, name, node->key->line);
        return;
    }
    follow_words(reader, name, &tensor);
    if (!tape_given(reader->lesson->tape, name, tensor, &number, &error)) {
        yaml_error_append(reader->errors, &error, node->key);
        reader_name_broken(reader, name, node->key->line);
        return;
    }
    reader_name(reader, name, number, node->key->line);
    source.node = number;
    if (text)
        reader_keep_source(reader, source);
    else if (schema_lookup(&spec->place, "random") && !reader->own)
        keep_drawn(reader, spec, number);
}

void reader_read_given(LessonReader *reader) {
    const GivenSpec *given = reader->spec.given.items;
    for (size_t i = 0; i < reader->spec.given.count && !reader_stopped(reader); i++) {
        reader->at = given[i].place.node;
        read_given_tensor(reader, &given[i]);
    }
}
