#include "lesson/read/changes_file.h"

#include "base/utf8.h"
#include "lesson/read/field.h"
#include "lesson/read/reader.h"
#include "tensor/tape_ids.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---- */

/* The step that makes a node, or PLAYER_NONE. */
static size_t step_of(const Player *player, size_t node) {
    for (size_t i = 0; i < player->step_count; i++) {
        if (player->steps[i].node == node && player_has_cells(player, i))
            return i;
    }
    return PLAYER_NONE;
}

/* The first of an operation's inputs that has this name, or TAPE_NONE. */
static size_t input_named(const Tape *tape, const TapeNode *user, const char *name) {
    for (size_t i = 0; i < user->input_count; i++) {
        if (name[0] && strcmp(tape_node(tape, user->inputs[i])->name, name) == 0)
            return i;
    }
    return TAPE_NONE;
}

/* "3.2 sqrt(2)": a constant by the first step that uses it; "3.2 #2": what has no name of
 * its own there, as its second input. */
static const char *constant_name(const Player *player, size_t node, Arena *arena) {
    const Tape *tape = player->lesson->tape;
    for (size_t i = 0; i < player->step_count; i++) {
        const TapeNode *user = tape_node(tape, player->steps[i].node);
        for (size_t k = 0; player_has_cells(player, i) && k < user->input_count; k++) {
            const char *name = tape_node(tape, node)->name;
            if (user->inputs[k] != node)
                continue;
            return input_named(tape, user, name) == k
                       ? arena_format(arena, "%s %s", player->steps[i].path, name)
                       : arena_format(arena, "%s #%zu", player->steps[i].path, k + 1);
        }
    }
    return NULL;
}

const char *changes_name(const Player *player, size_t node, Arena *arena) {
    const Tape *tape = player->lesson->tape;
    const TapeNode *at = tape_node(tape, node);
    if (!at->quiet && at->name[0] && tape_find(tape, at->name) == node)
        return at->name;
    if (at->quiet)
        return constant_name(player, node, arena);
    size_t step = step_of(player, node);
    return step == PLAYER_NONE ? NULL : player->steps[step].path;
}

/* ---- reading ---- */

typedef struct ChangesReader {
    LessonReader *reader;
    Player player; /* made when the first path is met */
    bool has_player;
} ChangesReader;

static bool find_path(ChangesReader *this, const char *path, size_t length,
                      size_t *node) {
    Lesson *lesson = this->reader->lesson;
    if (!this->has_player && lesson->step_count)
        this->has_player = player_init(&this->player, lesson);
    for (size_t i = 0; this->has_player && i < this->player.step_count; i++) {
        const PlayerStep *step = &this->player.steps[i];
        if (strlen(step->path) == length && memcmp(step->path, path, length) == 0 &&
            player_has_cells(&this->player, i)) {
            *node = step->node;
            return true;
        }
    }
    return false;
}

/* A path, or a path and one of its inputs. */
static bool find_by_path(ChangesReader *this, const char *name, size_t *node) {
    size_t length = strcspn(name, " ");
    if (!find_path(this, name, length, node) || !name[length])
        return !name[length] && length && *node != TAPE_NONE;
    const Tape *tape = this->reader->lesson->tape;
    const TapeNode *user = tape_node(tape, *node);
    const char *input = name + length + 1;
    size_t number = 0, i = input_named(tape, user, input);
    if (i == TAPE_NONE && sscanf(input, "#%zu", &number) == 1)
        i = number - 1;
    if (i >= user->input_count)
        return false;
    *node = user->inputs[i];
    return true;
}

static bool find_tensor(ChangesReader *this, const YamlNode *at, size_t *node) {
    LessonReader *reader = this->reader;
    const char *name;
    char quoted[UTF8_SHORT_SIZE];
    if (!field_string(at, "a tensor's name", &name, reader->errors))
        return false;
    *node = tape_find(reader->lesson->tape, name);
    if (*node != TAPE_NONE && !tape_node(reader->lesson->tape, *node)->quiet)
        return true;
    const Name *known = names_lookup(&reader->names, name);
    if (known && known->broken)
        return false;
    *node = known ? known->node : TAPE_NONE;
    if (known || find_by_path(this, name, node))
        return true;
    const char *nearest = names_nearest(&reader->names, name);
    return error_list_add(
        reader->errors, ERROR_NAME, at->line, at->column,
        "there is no tensor '%s' to change%s%s%s",
        utf8_shorten(quoted, name, strlen(name)),
        nearest ? "; did you mean '"
                : "; write its name, or the path of the step that makes it, \"3.1\"",
        nearest ? nearest : "", nearest ? "'?" : "");
}

