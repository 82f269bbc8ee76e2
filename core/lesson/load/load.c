#include "lesson/load/load.h"

#include "base/strings/utf8.h"
#include "lesson/content/changes.h"
#include "lesson/content/lesson.h"
#include "lesson/model/model_parts.h"
#include "lesson/play/changes_file.h"
#include "lesson/read/reader.h"
#include "lesson/schema/schema.h"
#include "lesson/schema/yaml.h"
#include "tensor/tape/tape.h"

#include <string.h>

/* Length of a file's name without its extension. */
static size_t stem_length(const char *name) {
    static const char *const endings[] = {".yaml", ".yml"};
    size_t length = strlen(name);
    for (size_t i = 0; i < 2; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(name + length - ending, endings[i]) == 0)
            return length - ending;
    }
    return length;
}

const char *lesson_id(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = stem_length(name), end = 0;
    char *id = arena_alloc(arena, 3 * length + 1, 1); /* a byte may be U+FFFD */
    for (size_t i = 0; id && i < length;) {
        uint32_t c = utf8_next(name, length, &i);
        bool shown = !utf8_steers(c) && c != '\n' && c != '\t';
        end += utf8_encode(c == '.' && !end ? '_' : shown ? c : 0xFFFD, id + end);
    }
    return id;
}

/* A lesson that is being created under its arena's guard. */
typedef struct Creation {
    const char *path;
    Arena *arena;
    Lesson *lesson;
} Creation;

static void create_guarded(void *context) {
    Creation *this = context;
    Lesson *lesson = arena_alloc(this->arena, 1, sizeof *lesson);
    lesson->arena = this->arena;
    lesson->id = lesson_id(this->arena, this->path);
    lesson->file = arena_copy(this->arena, this->path, strlen(this->path));
    lesson->tape = tape_create(this->arena);
    lesson->changes = changes_create(lesson->tape);
    this->lesson = lesson;
}

/* Creates an empty lesson in an arena of its own. */
static Lesson *lesson_new(const char *path, size_t limit, ErrorList *errors) {
    errors->file = path;
    Creation this = {path, arena_create(limit), NULL};
    if (this.arena && arena_guard(this.arena, create_guarded, &this) &&
        this.lesson->changes) {
        arena_allow(this.arena, LESSON_WORK);
        return this.lesson;
    }
    arena_destroy(this.arena);
    error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory for the lesson");
    return NULL;
}

/* ---- the parts, in their order ---- */

static void keep_words(Lesson *lesson, const LessonSpec *spec) {
    lesson->part = spec->part;
    lesson->title = spec->title;
    lesson->about = spec->about;
    lesson->goal = spec->goal;
    lesson->need_count = spec->needs.count;
    lesson->needs = spec->needs.items;
    lesson->need_places = spec->needs.node ? spec->needs.node->first : NULL;
    lesson->remember_count = spec->remember.count;
    lesson->remember = spec->remember.items;
    lesson->document = spec->document;
    lesson->section = spec->section;
    lesson->shows_sources = spec->shows_sources;
    lesson->block = spec->block;
}

/* Adds an error if the words of `tokens:` label no rows, because this explains errors
 * about unknown row names. */
static void explain_names(LessonReader *reader) {
    ErrorList *errors = reader->errors;
    const Lesson *lesson = reader->lesson;
    const TapeNode *rows = reader->own ? NULL : lesson_unlabelled(lesson);
    bool names = false;
    for (size_t i = 0; i < errors->count; i++)
        names |= errors->items[i].code == ERROR_NAME;
    for (size_t i = 0; rows && i < tape_count(lesson->tape); i++) {
        const char *const *labels = tape_node(lesson->tape, i)->output.row_labels;
        if (labels && strcmp(labels[0], lesson->chosen->vocabulary.items[0]) == 0)
            rows = NULL;
    }
    if (!names || !rows)
        return;
    if (errors->count == ERROR_LIST_MAX) {
        errors->count--;
        errors->dropped++;
    }
    const SchemaStrings *words = &lesson->chosen->vocabulary;
    yaml_error(errors, ERROR_SHAPE, words->node, LESSON_UNLABELLED, words->count,
               rows->name, rows->output.rows);
}

