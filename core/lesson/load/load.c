#include "lesson/load/load.h"

#include "base/strings/utf8.h"
#include "base/strings/writer.h"
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

/* ---- the parts, in their order ---- */

static void keep_words(Lesson *lesson, const LessonSpec *spec) {
    lesson->part = spec->part;
    lesson->title = spec->title;
    lesson->about = spec->about;
    lesson->goal = spec->goal;
    lesson->minutes = spec->minutes;
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

/* Puts the given tensors and the model on the tape. False if there is no model where one
 * is described: errors about its steps wouldn't help. */
static bool read_tensors(LessonReader *reader) {
    LessonSpec *spec = &reader->spec;
    reader_read_labels(reader);
    texts_read(&reader->texts, reader->lesson->arena, reader->lesson->file,
               &spec->vocabularies, reader->errors);
    reader_read_given(reader);
    if (!spec->model)
        return true;
    reader->at = spec->model->place.node;
    return model_block_read(reader, spec->model);
}

/* Decides if the steps are only counted, and returns whether that needs no tensors. */
static bool needs_no_tensors(LessonReader *reader) {
    const ModelSpec *model = reader->spec.model;
    reader->outline &= !reader->switched && !reader->texts.override;
    reader->untrained |= reader->outline;
    return reader->outline && !(model && model->steps == MODEL_STEPS_ALL);
}

/* Keeps the rows that the lesson follows. */
static void keep_follow(LessonReader *reader) {
    const FollowSpec *follow = reader->spec.follow;
    Lesson *lesson = reader->lesson;
    if (!follow || follow->place.broken)
        return;
    const YamlNode *row = follow->row->kind == YAML_SCALAR ? follow->row : NULL;
    size_t count = row ? 1 : follow->row->count;
    const char **rows = arena_alloc(lesson->arena, count, sizeof *rows);
    row = row ? row : follow->row->first;
    for (size_t i = 0; i < count; i++, row = row->next) {
        if (!field_string(row, "row", &rows[i], reader->errors))
            return;
    }
    lesson->follow_rows = rows;
    lesson->follow_count = count;
    lesson->follow_column = follow->column;
}

/* Adds an error for a row to follow that no tensor has; a learner's own text may lack
 * it. */
static void check_follow(LessonReader *reader) {
    const FollowSpec *follow = reader->spec.follow;
    const Lesson *lesson = reader->lesson;
    size_t row, col;
    if (!lesson->follow_count || reader->own || reader->errors->count)
        return;
    for (size_t i = 0; i < tape_count(lesson->tape); i++) {
        if (lesson_followed(lesson, &tape_node(lesson->tape, i)->output, &row, &col))
            return;
    }
    yaml_error(reader->errors, ERROR_NAME, follow->place.node,
               "no tensor has a row '%.80s' and a column %zu; a row to follow has a "
               "token's name",
               lesson->follow_rows[0], lesson->follow_column);
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
    keep_follow(reader);
    if (reader->lesson->bare)
        spec->changes.count = 0;
    changes_read_switches(reader);
    if (!needs_no_tensors(reader) && !read_tensors(reader))
        return;
    if (!good && !spec->model && !schema_lookup(&spec->place, "given"))
        return; /* nor do errors that follow from a key that wasn't understood */
    if (spec->model || schema_lookup(&spec->place, "steps"))
        steps_read(reader);
    else
        yaml_error(reader->errors, ERROR_NAME, root,
                   "the lesson has no steps; write 'steps:' and below it '- do: NAME "
                   "= expression'");
    if (reader->outline)
        return;
    reader_check_labels(reader);
    check_follow(reader);
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

/* A lesson that is being loaded under its arena's guard. */
typedef struct Loading {
    const char *path, *text; /* text NULL: the file's */
    size_t length;
    const LessonOptions *options;
    Arena *arena;
    LessonReader reader; /* its lesson is NULL until there is memory for it */
} Loading;

static void make_lesson(Loading *this) {
    LessonReader *reader = &this->reader;
    const LessonOptions *options = this->options;
    Lesson *lesson = arena_alloc(this->arena, 1, sizeof *lesson);
    lesson->arena = this->arena;
    lesson->id = lesson_id(this->arena, this->path);
    lesson->file = arena_copy(this->arena, this->path, strlen(this->path));
    lesson->tape = tape_create(this->arena);
    lesson->bare = options->bare;
    lesson->switches = options->switches ? *options->switches : (LessonSwitches){0};
    reader->names.arena = reader->label_names.arena = this->arena;
    if (options->text)
        reader->texts.override =
            arena_copy(this->arena, options->text, strlen(options->text));
    lesson->changes = changes_create(lesson->tape);
    reader->lesson = lesson;
}

static void load_guarded(void *context) {
    Loading *this = context;
    LessonReader *reader = &this->reader;
    make_lesson(this);
    if (!this->text)
        this->text =
            yaml_read_file(this->arena, this->path, &this->length, reader->errors);
    if (this->text && is_weights(this->text, this->length))
        error_list_add(
            reader->errors, ERROR_VALUE, 0, 0,
            "this is a file of weights, not a lesson; a lesson beside it reads "
            "them by 'model: {…, weights: {file: NAME.safetensors}}', and "
            "'glassformer new LESSON.yaml' writes one to begin with");
    else if (this->text && reader->lesson->changes) {
        const YamlNode *root =
            yaml_read(this->arena, this->text, this->length, reader->errors);
        if (root)
            read_parts(reader, root);
    }
}

/* Reports whether an error is about a limit of memory or work. */
static bool has_limit_error(const ErrorList *errors) {
    for (size_t i = 0; i < errors->count; i++) {
        if (errors->items[i].code == ERROR_MEMORY || errors->items[i].code == ERROR_WORK)
            return true;
    }
    return false;
}

/* Reads a text, or the file if that is NULL. */
static Lesson *load(const char *path, const char *text, size_t length,
                    const LessonOptions *options, ErrorList *errors) {
    static const LessonOptions usual = {0};
    options = options ? options : &usual;
    size_t before = errors->count;
    bool own = options->text;
    errors->file = path;
    Loading loading = {
        path,
        text,
        length,
        options,
        arena_create(options->memory ? options->memory : LESSON_MAX_MEMORY),
        {.errors = errors,
         .untrained = options->untrained,
         .outline = options->outline,
         .store = options->store,
         .own = own || options->switches,
         .switched = options->switches != NULL}};
    if (loading.arena)
        arena_allow(loading.arena, options->work > 0 ? options->work : LESSON_WORK);
    bool whole = loading.arena && arena_guard(loading.arena, load_guarded, &loading);
    const LessonReader *reader = &loading.reader;
    Lesson *lesson = reader->lesson;
    if (!lesson || !lesson->changes) {
        arena_destroy(loading.arena);
        error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory for the lesson");
        return NULL;
    }
    if (!whole && !has_limit_error(errors)) {
        Error error;
        arena_error(lesson->arena, "the lesson needs more memory than it may use (1 GiB)",
                    &error);
        const YamlNode *at = reader->at ? reader->at : reader->texts.at;
        error_list_append(errors, &error, at ? at->line : 0, at ? at->column : 0);
    }
    lesson->text = reader->texts.first;
    lesson->tokenizer = reader->texts.tokenizer;
    lesson->own_text = reader->texts.override;
    lesson->generated_text = reader->texts.written;
    if (options->switches && !lesson->model && errors->count == before)
        error_list_add(errors, ERROR_VALUE, 0, 0,
                       "this lesson has no model to switch; it has no 'model:'");
    if (own && !lesson->text && errors->count == before)
        error_list_add(errors, ERROR_VALUE, 0, 0,
                       "this lesson takes no text of your own; it has no 'text:'");
    if (reader->texts.override_at && !lesson->text && errors->count == before)
        yaml_error(
            errors, ERROR_VALUE, reader->texts.override_at,
            "this lesson has no text that another could replace; it has no 'text:'");
    if (errors->count == before && !errors->dropped)
        return lesson;
    lesson_destroy(lesson);
    return NULL;
}

Lesson *lesson_parse(const char *path, const char *text, size_t length,
                     const LessonOptions *options, ErrorList *errors) {
    return load(path, text, length, options, errors);
}

Lesson *lesson_load(const char *path, const LessonOptions *options, ErrorList *errors) {
    return load(path, NULL, 0, options, errors);
}

/* ---- heads ---- */

/* Returns the length of a file's text up to its tensors and steps; all of it if a key of
 * the head may stand behind them. */
static size_t head_length(const char *text, size_t length) {
    static const char *const ends[] = {"\ngiven:", "\nmodel:", "\nsteps:"};
    static const char *const keys[] = {
        "\ntitle:", "\npart:", "\ngoal:", "\nblock:", "\nminutes:", "\nbegin_here:"};
    const char *end = text + length;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *found = strstr(text, ends[i]);
        end = found && found < end ? found : end;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strstr(end, keys[i]))
            return length;
    }
    return (size_t)(end - text);
}