static bool read_place(const YamlNode *node, const char *what, size_t *place,
                       ErrorList *errors) {
    return field_whole(node, what, TENSOR_MAX_CELLS, place, errors);
}

static bool read_cell(ChangesReader *this, const YamlNode *item, const YamlNode *cell) {
    LessonReader *reader = this->reader;
    const YamlNode *value_node = yaml_lookup(item, "value");
    size_t node, row, col;
    double value;
    if (cell->kind != YAML_SEQUENCE || cell->count != 3)
        return error_list_add(reader->errors, ERROR_VALUE, cell->line, cell->column,
                              "a cell is a tensor, a row and a column, [X, 0, 1]");
    if (!value_node)
        return error_list_add(reader->errors, ERROR_NAME, item->line, item->column,
                              "the cell has no value; write {cell: [X, 0, 1], value: "
                              "0.5}");
    if (!find_tensor(this, cell->first, &node) ||
        !read_place(cell->first->next, "the cell's row", &row, reader->errors) ||
        !read_place(cell->first->next->next, "the cell's column", &col, reader->errors) ||
        !field_number(value_node, "value", &value, reader->errors))
        return false;
    const Tensor *tensor = &tape_node(reader->lesson->tape, node)->output;
    char name[UTF8_SHORT_SIZE];
    if (row < tensor->rows && col < tensor->cols) {
        Error error = {0};
        if (!tape_accepts(reader->lesson->tape, node, row, col, value, &error))
            return error_list_add(reader->errors, error.code, value_node->line,
                                  value_node->column, "%s", error.message);
        return tape_edit(reader->lesson->tape, node, row, col, value) ||
               error_list_add(reader->errors, ERROR_MEMORY, 0, 0,
                              "the lesson needs more memory than it may use");
    }
    utf8_shorten(name, cell->first->text, strlen(cell->first->text));
    return error_list_add(reader->errors, ERROR_VALUE, cell->line, cell->column,
                          "%s [%zu,%zu] has no cell [%zu, %zu]; rows count from 0 to "
                          "%zu, columns from 0 to %zu",
                          name, tensor->rows, tensor->cols, row, col, tensor->rows - 1,
                          tensor->cols - 1);
}

static bool read_mute(ChangesReader *this, const YamlNode *mute) {
    LessonReader *reader = this->reader;
    size_t node;
    char name[UTF8_SHORT_SIZE];
    if (!find_tensor(this, mute, &node))
        return false;
    return tape_mute(reader->lesson->tape, node, true) ||
           error_list_add(reader->errors, ERROR_VALUE, mute->line, mute->column,
                          "'%s' can't be muted; only an operation whose result has its "
                          "first input's shape can, as scaling, a mask, a sum, a norm "
                          "or ReLU",
                          utf8_shorten(name, mute->text, strlen(mute->text)));
}

/* The one thing that an entry changes, or NULL with an error. */
static const YamlNode *subject_of(const YamlNode *item, ErrorList *errors) {
    static const char *const keys[] = {"cell", "value", "mute",        "text", "heads",
                                       "norm", "mask",  "temperature", NULL};
    if (!field_keys(item, "a change", keys, errors))
        return NULL;
    const YamlNode *subject = NULL;
    size_t count = 0;
    for (const YamlNode *node = item->first; node; node = node->next) {
        if (strcmp(node->key->text, "value") != 0) {
            subject = node;
            count++;
        }
    }
    bool cell = subject && strcmp(subject->key->text, "cell") == 0;
    if (count == 1 && (cell || item->count == 1))
        return subject;
    error_list_add(errors, ERROR_VALUE, item->line, item->column,
                   "a change is one thing: {cell: [X, 0, 1], value: 0.5}, {mute: S}, "
                   "{text: …}, {heads: 1}, {norm: pre}, {mask: none} or {temperature: "
                   "2}");
    return NULL;
}

static bool is_about_cells(const YamlNode *subject) {
    return strcmp(subject->key->text, "cell") == 0 ||
           strcmp(subject->key->text, "mute") == 0;
}

