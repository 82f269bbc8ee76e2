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

static bool read_cell(ChangesReader *this, const ChangeSpec *change) {
    LessonReader *reader = this->reader;
    const YamlNode *said = schema_lookup(&change->place, "value");
    size_t node, row, col;
    Error error = {0};
    if (!find_tensor(this, change->cell->first, &node) ||
        !reader_read_cell(reader, change->cell, node, &row, &col))
        return false;
    if (!tape_accepts(reader->lesson->tape, node, row, col, change->value, &error))
        return yaml_error(reader->errors, error.code, said, "%s", error.message);
    return tape_edit(reader->lesson->tape, node, row, col, change->value);
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

/* Adds a change's variant of the model, if it is one. */
static void add_switches(LessonSwitches *switches, const ChangeSpec *change) {
    switches->heads = change->heads ? change->heads : switches->heads;
    switches->norm = change->norm ? change->norm : switches->norm;
    switches->mask = change->mask ? change->mask : switches->mask;
    if (change->temperature > 0)
        switches->temperature = change->temperature;
    if (schema_lookup(&change->place, "seed")) {
        switches->seeded = true;
        switches->seed = change->seed;
    }
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
        add_switches(switches, change);
        reader->switched |= !change->text;
    }
}

/* ---- drafts ---- */

typedef struct DraftReader {
    ChangesDraft *draft;
    const char *list;
    Arena *arena;
    bool good;
} DraftReader;

/* Reads a draft, under the arena's guard. */
static void read_draft_guarded(void *context) {
    DraftReader *this = context;
    ErrorList errors = {0};
    ChangesDraft *draft = this->draft;
    const YamlNode *root =
        yaml_read(this->arena, this->list, strlen(this->list), &errors);
    const YamlNode *list =
        root && root->kind == YAML_MAPPING ? yaml_lookup(root, "changes") : NULL;
    if (!list || list->kind != YAML_SEQUENCE)
        return;
    size_t count = 0;
    for (const YamlNode *item = list->first; item; item = item->next)
        count++;
    ChangeSpec *items = arena_alloc(this->arena, count + 1, sizeof *items);
    for (const YamlNode *item = list->first; item; item = item->next) {
        ChangeSpec *change = &items[draft->count];
        if (!schema_read(&SPEC_CHANGE, item, "a change", change, this->arena, &errors))
            return;
        draft->text = change->text ? change->text : draft->text;
        add_switches(&draft->switches, change);
        draft->count++;
    }
    draft->items = items;
    this->good = true;
}

bool changes_draft_read(ChangesDraft *draft, const char *list, Arena *arena) {
    DraftReader reader = {.draft = draft, .list = list, .arena = arena};
    *draft = (ChangesDraft){0};
    if (!list[0])
        return true;
    return arena_guard(arena, read_draft_guarded, &reader) && reader.good;
}

/* Finds the tensor that a change names; false if the lesson has none of that name. */
static bool find_named(const Player *player, const YamlNode *name, size_t *node) {
    return name && name->kind == YAML_SCALAR && changes_find(player, name->text, node);
}

/* Finds the cell that a change sets; false if the lesson doesn't have it. */
static bool find_cell(const Player *player, const ChangeSpec *change, LessonCell *cell) {
    ErrorList errors = {0};
    const YamlNode *at = change->cell ? change->cell->first : NULL;
    const Tape *tape = player->lesson->tape;
    if (!find_named(player, at, &cell->node) ||
        !field_whole(at->next, "row", 0, TENSOR_MAX_CELLS, &cell->row, &errors) ||
        !field_whole(at->next->next, "column", 0, TENSOR_MAX_CELLS, &cell->col, &errors))
        return false;
    changes_resolve(tape, &cell->node, &cell->row, &cell->col);
    const Tensor *tensor = &tape_node(tape, cell->node)->output;
    return cell->row < tensor->rows && cell->col < tensor->cols &&
           tape_accepts(tape, cell->node, cell->row, cell->col, change->value, NULL);
}

static bool has_cell(const Player *player, const ChangesDraft *draft,
                     const TapeEdit *edit) {
    LessonCell cell;
    for (size_t i = 0; i < draft->count; i++) {
        if (find_cell(player, &draft->items[i], &cell) && cell.node == edit->node &&
            cell.row == edit->row && cell.col == edit->col)
            return true;
    }
    return false;
}

static bool has_mute(const Player *player, const ChangesDraft *draft, size_t node) {
    size_t muted;
    for (size_t i = 0; i < draft->count; i++) {
        if (find_named(player, draft->items[i].mute, &muted) && muted == node)
            return true;
    }
    return false;
}

/* Undoes changes that are in force and not in the draft. Setting a cell to its original
 * removes it from the list of edits. */
static size_t drop_others(const Player *player, const ChangesDraft *draft) {
    const Lesson *lesson = player->lesson;
    size_t count = 0;
    for (size_t i = tape_edit_count(lesson->tape); i > 0; i--) {
        TapeEdit edit = *tape_edit_at(lesson->tape, i - 1);
        if (!has_cell(player, draft, &edit))
            count += changes_set(
                lesson->changes, edit.node, edit.row, edit.col,
                tape_original(lesson->tape, edit.node, edit.row, edit.col), false);
    }
    for (size_t i = 0; i < tape_count(lesson->tape); i++) {
        if (tape_node(lesson->tape, i)->muted_itself && !has_mute(player, draft, i))
            count += changes_mute(lesson->changes, i, false);
    }
    return count;
}

size_t changes_draft_apply(const Player *player, const ChangesDraft *draft,
                           size_t *left_out) {
    Changes *changes = player->lesson->changes;
    size_t count = drop_others(player, draft), muted;
    LessonCell cell;
    *left_out = 0;
    for (size_t i = 0; i < draft->count; i++) {
        const ChangeSpec *change = &draft->items[i];
        if (find_named(player, change->mute, &muted))
            count += changes_mute(changes, muted, true);
        else if (find_cell(player, change, &cell))
            count +=
                changes_set(changes, cell.node, cell.row, cell.col, change->value, false);
        else if (change->mute || change->cell)
            ++*left_out;
    }
    return count;
}
