#include "files/files.h"

#include "base/strings/writer.h"
#include "lesson/content/content.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_MAX_MEMORY = 1 << 30 };

/* Numbers of a lesson, from which on a file can be abridged, and of a tensor in it. */
enum { ABRIDGED_LEAST = 100000, ABRIDGED_TENSOR = 10000 };

/* A tensor to be written, and the step that makes it. */
typedef struct Item {
    const char *name, *path;
    const Tensor *tensor;
    bool inside;  /* the result of an operation inside a step */
    size_t place; /* in the order of writing */
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

static void add_item(Item *items, size_t *count, bool *taken, size_t number,
                     const TapeNode *node, const char *path, bool inside) {
    if (taken[number])
        return;
    taken[number] = true;
    items[*count] =
        (Item){*node->name ? node->name : path, path, &node->output, inside, *count};
    ++*count;
}

/* Reports whether a step's tensor isn't the result of its statement. */
static bool is_inside(const Player *player, const PlayerStep *step) {
    const PlayerStep *at = step;
    while (at->parent != PLAYER_NONE)
        at = &player->steps[at->parent];
    return at->node != step->node;
}

static size_t collect_items(const Player *player, Item *items, bool *taken) {
    const Tape *tape = player->lesson->tape;
    size_t count = 0;
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (node->operation == OPERATION_GIVEN && !node->quiet)
            add_item(items, &count, taken, i, node, "", false);
    }
    for (size_t i = 0; i < player->step_count; i++) {
        const PlayerStep *step = &player->steps[i];
        bool computes = player->lesson->steps[step->statement].count > 0;
        if (!step->child_count && computes)
            add_item(items, &count, taken, step->node, tape_node(tape, step->node),
                     step->path, is_inside(player, step));
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

/* Removes what an abridged file leaves out; returns the number of the other items. */
static size_t abridge(Item *items, size_t count) {
    size_t kept = 0;
    double cells = 0;
    for (size_t i = 0; i < count; i++)
        cells += (double)tensor_cells(items[i].tensor);
    if (cells <= ABRIDGED_LEAST)
        return count;
    for (size_t i = 0; i < count; i++) {
        if (!items[i].inside && tensor_cells(items[i].tensor) <= ABRIDGED_TENSOR)
            items[kept++] = items[i];
    }
    return kept;
}

/* Writes the chosen tensors by a function. */
static bool export_tensors(const Player *player, const char *path, TensorChoice *choice,
                           bool (*write)(const char *path, const Item *items,
                                         size_t count, Error *error),
                           Error *error) {
    size_t nodes = tape_count(player->lesson->tape);
    Item *items = calloc(nodes + 1, sizeof *items);
    bool *taken = calloc(nodes + 1, sizeof *taken);
    bool written = false;
    if (items && taken) {
        size_t count = collect_items(player, items, taken);
        distinguish(items, count);
        size_t kept = choice->abridged ? abridge(items, count) : count;
        choice->left_out = count - kept;
        written = write(path, items, kept, error);
    } else {
        error_set(error, ERROR_MEMORY, 0, 0, "there is no memory for '%s'", path);
    }
    free(items);
    free(taken);
    return written;
}

/* ---- npz: a zip of .npy files, one per tensor, whose numbers are float64 ---- */

enum {
    NPY_ALIGNMENT = 64,
    NPY_HEADER_MAX = 256,
    PIECE = 1024 /* cells turned into bytes at once */
};

/* The header of a float64 matrix; blanks bring its length to the alignment. */
static size_t npy_header(char out[NPY_HEADER_MAX], const Tensor *tensor) {
    enum { MAGIC = 10 };
    int text = snprintf(out + MAGIC, NPY_HEADER_MAX - MAGIC,
                        "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %zu), }",
                        tensor->rows, tensor->cols);
    size_t end = MAGIC + (size_t)text + 1;
    size_t length = (end + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    memset(out + end - 1, ' ', length - end);
    out[length - 1] = '\n';
    memcpy(out, "\x93NUMPY\x01", 8); /* version 1.0, its zero included */
    out[8] = (char)((length - MAGIC) & 0xFF);
    out[9] = (char)((length - MAGIC) >> 8);
    return length;
}

/* Cells [first, first + count) as little-endian bytes; how many. */
static size_t cell_bytes(uint8_t out[8 * PIECE], const Tensor *tensor, size_t first,
                         size_t count) {
    Bytes bytes = {.data = out};
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &tensor->values[first + i], sizeof bits);
        bytes_put_little(&bytes, bits, 8);
    }
    return bytes.size;
}

/* Goes through a tensor's numbers: into the zip, or only their CRC-32 onto `crc`. */
static uint32_t each_cell(Zip *zip, const Tensor *tensor, uint32_t crc) {
    uint8_t piece[8 * PIECE];
    size_t cells = tensor_cells(tensor);
    for (size_t i = 0; i < cells; i += PIECE) {
        size_t size = cell_bytes(piece, tensor, i, cells - i < PIECE ? cells - i : PIECE);
        if (zip)
            zip_add(zip, piece, size);
        else
            crc = libdeflate_crc32(crc, piece, size);
    }
    return crc;
}

static void add_tensor(Zip *zip, const Item *item) {
    char header[NPY_HEADER_MAX];
    size_t header_length = npy_header(header, item->tensor);
    size_t size = header_length + 8 * tensor_cells(item->tensor);
    size_t name_size = strlen(item->name) + sizeof ".npy";
    char *name = malloc(name_size);
    zip->has_memory = zip->has_memory && name;
    if (zip->has_memory) {
        snprintf(name, name_size, "%s.npy", item->name);
        uint32_t crc = libdeflate_crc32(0, header, header_length);
        zip_begin_entry(zip, name, each_cell(NULL, item->tensor, crc), size);
        zip_add(zip, header, header_length);
        each_cell(zip, item->tensor, 0);
    }
    free(name);
}

/* Source: NumPy, numpy.lib.format. */
static bool npz_write(const char *path, const Item *items, size_t count, Error *error) {
    Zip zip;
    zip_begin(&zip, path);
    for (size_t i = 0; i < count && zip.has_memory && zip.fits; i++)
        add_tensor(&zip, &items[i]);
    return zip_end(&zip, error);
}

bool export_npz(const Player *player, const char *path, TensorChoice *choice,
                Error *error) {
    return export_tensors(player, path, choice, npz_write, error);
}

/* ---- csv ---- */

/* Writes a name in quotes, because it may contain a comma. */
static void put_name(Writer *writer, const char *name) {
    writer_text(writer, "\"");
    for (const char *c = name; *c; c++)
        writer_put(writer, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    writer_text(writer, "\"");
}

static void put_cells(Writer *writer, const Item *from) {
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
static bool csv_write(const char *path, const Item *items, size_t count, Error *error) {
    Arena *arena = arena_create(CSV_MAX_MEMORY);
    Writer writer = {.arena = arena, .full = !arena};
    WholeFile file;
    whole_file_begin(&file, path);
    writer_text(&writer, "tensor,row,column,value\r\n");
    for (size_t i = 0; i < count && !writer.full; i++) {
        put_cells(&writer, &items[i]);
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

bool export_csv(const Player *player, const char *path, TensorChoice *choice,
                Error *error) {
    const Tape *tape = player->lesson->tape;
    double cells = 0;
    for (size_t i = 0; i < tape_count(tape); i++) {
        const TapeNode *node = tape_node(tape, i);
        if (!node->quiet)
            cells += (double)tensor_cells(&node->output);
    }
    return print_allowed(player->lesson->arena, cells, error) &&
           export_tensors(player, path, choice, csv_write, error);
}
