#include "lesson/model/model_parts.h"

#include "base/arena.h"
#include "base/strings/utf8.h"
#include "lesson/formula/formula.h"
#include "model/generate/reading.h"
#include "tensor/tape/tape.h"

#include <string.h>

static bool is_below(const char *name, const char *path) {
    size_t length = strlen(path);
    return strncmp(name, path, length) == 0 && (!name[length] || name[length] == '.');
}

/* Reports whether something has the name of a text, or a name that begins with it. */
static bool is_taken(const LessonReader *reader, const char *name) {
    const Tape *tape = reader->lesson->tape;
    bool taken = names_lookup(&reader->names, name) != NULL;
    for (size_t i = 0; i < tape_count(tape); i++)
        taken |= is_below(tape_node(tape, i)->name, name);
    for (size_t i = 0; i < tape_group_count(tape); i++)
        taken |= is_below(tape_group(tape, i)->name, name);
    return taken;
}

static bool check_name(LessonReader *reader, const YamlNode *item) {
    const char *name = item->key->text;
    char quoted[UTF8_SHORT_SIZE];
    return (expression_is_name(name) && !is_taken(reader, name)) ||
           yaml_error(reader->errors, ERROR_NAME, item->key,
                      "'%s' can't be the name of a text; take a name that nothing has, "
                      "of letters, digits and _",
                      utf8_shorten(quoted, name, strlen(name)));
}

/* Reads the IDs of a text, in place of those of one side. */
static bool read_ids(LessonReader *reader, const ModelSpec *spec, const YamlNode *item,
                     const ModelWords *words, bool decodes, Tensor *ids) {
    const char *text;
    Error error;
    if (!field_string(item, item->key->text, &text, reader->errors))
        return false;
    if (!model_words_text(words, text, item->key->text, decodes ? spec->start : NULL, ids,
                          &error))
        return yaml_error_append(reader->errors, &error, item);
    return !spec->context || ids->cols <= spec->context ||
           yaml_error(reader->errors, ERROR_LIMIT, item,
                      "it is cut into %zu tokens, but the model reads %zu at most; write "
                      "a shorter one",
                      ids->cols, spec->context);
}

static bool read_text(LessonReader *reader, const ModelSpec *spec, const YamlNode *item,
                      const ModelWords words[2], const TransformerInput *input) {
    const Lesson *lesson = reader->lesson;
    const Transformer *model = lesson->model;
    bool decodes = model->shape.kind == TRANSFORMER_DECODER;
    TransformerSide side = decodes ? TRANSFORMER_TARGET : TRANSFORMER_SOURCE;
    TransformerInput other = *input;
    other.expected = (Tensor){0};
    if (!check_name(reader, item) || !read_ids(reader, spec, item, &words[side], decodes,
                                               decodes ? &other.target : &other.source))
        return false;
    Reading reading = {lesson->tape, lesson->arena, reading_model(model)};
    ReadingSource from = {lesson->tape, model, false};
    const char *name = item->key->text;
    Error error;
    if (!reading_append(&reading, &from, &other, name, name, &error))
        return yaml_error_append(reader->errors, &error, item);
    size_t node = reading_ids(&reading.model, side);
    if (words[side].tokenizer.vocabulary)
        reader_keep_source(
            reader,
            (LessonSource){.node = node, .tokenizer = &lesson->words[side].tokenizer});
    return true;
}

bool other_texts_read(LessonReader *reader, const ModelSpec *spec,
                      const ModelWords words[2], const TransformerInput *input) {
    const YamlNode *list = spec->other_texts;
    Lesson *lesson = reader->lesson;
    if (!list || !list->count)
        return true;
    const char **names = arena_alloc(lesson->arena, list->count, sizeof *names);
    bool good = true;
    for (const YamlNode *item = list->first; item; item = item->next) {
        good &= read_text(reader, spec, item, words, input);
        names[lesson->other_text_count++] = item->key->text;
    }
    lesson->other_texts = names;
    return good;
}
