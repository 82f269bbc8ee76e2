#include "model/generate/reading.h"

#include "base/arena.h"
#include "model/build/build.h"
#include "model/build/transformer.h"

#include <string.h>

Transformer reading_model(const Transformer *model) {
    Transformer without = *model;
    without.expected = without.losses = without.loss = TAPE_NONE;
    return without;
}

/* Copies the source to a tensor of its own, so that setting one of its cells by hand
 * changes this step only. */
static Tensor copy_source(const Reading *reading, Tensor source) {
    const double *values = source.values;
    size_t cells = tensor_cells(&source);
    source.values = arena_alloc(reading->arena, cells, sizeof *values);
    if (cells)
        memcpy(source.values, values, cells * sizeof *values);
    return source;
}

/* Puts a path before the names of nodes from `first` on. */
static void rename_nodes(const Reading *reading, size_t first, const char *path) {
    Tape *tape = reading->tape;
    for (size_t i = first; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        bool is_constant =
            node->operation == OPERATION_GIVEN && tensor_cells(&node->output) == 1;
        if (!node->name[0] || (is_constant && node->quiet))
            continue;
        tape_rename(tape, i, arena_format(reading->arena, "%s.%s", path, node->name));
    }
}

size_t reading_ids(const Transformer *model, TransformerSide side) {
    for (size_t i = 0; i < model->part_count; i++) {
        const TransformerPart *part = &model->parts[i];
        if (part->kind == TRANSFORMER_IDS && part->tower->side == side)
            return part->node;
    }
    return TAPE_NONE;
}

/* Repeats the changes of the node `earlier` of the source's tape at a run's node: on
 * that tape now and from then on, on a tape of its own those in force. */
static void repeat_node(const ReadingSource *source, const Reading *reading, size_t node,
                        size_t earlier) {
    const Tape *from = source->tape;
    bool cells = source->repeats_cells;
    if (reading->tape == from) {
        tape_set_repeats(reading->tape, node, earlier, cells);
        return;
    }
    if (tape_node(from, earlier)->muted)
        tape_mute(reading->tape, node, true);
    for (size_t i = 0; cells && i < tape_edit_count(from); i++) {
        const TapeEdit *edit = tape_edit_at(from, i);
        if (edit->node == earlier)
            tape_edit(reading->tape, node, edit->row, edit->col, edit->value);
    }
}

/* Repeats the changes of the model's nodes, which have the run's names in the same order.
 * The tokens behind an encoder were generated, and are not those of the model's target.
 */
static void repeat_changes(const ReadingSource *source, const Reading *reading,
                           size_t first) {
    const Transformer *model = source->model;
    const Tape *from = source->tape;
    bool two_texts = model->shape.kind == TRANSFORMER_ENCODER_DECODER;
    size_t tokens =
        two_texts ? reading_ids(&reading->model, TRANSFORMER_TARGET) : TAPE_NONE;
    size_t begin = model->parameters[0].node;
    size_t end = reading->tape == from ? first : tape_count(from);
    for (size_t i = first; i < tape_count(reading->tape); i++) {
        const TapeNode *node = tape_node(reading->tape, i);
        size_t at = begin;
        if (!node->name[0] || node->quiet)
            continue;
        while (at < end && strcmp(tape_node(from, at)->name, node->name) != 0)
            at++;
        if (at == end)
            continue;
        begin = at + 1;
        if (i != tokens && tape_node(from, at)->operation == node->operation)
            repeat_node(source, reading, i, at);
    }
    if (reading->tape == from && tape_edit_count(from))
        tape_recompute(reading->tape, first, tape_count(reading->tape));
}

bool reading_append(Reading *reading, const ReadingSource *from,
                    const TransformerInput *input, const char *group, const char *path,
                    Error *error) {
    Tape *tape = reading->tape;
    TransformerInput own = *input;
    size_t first = tape_count(tape);
    own.source = copy_source(reading, own.source);
    tape_group_begin(tape, group);
    if (!transformer_append_input(tape, reading->arena, &own, &reading->model, error))
        return false;
    repeat_changes(from, reading, first);
    rename_nodes(reading, first, path);
    tape_group_end(tape);
    return true;
}