static void read_head(LessonHead *head, const YamlNode *root, Arena *arena,
                      ErrorList *errors) {
    const struct {
        const char *key;
        Text *text;
    } texts[] = {{"title", &head->title}, {"part", &head->part}, {"goal", &head->goal}};
    const YamlNode *block = yaml_lookup(root, "block");
    const YamlNode *minutes = yaml_lookup(root, "minutes");
    const YamlNode *begins = yaml_lookup(root, "begin_here");
    const char *name;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const YamlNode *text = yaml_lookup(root, texts[i].key);
        if (text && !field_text(arena, text, texts[i].key, texts[i].text, errors))
            *texts[i].text = (Text){0};
    }
    if (minutes)
        field_whole(minutes, "minutes", 1, SPEC_MINUTES_MOST, &head->minutes, errors);
    head->begins =
        begins && begins->kind == YAML_SCALAR && strcmp(begins->text, "true") == 0;
    if (block && field_string(block, "block", &name, errors))
        head->block = lesson_block_find(name);
}

/* Reports whether a step of the lesson has a text for the tour. */
static bool has_tour(const YamlNode *root) {
    const YamlNode *steps = yaml_lookup(root, "steps");
    const YamlNode *step = steps && steps->kind == YAML_SEQUENCE ? steps->first : NULL;
    while (step && !yaml_lookup(step, "tour"))
        step = step->next;
    return step != NULL;
}