void reader_read_changes(LessonReader *reader, const YamlNode *node) {
    ChangesReader this = {.reader = reader};
    Tape *tape = reader->lesson->tape;
    if (!node || node->kind != YAML_SEQUENCE || reader_stopped(reader))
        return;
    bool held = tape_hold(tape);
    for (const YamlNode *item = node->first; item && !reader_stopped(reader);
         item = item->next) {
        size_t before = reader->errors->count;
        ErrorList unused = {0}; /* reader_read_switches has told of these */
        const YamlNode *subject = subject_of(item, &unused);
        if (!subject || !is_about_cells(subject))
            continue;
        if (strcmp(subject->key->text, "cell") == 0)
            read_cell(&this, item, subject);
        else
            read_mute(&this, subject);
        if (reader->own && reader->errors->count > before)
            reader->errors->count = before; /* it is about another text or model */
    }
    if (!held || !tape_release(tape))
        error_list_add(reader->errors, ERROR_MEMORY, 0, 0,
                       "the lesson needs more memory than it may use");
    changes_recount(reader->lesson->changes);
}

/* ---- reading what is there before the tape ---- */

/* One of two words; *second is which. */
static bool read_word(const YamlNode *node, const char *first_word,
                      const char *second_word, bool *second, ErrorList *errors) {
    const char *word;
    char quoted[UTF8_SHORT_SIZE];
    if (!field_string(node, node->key->text, &word, errors))
        return false;
    *second = strcmp(word, second_word) == 0;
    return *second || strcmp(word, first_word) == 0 ||
           error_list_add(errors, ERROR_VALUE, node->line, node->column,
                          "%s is '%s', but must be one of: %s, %s", node->key->text,
                          utf8_shorten(quoted, word, strlen(word)), first_word,
                          second_word);
}

static bool read_temperature(const YamlNode *node, double *temperature,
                             ErrorList *errors) {
    return field_number(node, "temperature", temperature, errors) &&
           ((*temperature > 0 && isfinite(*temperature)) ||
            error_list_add(errors, ERROR_VALUE, node->line, node->column,
                           "the temperature is %g, but must be more than 0",
                           *temperature));
}

static bool read_switch(LessonSwitches *switches, const YamlNode *node,
                        ErrorList *errors) {
    const char *key = node->key->text;
    bool second = false, good = true;
    if (strcmp(key, "heads") == 0)
        return field_whole(node, key, TENSOR_MAX_CELLS, &switches->heads, errors);
    if (strcmp(key, "temperature") == 0)
        return read_temperature(node, &switches->temperature, errors);
    if (strcmp(key, "norm") == 0) {
        good = read_word(node, "post", "pre", &second, errors);
        switches->norm = second ? LESSON_NORM_PRE : LESSON_NORM_POST;
    } else {
        good = read_word(node, "causal", "none", &second, errors);
        switches->mask = second ? TRANSFORMER_MASK_NONE : TRANSFORMER_MASK_CAUSAL;
    }
    return good;
}

/* `given`: the switches are not the file's. */
static void read_early(LessonReader *reader, const YamlNode *subject, bool given) {
    Lesson *lesson = reader->lesson;
    if (strcmp(subject->key->text, "text") == 0) {
        const char *text;
        if (field_string(subject, "text", &text, reader->errors) &&
            !reader->texts.override)
            reader->texts.override = text;
        return;
    }
    LessonSwitches unused = {0};
    if (read_switch(given ? &unused : &lesson->switches, subject, reader->errors))
        reader->switched = true;
}

void reader_read_switches(LessonReader *reader, const YamlNode *node) {
    bool given = reader->switched;
    if (!node)
        return;
    if (node->kind != YAML_SEQUENCE) {
        error_list_add(reader->errors, ERROR_VALUE, node->line, node->column,
                       "changes must be a list, '- {cell: [X, 0, 1], value: 0.5}'");
        return;
    }
    if (node->count > LESSON_MAX_CHANGES) {
        error_list_add(reader->errors, ERROR_LIMIT, node->line, node->column,
                       "the file has %zu changes; it may have at most %d", node->count,
                       LESSON_MAX_CHANGES);
        return;
    }
    for (const YamlNode *item = node->first;
         item && reader->errors->count < ERROR_LIST_MAX; item = item->next) {
        const YamlNode *subject = subject_of(item, reader->errors);
        if (subject && !is_about_cells(subject))
            read_early(reader, subject, given);
    }
}
