#include "lesson/read/reader.h"

#include "base/utf8.h"
#include "lesson/formula/expression.h"
#include "lesson/read/field.h"
#include "lesson/read/numbers.h"

#include <string.h>

bool reader_stopped(const LessonReader *reader) {
    const ErrorList *errors = reader->errors;
    bool full = tape_count(reader->lesson->tape) >= TAPE_MAX_NODES;
    return errors->count == ERROR_LIST_MAX || (full && errors->count > 0);
}

/* ---- labels ---- */

/* A list of labels for one axis; the word `tokens` stands for the tokens. */
static void read_axis_labels(LessonReader *reader, const YamlNode *node, const char *what,
                             const char *const **labels, size_t *count) {
    if (!node)
        return;
    if (node->kind == YAML_SCALAR && strcmp(node->text, "tokens") == 0) {
        *labels = reader->tokens;
        *count = reader->token_count;
        if (!*count)
            error_list_add(reader->errors, ERROR_NAME, node->line, node->column,
                           "the lesson has no 'tokens:' to label with");
        return;
    }
    field_strings(reader->lesson->arena, node, what, labels, count, reader->errors);
}

static void read_labels(LessonReader *reader, const YamlNode *node) {
    static const char *const keys[] = {"rows", "cols", NULL};
    if (!node)
        return;
    if (node->kind != YAML_MAPPING) {
        error_list_add(reader->errors, ERROR_VALUE, node->line, node->column,
                       "labels must be a mapping from tensors to labels, {X: {rows: [a, "
                       "b], cols: [c, d]}}");
        return;
    }
    reader->labels =
        arena_alloc(reader->lesson->arena, node->count, sizeof *reader->labels);
    for (const YamlNode *item = node->first; item; item = item->next) {
        ReaderLabels *labels = &reader->labels[reader->label_count];
        labels->node = item;
        if (!field_keys(item, "labels", keys, reader->errors))
            continue;
        read_axis_labels(reader, yaml_lookup(item, "rows"), "rows", &labels->rows,
                         &labels->row_count);
        read_axis_labels(reader, yaml_lookup(item, "cols"), "cols", &labels->cols,
                         &labels->col_count);
        names_add(&reader->label_names,
                  (Name){item->key->text, reader->label_count++, item->key->line, false});
    }
}

static void check_label_count(LessonReader *reader, const ReaderLabels *labels,
                              const char *what, size_t count, size_t size) {
    char name[UTF8_SHORT_SIZE];
    const YamlNode *key = labels->node->key;
    if (count && count != size)
        error_list_add(reader->errors, ERROR_SHAPE, key->line, key->column,
                       "%s has %zu %s, but there are %zu labels for them",
                       utf8_shorten(name, key->text, strlen(key->text)), size, what,
                       count);
}

/* The tokens' labels for a tensor that the lesson gives, the lesson's own for any. */
static void apply_labels(LessonReader *reader, const char *name, size_t node, int line) {
    Tape *tape = reader->lesson->tape;
    size_t rows = tape_node(tape, node)->output.rows;
    size_t cols = tape_node(tape, node)->output.cols;
    bool given = line && tape_node(tape, node)->operation == OPERATION_GIVEN;
    if (given && reader->token_count == rows)
        tape_set_labels(tape, node, reader->tokens, NULL);
    const Name *entry = names_lookup(&reader->label_names, name);
    if (!entry)
        return;
    const ReaderLabels *labels = &reader->labels[entry->node];
    if (!reader->switched) {
        check_label_count(reader, labels, "rows", labels->row_count, rows);
        check_label_count(reader, labels, "columns", labels->col_count, cols);
    }
    tape_set_labels(tape, node, labels->row_count == rows ? labels->rows : NULL,
                    labels->col_count == cols ? labels->cols : NULL);
}