/* Adds the error of an arena that is exhausted; false then. */
static bool has_memory(const Arena *arena, ErrorList *errors) {
    return !arena_exhausted(arena) ||
           error_list_add(errors, ERROR_MEMORY, 0, 0, "there is no memory");
}

bool lesson_read_head(LessonHead *head, const char *path, Arena *arena,
                      ErrorList *errors) {
    size_t length = 0, before = errors->count;
    const char *text = yaml_read_file(arena, path, &length, errors);
    bool tours = text && strstr(text, "tour:");
    size_t first = text && !tours ? head_length(text, length) : length;
    const YamlNode *root = text ? yaml_read(arena, text, first, errors) : NULL;
    if (first < length && (!root || errors->count > before)) { /* cut within a text */
        errors->count = before;
        root = yaml_read(arena, text, length, errors);
    }
    *head = (LessonHead){0};
    if (root && root->kind == YAML_MAPPING) {
        read_head(head, root, arena, errors);
        head->tours = tours && has_tour(root);
    }
    return has_memory(arena, errors);
}

/* ---- contents ---- */

/* Writes all scalars of a node, one per line. */
static void put_words(Writer *writer, const YamlNode *node) {
    if (node && node->kind == YAML_SCALAR)
        writer_format(writer, "%s\n", node->text);
    for (const YamlNode *child = node ? node->first : NULL; child; child = child->next)
        put_words(writer, child);
}

/* Adds the contents of the lesson's steps. */
static void read_steps(LessonContents *contents, const YamlNode *steps, Writer *words) {
    static const char *const fields[] = {"chapter", "concept", "heading", "do"};
    const YamlNode *step = steps && steps->kind == YAML_SEQUENCE ? steps->first : NULL;
    for (; step; step = step->next) {
        const YamlNode *ask = yaml_lookup(step, "ask");
        contents->questions +=
            ask && (yaml_lookup(ask, "choose") || yaml_lookup(ask, "order") ||
                    yaml_lookup(ask, "direction"));
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            put_words(words, yaml_lookup(step, fields[i]));
    }
}

bool lesson_read_contents(LessonContents *contents, const char *path, Arena *arena,
                          ErrorList *errors) {
    size_t length = 0;
    const char *text = yaml_read_file(arena, path, &length, errors);
    const YamlNode *root = text ? yaml_read(arena, text, length, errors) : NULL;
    Writer words = {.arena = arena};
    *contents = (LessonContents){.words = ""};
    if (root && root->kind == YAML_MAPPING) {
        put_words(&words, yaml_lookup(root, "about"));
        put_words(&words, yaml_lookup(root, "goal"));
        read_steps(contents, yaml_lookup(root, "steps"), &words);
    }
    contents->words = words.length ? words.text : "";
    return has_memory(arena, errors);
}
