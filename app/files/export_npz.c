#include "files/files.h"

#include "base/strings/writer.h"
#include "lesson/content/content.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <stdlib.h>
#include <string.h>

enum { CSV_MAX_MEMORY = 1 << 30 };

/* A tensor to be written, and the step that makes it. */
typedef struct Item {
    const char *name, *path;
    size_t node, place; /* in the order of writing */
} Item;

static int compare_names(const void *left, const void *right) {
    const Item *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int compare_places(const void *left, const void *right) {
    const Item *a = left, *b = right;
    return (a->place > b->place) - (a->place < b->place);
}

static void add_item(Item *items, size_t *count, bool *taken, size_t node,
                     const char *name, const char *path) {
    if (taken[node])
        return;
    taken[node] = true;
    items[*count] = (Item){*name ? name : path, path, node, *count};
    ++*count;
}

static size_t collect_items(const Player *player, Item *items, bool *taken) {
    const Tape *tape = player->lesson->tape;
    size_t count = 0;
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (node->operation == OPERATION_GIVEN && !node->quiet)
            add_item(items, &count, taken, i, node->name, "");
    }
    for (size_t i = 0; i < player->step_count; i++) {
        const PlayerStep *step = &player->steps[i];
        bool computes = player->lesson->steps[step->statement].count > 0;
        if (!step->child_count && computes)
            add_item(items, &count, taken, step->node, tape_node(tape, step->node)->name,
                     step->path);
    }
    return count;
}

/* Paths begin with a digit, names don't: no path is another tensor's name. */
static void distinguish(Item *items, size_t count) {
    if (count < 2)
        return;
    qsort(items, count, sizeof *items, compare_names);
    const char *last = items[0].name;
    for (size_t i = 1; i < count; i++) {
        bool twice = strcmp(items[i].name, last) == 0;
        last = items[i].name;
        if (twice && *items[i].path)
            items[i].name = items[i].path;
    }
    qsort(items, count, sizeof *items, compare_places);
}

/* Has all of them written by a function. */
static bool export_tensors(const Player *player, const char *path,
                           bool (*write)(const char *path, const NpzTensor *tensors,
                                         size_t count, Error *error),
                           Error *error) {
    const Tape *tape = player->lesson->tape;
    size_t nodes = tape_count(tape);
    Item *items = calloc(nodes + 1, sizeof *items);
    NpzTensor *tensors = calloc(nodes + 1, sizeof *tensors);
    bool *taken = calloc(nodes + 1, sizeof *taken);
    bool written = false;
    if (items && tensors && taken) {
        size_t count = collect_items(player, items, taken);
        distinguish(items, count);
        for (size_t i = 0; i < count; i++)
            tensors[i] =
                (NpzTensor){items[i].name, &tape_node(tape, items[i].node)->output};
        written = write(path, tensors, count, error);
    } else {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for '%s'", path);
    }
    free(items);
    free(tensors);
    free(taken);
    return written;
}

bool export_npz(const Player *player, const char *path, Error *error) {
    return export_tensors(player, path, npz_write, error);
}

/* ---- csv ---- */

/* Writes a name in quotes, because it may contain a comma. */
static void put_name(Writer *writer, const char *name) {
    writer_text(writer, "\"");
    for (const char *c = name; *c; c++)
        writer_put(writer, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    writer_text(writer, "\"");
}

static void put_cells(Writer *writer, const NpzTensor *from) {
    const Tensor *tensor = from->tensor;
    for (size_t row = 0; row < tensor->rows; row++) {
        for (size_t col = 0; col < tensor->cols; col++) {
            put_name(writer, from->name);
            writer_format(writer, ",%zu,%zu,%.17g\r\n", row, col,
                          tensor_at(tensor, row, col));
        }
    }
}

/* Source: RFC 4180. */
static bool csv_write(const char *path, const NpzTensor *tensors, size_t count,
                      Error *error) {
    Arena *arena = arena_create(CSV_MAX_MEMORY);
    Writer writer = {.arena = arena, .full = !arena};
    WholeFile file;
    whole_file_begin(&file, path);
    writer_text(&writer, "tensor,row,column,value\r\n");
    for (size_t i = 0; i < count && !writer.full; i++) {
        put_cells(&writer, &tensors[i]);
        whole_file_add(&file, writer.text, writer.length);
        writer.length = 0;
    }
    bool full = writer.full;
    arena_destroy(arena);
    if (!full)
        return whole_file_end(&file, error);
    whole_file_drop(&file);
    return error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for '%s'", path);
}

bool export_csv(const Player *player, const char *path, Error *error) {
    const Tape *tape = player->lesson->tape;
    double cells = 0;
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (!node->quiet)
            cells += (double)tensor_cells(&node->output);
    }
    return print_allowed(player->lesson->arena, cells, error) &&
           export_tensors(player, path, csv_write, error);
}