/* Labels of a tensor that the lesson never makes. */
static void check_labels_used(LessonReader *reader) {
    char shortened[UTF8_SHORT_SIZE];
    for (size_t i = 0; i < reader->label_count && !reader_stopped(reader); i++) {
        const YamlNode *key = reader->labels[i].node->key;
        if (names_lookup(&reader->names, key->text))
            continue;
        const char *nearest = names_nearest(&reader->names, key->text);
        utf8_shorten(shortened, key->text, strlen(key->text));
        error_list_add(reader->errors, ERROR_NAME, key->line, key->column,
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

void reader_name_broken(LessonReader *reader, const char *name, int line) {
    if (!names_lookup(&reader->names, name))
        names_add(&reader->names, (Name){.name = name, .line = line, .broken = true});
}

static void keep_source(Lesson *lesson, size_t node, const char *const *written) {
    LessonSource *source = arena_alloc(lesson->arena, 1, sizeof *source);
    *source = (LessonSource){node, written, lesson->sources};
    lesson->sources = source;
}

/* ---- given ---- */

static void read_given_tensor(LessonReader *reader, const YamlNode *node) {
    char shortened[UTF8_SHORT_SIZE];
    const char *name = node->key->text;
    const char *short_name = utf8_shorten(shortened, name, strlen(name));
    Tensor tensor;
    Error error;
    size_t number;
    const char *const *written = NULL;
    reader->at = node->key;
    if (!expression_is_name(name)) {
        error_list_add(reader->errors, ERROR_NAME, node->key->line, node->key->column,
                       "'%s' can't be a tensor's name; a name is a letter or _, then "
                       "letters, digits and _, at most %d of them, and not inf",
                       short_name, EXPRESSION_NAME_MAX);
        return;
    }
    Arena *arena = reader->lesson->arena;
    if (!(texts_is_text(node)
              ? texts_read_given(&reader->texts, arena, node, &tensor, &written,
                                 reader->errors)
              : numbers_read(arena, node, short_name, &tensor, reader->errors))) {
        reader_name_broken(reader, name, node->key->line);
        return;
    }
    if (!tape_given(reader->lesson->tape, name, tensor, &number, &error)) {
        error_list_append(reader->errors, &error, node->key->line, node->key->column);
        reader_name_broken(reader, name, node->key->line);
        return;
    }
    reader_name(reader, name, number, node->key->line);
    if (written)
        keep_source(reader->lesson, number, written);
}

static void read_given(LessonReader *reader, const YamlNode *node) {
    if (!node)
        return;
    if (node->kind != YAML_MAPPING) {
        error_list_add(reader->errors, ERROR_VALUE, node->line, node->column,
                       "given must be a mapping from names to numbers, 'X: [[1, 0], [0, "
                       "1]]'");
        return;
    }
    for (const YamlNode *item = node->first; item && !reader_stopped(reader);
         item = item->next)
        read_given_tensor(reader, item);
}

/* ---- the top ---- */

static void read_words(LessonReader *reader, const YamlNode *root) {
    Lesson *lesson = reader->lesson;
    const YamlNode *title = yaml_lookup(root, "title");
    const YamlNode *about = yaml_lookup(root, "about");
    const YamlNode *document = yaml_lookup(root, "document");
    const YamlNode *section = yaml_lookup(root, "section");
    const YamlNode *tokens = yaml_lookup(root, "tokens");
    if (title)
        field_text(lesson->arena, title, "title", &lesson->title, reader->errors);
    else
        error_list_add(reader->errors, ERROR_NAME, root->line, root->column,
                       "the lesson has no title; begin with 'title: …'");
    const YamlNode *part = yaml_lookup(root, "part");
    if (part)
        field_text(lesson->arena, part, "part", &lesson->part, reader->errors);
    if (about)
        field_text(lesson->arena, about, "about", &lesson->about, reader->errors);
    if (document)
        field_string(document, "document", &lesson->document, reader->errors);
    if (section)
        field_string(section, "section", &lesson->section, reader->errors);
    if (tokens)
        field_strings(lesson->arena, tokens, "tokens", &reader->tokens,
                      &reader->token_count, reader->errors);
}

void reader_read(LessonReader *reader, const YamlNode *root) {
    static const char *const keys[] = {
        "part",   "vocabularies", "title", "about", "document", "section", "tokens",
        "labels", "given",        "steps", "model", "changes",  NULL};
    if (root->kind != YAML_MAPPING) {
        error_list_add(reader->errors, ERROR_VALUE, root->line, root->column,
                       "a lesson is a mapping: 'title:', 'given:' and 'steps:', each at "
                       "the beginning of a line");
        return;
    }
    field_keys(root, "the lesson", keys, reader->errors);
    const YamlNode *model = yaml_lookup(root, "model"),
                   *steps = yaml_lookup(root, "steps"),
                   *changes = yaml_lookup(root, "changes");
    reader->steps_node = steps;
    reader_read_switches(reader, changes);
    read_words(reader, root);
    read_labels(reader, yaml_lookup(root, "labels"));
    texts_read(&reader->texts, reader->lesson->arena, yaml_lookup(root, "vocabularies"),
               reader->errors);
    read_given(reader, yaml_lookup(root, "given"));
    reader->at = model;
    if (model && !reader_read_model(reader, model))
        return; /* what the steps say of a model that isn't there is no help */
    if (model || steps)
        reader_read_steps(reader, steps);
    else
        error_list_add(reader->errors, ERROR_NAME, root->line, root->column,
                       "the lesson has no steps; write 'steps:' and below it '- do: NAME "
                       "= expression'");
    if (!reader->switched)
        check_labels_used(reader);
    reader_read_changes(reader, changes);
}