static void read_parts(LessonReader *reader, const YamlNode *root) {
    LessonSpec *spec = &reader->spec;
    Arena *arena = reader->lesson->arena;
    if (root->kind != YAML_MAPPING) {
        yaml_error(reader->errors, ERROR_VALUE, root,
                   "a lesson is a mapping: 'title:', 'given:' and 'steps:', each at "
                   "the beginning of a line");
        return;
    }
    if (!model_config_read(reader, root))
        return; /* the lesson's keys for the model would all be reported missing */
    bool good = schema_read(&SPEC_LESSON, root, NULL, spec, arena, reader->errors);
    keep_words(reader->lesson, spec);
    if (reader->lesson->bare)
        spec->changes.count = 0;
    changes_read_switches(reader);
    reader_read_labels(reader);
    texts_read(&reader->texts, arena, reader->lesson->file, &spec->vocabularies,
               reader->errors);
    reader_read_given(reader);
    if (spec->model) {
        reader->at = spec->model->place.node;
        if (!model_block_read(reader, spec->model))
            return; /* errors about steps of a missing model don't help */
    }
    if (!good && !spec->model && !schema_lookup(&spec->place, "given"))
        return; /* nor do errors that follow from a key that wasn't understood */
    if (spec->model || schema_lookup(&spec->place, "steps"))
        steps_read(reader);
    else
        yaml_error(reader->errors, ERROR_NAME, root,
                   "the lesson has no steps; write 'steps:' and below it '- do: NAME "
                   "= expression'");
    reader_check_labels(reader);
    reader_read_placeholders(reader);
    explain_names(reader);
    changes_read(reader);
}

/* Reports whether it is a file of weights: the length of its header, followed by that. */
static bool is_weights(const char *text, size_t length) {
    uint64_t header = 0;
    for (size_t i = 8; length > 8 && i > 0; i--)
        header = header << 8 | (unsigned char)text[i - 1];
    return length > 8 && text[8] == '{' && header <= length - 8;
}

/* A lesson's text, to be read under the arena's guard. */
typedef struct Reading {
    LessonReader *reader;
    const char *text;
    size_t length;
    const LessonOptions *options;
} Reading;

static void read_guarded(void *context) {
    const Reading *this = context;
    LessonReader *reader = this->reader;
    Arena *arena = reader->lesson->arena;
    if (this->options->text)
        reader->texts.override =
            arena_copy(arena, this->options->text, strlen(this->options->text));
    if (is_weights(this->text, this->length)) {
        error_list_add(
            reader->errors, ERROR_VALUE, 0, 0,
            "this is a file of weights, not a lesson; a lesson beside it reads "
            "them by 'model: {…, weights: {file: NAME.safetensors}}', and "
            "'glassformer new LESSON.yaml' writes one to begin with");
        return;
    }
    const YamlNode *root = yaml_read(arena, this->text, this->length, reader->errors);
    if (root)
        read_parts(reader, root);
}

/* Reports whether an error is about a limit of memory or work. */
static bool has_limit_error(const ErrorList *errors) {
    for (size_t i = 0; i < errors->count; i++) {
        if (errors->items[i].code == ERROR_MEMORY || errors->items[i].code == ERROR_WORK)
            return true;
    }
    return false;
}

/* Reads the text into the lesson; destroys it on any error. */
static Lesson *read_into(Lesson *lesson, const char *text, size_t length,
                         const LessonOptions *options, ErrorList *errors) {
    size_t before = errors->count;
    const char *own = options->text;
    Error error;
    LessonReader reader = {.lesson = lesson,
                           .errors = errors,
                           .untrained = options->untrained,
                           .own = own || options->switches,
                           .switched = options->switches != NULL,
                           .names = {.arena = lesson->arena},
                           .label_names = {.arena = lesson->arena}};
    if (options->switches)
        lesson->switches = *options->switches;
    lesson->bare = options->bare;
    if (options->work > 0)
        arena_allow(lesson->arena, options->work);
    Reading reading = {&reader, text, length, options};
    bool whole = arena_guard(lesson->arena, read_guarded, &reading);
    if (!whole && !has_limit_error(errors)) {
        arena_error(lesson->arena, "the lesson needs more memory than it may use (1 GiB)",
                    &error);
        const YamlNode *at = reader.at ? reader.at : reader.texts.at;
        error_list_append(errors, &error, at ? at->line : 0, at ? at->column : 0);
    }
    lesson->text = reader.texts.first;
    lesson->tokenizer = reader.texts.tokenizer;
    lesson->own_text = reader.texts.override;
    lesson->generated_text = reader.texts.written;
    if (options->switches && !lesson->model && errors->count == before)
        error_list_add(errors, ERROR_VALUE, 0, 0,
                       "this lesson has no model to switch; it has no 'model:'");
    if (own && !lesson->text && errors->count == before)
        error_list_add(errors, ERROR_VALUE, 0, 0,
                       "this lesson takes no text of your own; it has no 'text:'");
    if (reader.texts.override_at && !lesson->text && errors->count == before)
        yaml_error(
            errors, ERROR_VALUE, reader.texts.override_at,
            "this lesson has no text that another could replace; it has no 'text:'");
    if (errors->count == before && !errors->dropped)
        return lesson;
    lesson_destroy(lesson);
    return NULL;
}

Lesson *lesson_parse_within(const char *path, const char *text, size_t length,
                            size_t limit, ErrorList *errors) {
    Lesson *lesson = lesson_new(path, limit, errors);
    return lesson ? read_into(lesson, text, length, &(LessonOptions){0}, errors) : NULL;
}

Lesson *lesson_parse(const char *path, const char *text, size_t length,
                     ErrorList *errors) {
    return lesson_parse_with(path, text, length, &(LessonOptions){0}, errors);
}

