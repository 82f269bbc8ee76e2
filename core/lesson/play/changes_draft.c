#include "lesson/play/changes_file.h"

#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/schema/schema.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

typedef struct DraftReader {
    ChangesDraft *draft;
    const char *list;
    Arena *arena;
    bool good;
} DraftReader;

static void read_head(ChangesDraft *draft, const ChangeSpec *change) {
    LessonSwitches *switches = &draft->switches;
    draft->text = change->text ? change->text : draft->text;
    switches->heads = change->heads ? change->heads : switches->heads;
    switches->norm = change->norm ? change->norm : switches->norm;
    switches->mask = change->mask ? change->mask : switches->mask;
    if (change->temperature > 0)
        switches->temperature = change->temperature;
}

/* Reads a draft, under the arena's guard. */
static void read_guarded(void *context) {
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
        read_head(draft, change);
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
    return arena_guard(arena, read_guarded, &reader) && reader.good;
}

/* ---- applying ---- */

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
        if (tape_node(lesson->tape, i)->muted && !has_mute(player, draft, i))
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
