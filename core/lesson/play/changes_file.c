#include "lesson/play/changes_file.h"

#include "base/strings/utf8.h"
#include "lesson/content/changes.h"
#include "lesson/schema/schema.h"
#include "tensor/tape/tape.h"

#include <stdio.h>
#include <string.h>

/* ---- names ---- */

/* Returns the step that makes a node, or PLAYER_NONE. */
static size_t step_of(const Player *player, size_t node) {
    for (size_t i = 0; i < player->step_count; i++) {
        if (player->steps[i].node == node && player_has_cells(player, i))
            return i;
    }
    return PLAYER_NONE;
}

/* Returns the first of an operation's inputs that has this name, or TAPE_NONE. */
static size_t input_named(const Tape *tape, const TapeNode *user, const char *name) {
    for (size_t i = 0; i < user->input_count; i++) {
        if (name[0] && strcmp(tape_node(tape, user->inputs[i])->name, name) == 0)
            return i;
    }
    return TAPE_NONE;
}

/* Names a node without a step: a constant "3.2 sqrt(2)", by the first step that uses it;
 * an input without a name "3.2 #2", by its number. */
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

static bool find_path(const Player *player, const char *path, size_t length,
                      size_t *node) {
    for (size_t i = 0; i < player->step_count; i++) {
        const PlayerStep *step = &player->steps[i];
        if (strlen(step->path) == length && memcmp(step->path, path, length) == 0 &&
            player_has_cells(player, i)) {
            *node = step->node;
            return true;
        }
    }
    return false;
}

/* Finds a node by a path, or by a path and one of its inputs. */
static bool find_by_path(const Player *player, const char *name, size_t *node) {
    size_t length = strcspn(name, " ");
    if (!length || !find_path(player, name, length, node))
        return false;
    if (!name[length])
        return true;
    const Tape *tape = player->lesson->tape;
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

bool changes_find(const Player *player, const char *name, size_t *node) {
    const Tape *tape = player->lesson->tape;
    *node = tape_find(tape, name);
    return (*node != TAPE_NONE && !tape_node(tape, *node)->quiet) ||
           find_by_path(player, name, node);
}

/* ---- reading ---- */

typedef struct ChangesReader {
    LessonReader *reader;
    Player player; /* initialized when the first path is met */
    bool has_player;
} ChangesReader;

/* Finds a node by its step's path, in a lesson that has steps. */
static bool find_step(ChangesReader *this, const char *name, size_t *node) {
    Lesson *lesson = this->reader->lesson;
    if (!this->has_player && lesson->step_count)
        this->has_player = player_init(&this->player, lesson);
    return this->has_player && find_by_path(&this->player, name, node);
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
    if (known || find_step(this, name, node))
        return true;
    const char *nearest = names_nearest(&reader->names, name);
    return yaml_error(
        reader->errors, ERROR_NAME, at, "there is no tensor '%s' to change%s%s%s",
        utf8_shorten(quoted, name, strlen(name)),
        nearest ? "; did you mean '"
                : "; write its name, or the path of the step that makes it, \"3.1\"",
        nearest ? nearest : "", nearest ? "'?" : "");
}

static bool read_place(const YamlNode *node, const char *what, size_t *place,
                       ErrorList *errors) {
    return field_whole(node, what, 0, TENSOR_MAX_CELLS, place, errors);
}

static bool read_cell(ChangesReader *this, const ChangeSpec *change) {
    LessonReader *reader = this->reader;
    const YamlNode *cell = change->cell, *said = schema_lookup(&change->place, "value");
    double value = change->value;
    size_t node, row, col;
    if (!find_tensor(this, cell->first, &node) ||
        !read_place(cell->first->next, "the cell's row", &row, reader->errors) ||
        !read_place(cell->first->next->next, "the cell's column", &col, reader->errors))
        return false;
    const Tensor *tensor = &tape_node(reader->lesson->tape, node)->output;
    char name[UTF8_SHORT_SIZE];
    if (row < tensor->rows && col < tensor->cols) {
        Error error = {0};
        if (!tape_accepts(reader->lesson->tape, node, row, col, value, &error))
            return yaml_error(reader->errors, error.code, said, "%s", error.message);
        return tape_edit(reader->lesson->tape, node, row, col, value);
    }
    field_short(name, cell->first);
    return yaml_error(reader->errors, ERROR_VALUE, cell,
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
           yaml_error(reader->errors, ERROR_VALUE, mute,
                      "'%s' can't be muted; only an operation whose result has its "
                      "first input's shape can, as scaling, a mask, a sum, a norm "
                      "or ReLU",
                      field_short(name, mute));
}

void changes_read(LessonReader *reader) {
    ChangesReader this = {.reader = reader};
    const ChangeSpec *change = reader->spec.changes.items;
    Tape *tape = reader->lesson->tape;
    if (!reader->spec.changes.count || reader_stopped(reader))
        return;
    tape_hold(tape);
    for (size_t i = 0; i < reader->spec.changes.count && !reader_stopped(reader);
         i++, change++) {
        size_t before = reader->errors->count;
        if (!change->place.broken && change->cell)
            read_cell(&this, change);
        else if (!change->place.broken && change->mute)
            read_mute(&this, change->mute);
        if (reader->own && reader->errors->count > before)
            reader->errors->count = before; /* it refers to another text or model */
    }
    tape_release(tape);
    changes_recount(reader->lesson->changes);
}

/* The learner's switches, if there are any, replace the file's. */
void changes_read_switches(LessonReader *reader) {
    const ChangeSpec *change = reader->spec.changes.items;
    LessonSwitches unused = {0};
    LessonSwitches *switches = reader->switched ? &unused : &reader->lesson->switches;
    for (size_t i = 0; i < reader->spec.changes.count; i++, change++) {
        if (change->place.broken || change->cell || change->mute)
            continue;
        if (!change->text && !reader->spec.model) {
            yaml_error(reader->errors, ERROR_VALUE, change->place.node,
                       "this lesson has no model to switch; it has no 'model:'");
            continue;
        }
        if (change->text && !reader->texts.override) {
            reader->texts.override = change->text;
            reader->texts.override_at = schema_lookup(&change->place, "text");
        }
        switches->heads = change->heads ? change->heads : switches->heads;
        switches->norm = change->norm ? change->norm : switches->norm;
        switches->mask = change->mask ? change->mask : switches->mask;
        if (change->temperature > 0)
            switches->temperature = change->temperature;
        reader->switched |= !change->text;
    }
}