Lesson *lesson_parse_with(const char *path, const char *text, size_t length,
                          const LessonOptions *options, ErrorList *errors) {
    Lesson *lesson = lesson_new(path, LESSON_MAX_MEMORY, errors);
    return lesson ? read_into(lesson, text, length, options, errors) : NULL;
}

Lesson *lesson_load(const char *path, ErrorList *errors) {
    return lesson_load_with(path, &(LessonOptions){0}, errors);
}

Lesson *lesson_load_with(const char *path, const LessonOptions *options,
                         ErrorList *errors) {
    Lesson *lesson = lesson_new(path, LESSON_MAX_MEMORY, errors);
    size_t length = 0;
    const char *text =
        lesson ? yaml_read_file(lesson->arena, path, &length, errors) : NULL;
    if (!text) {
        lesson_destroy(lesson);
        return NULL;
    }
    return read_into(lesson, text, length, options, errors);
}

Lesson *lesson_load_with_text(const char *path, const char *own, ErrorList *errors) {
    return lesson_load_with(path, &(LessonOptions){.text = own}, errors);
}

Lesson *lesson_load_untrained(const char *path, ErrorList *errors) {
    return lesson_load_with(path, &(LessonOptions){.untrained = true}, errors);
}

/* Reports whether a step has a text for the tour. */
static bool has_stations(const YamlNode *steps) {
    const YamlNode *step = steps && steps->kind == YAML_SEQUENCE ? steps->first : NULL;
    while (step && !yaml_lookup(step, "tour"))
        step = step->next;
    return step != NULL;
}

/* Number of steps with a question that isn't about a number. */
static size_t count_questions(const YamlNode *steps) {
    size_t count = 0;
    const YamlNode *step = steps && steps->kind == YAML_SEQUENCE ? steps->first : NULL;
    for (; step; step = step->next) {
        const YamlNode *ask = yaml_lookup(step, "ask");
        count += ask && (yaml_lookup(ask, "choose") || yaml_lookup(ask, "order") ||
                         yaml_lookup(ask, "direction"));
    }
    return count;
}

/* Writes all scalars of a node to `text`, one per line; returns their length. If `text`
 * is NULL, only measures. */
static size_t put_words(const YamlNode *node, char *text) {
    size_t length = 0;
    if (node && node->kind == YAML_SCALAR) {
        length = strlen(node->text);
        if (text) {
            memcpy(text, node->text, length);
            text[length] = '\n';
        }
        return length + 1;
    }
    for (const YamlNode *child = node ? node->first : NULL; child; child = child->next)
        length += put_words(child, text ? text + length : NULL);
    return length;
}

/* The words of the lesson's summary and of its steps. */
static size_t put_lesson_words(const YamlNode *root, char *text) {
    static const char *const fields[] = {"chapter", "heading", "do"};
    const YamlNode *steps = yaml_lookup(root, "steps");
    const YamlNode *step = steps && steps->kind == YAML_SEQUENCE ? steps->first : NULL;
    size_t length = put_words(yaml_lookup(root, "about"), text);
    length += put_words(yaml_lookup(root, "goal"), text ? text + length : NULL);
    for (; step; step = step->next) {
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            length +=
                put_words(yaml_lookup(step, fields[i]), text ? text + length : NULL);
    }
    return length;
}

static const char *words_of(Arena *arena, const YamlNode *root) {
    size_t length = put_lesson_words(root, NULL);
    char *text = arena_alloc(arena, length + 1, 1);
    if (!text)
        return "";
    put_lesson_words(root, text);
    text[length] = 0;
    return text;
}

static LessonHead head_of(const YamlNode *root, Arena *arena, ErrorList *errors) {
    LessonHead head = {.words = ""};
    const YamlNode *title = yaml_lookup(root, "title"), *part = yaml_lookup(root, "part");
    const YamlNode *goal = yaml_lookup(root, "goal"), *block = yaml_lookup(root, "block");
    const char *name;
    if (title && !field_text(arena, title, "title", &head.title, errors))
        head.title = (Text){0};
    if (part && !field_text(arena, part, "part", &head.part, errors))
        head.part = (Text){0};
    if (goal && !field_text(arena, goal, "goal", &head.goal, errors))
        head.goal = (Text){0};
    if (block && field_string(block, "block", &name, errors))
        head.block = lesson_block_find(name);
    head.is_question = count_questions(yaml_lookup(root, "steps"));
    head.tours = has_stations(yaml_lookup(root, "steps"));
    head.words = words_of(arena, root);
    return head;
}

bool lesson_read_head(LessonHead *head, const char *path, Arena *arena,
                      ErrorList *errors) {
    size_t length = 0;
    const char *text = yaml_read_file(arena, path, &length, errors);
    const YamlNode *root = text ? yaml_read(arena, text, length, errors) : NULL;
    *head = (LessonHead){.words = ""};
    if (root && root->kind == YAML_MAPPING)
        *head = head_of(root, arena, errors);
    return !arena_exhausted(arena) ||
           error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
}
