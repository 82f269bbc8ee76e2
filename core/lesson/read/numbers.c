#include "lesson/read/reader.h"

#include "base/number.h"
#include "base/random.h"
#include "lesson/schema/schema.h"

#include <math.h>
#include <string.h>

/* The matrix of numbers being read from the file. */
typedef struct Matrix {
    const char *what; /* "X", "printed" */
    size_t rows, cols;
    double *values;
    /* digits behind the point, only for printed numbers; `_` is then a cell */
    int *decimals;
} Matrix;

/* Checks a row's numbers. A row with a sign other than a comma between them has too few,
 * one of them invalid. */
static bool see_numbers(const YamlNode *row, const Matrix *matrix, ErrorList *errors) {
    double number;
    for (const YamlNode *item = row->first; item; item = item->next) {
        if (item->kind == YAML_SCALAR && strstr(item->text, "\xEF\xBC\x8C"))
            return field_number(item, matrix->what, &number, errors);
    }
    return true;
}

/* Checks that the node is a number, a list or a list of equally long lists, and measures
 * it. */
static bool measure(const YamlNode *node, Matrix *matrix, ErrorList *errors) {
    matrix->rows = matrix->cols = 1;
    if (node->kind == YAML_SCALAR)
        return true;
    if (node->kind == YAML_MAPPING || !node->count)
        return yaml_error(errors, ERROR_VALUE, node,
                          "%s needs numbers: 2, [1, 2] or [[1, 2], [3, 4]]",
                          matrix->what);
    if (node->first->kind == YAML_SCALAR) {
        matrix->cols = node->count;
        return true;
    }
    matrix->rows = node->count;
    matrix->cols = node->first->count;
    size_t row = 0;
    for (const YamlNode *item = node->first; item; item = item->next, row++) {
        if (item->kind != YAML_SEQUENCE || !item->count)
            return yaml_error(errors, ERROR_VALUE, item,
                              "row %zu of %s must be a list of numbers, as the first "
                              "row is",
                              row + 1, matrix->what);
        if (item->count != matrix->cols)
            return see_numbers(node->first, matrix, errors) &&
                   see_numbers(item, matrix, errors) &&
                   yaml_error(errors, ERROR_SHAPE, item,
                              "row %zu of %s has %zu number%s, but row 1 has %zu; all "
                              "rows are equally long",
                              row + 1, matrix->what, item->count,
                              item->count == 1 ? "" : "s", matrix->cols);
    }
    return true;
}

static bool read_cell(const YamlNode *node, Matrix *matrix, size_t cell,
                      ErrorList *errors) {
    if (node->kind != YAML_SCALAR)
        return yaml_error(errors, ERROR_VALUE, node,
                          "a list stands where a number of %s should; a tensor is one "
                          "list of rows, and a row a list of numbers",
                          matrix->what);
    bool blank = strcmp(node->text, "_") == 0 || strcmp(node->text, "~") == 0;
    if (matrix->decimals && blank) {
        matrix->values[cell] = NAN;
        return true;
    }
    if (matrix->decimals)
        matrix->decimals[cell] = number_decimals(node->text);
    return field_number(node, matrix->what, &matrix->values[cell], errors);
}

static bool read_row(const YamlNode *row, Matrix *matrix, size_t *cell,
                     ErrorList *errors) {
    bool good = true;
    for (const YamlNode *item = row->first; item; item = item->next)
        good &= read_cell(item, matrix, (*cell)++, errors);
    return good;
}

static bool read_cells(const YamlNode *node, Matrix *matrix, ErrorList *errors) {
    size_t cell = 0;
    if (node->kind == YAML_SCALAR)
        return read_cell(node, matrix, 0, errors);
    if (node->first->kind == YAML_SCALAR)
        return read_row(node, matrix, &cell, errors);
    bool good = true;
    for (const YamlNode *row = node->first; row; row = row->next)
        good &= read_row(row, matrix, &cell, errors);
    return good;
}

static bool read_matrix(Arena *arena, const YamlNode *node, Matrix *matrix, bool printed,
                        ErrorList *errors) {
    if (!measure(node, matrix, errors))
        return false;
    size_t cells = matrix->rows * matrix->cols;
    matrix->values = arena_alloc(arena, cells, sizeof *matrix->values);
    if (printed)
        matrix->decimals = arena_alloc(arena, cells, sizeof *matrix->decimals);
    return read_cells(node, matrix, errors);
}

/* Draws {random: [rows, cols], seed: N, scale: S}. */
static bool draw(Arena *arena, const GivenSpec *spec, Tensor *tensor, ErrorList *errors) {
    const YamlNode *at = schema_lookup(&spec->place, "random");
    size_t rows = spec->size[0], cols = spec->size[1], cells = 0;
    if (__builtin_mul_overflow(rows, cols, &cells) || cells > TENSOR_MAX_CELLS)
        return yaml_error(errors, ERROR_LIMIT, at,
                          "a tensor of [%zu,%zu] is too large; the limit is %d cells",
                          rows, cols, TENSOR_MAX_CELLS);
    *tensor = (Tensor){.rows = rows, .cols = cols};
    tensor->values = arena_alloc(arena, cells, sizeof *tensor->values);
    Random random;
    arena_spend(arena, ARENA_WORK_RANDOM, RANDOM_COST * (double)cells);
    random_init(&random, spec->seed);
    for (size_t i = 0; i < cells; i++)
        tensor->values[i] = spec->scale * random_normal(&random);
    return true;
}

bool numbers_read(Arena *arena, const GivenSpec *spec, const char *name, Tensor *tensor,
                  ErrorList *errors) {
    const YamlNode *node = spec->place.node;
    *tensor = (Tensor){0};
    if (node->kind == YAML_MAPPING)
        return draw(arena, spec, tensor, errors);
    Matrix matrix = {.what = name};
    if (!read_matrix(arena, node, &matrix, false, errors))
        return false;
    *tensor = (Tensor){.rows = matrix.rows, .cols = matrix.cols, .values = matrix.values};
    return true;
}

const LessonPrinted *numbers_read_printed(Arena *arena, const YamlNode *node,
                                          ErrorList *errors) {
    Matrix matrix = {.what = "printed"};
    if (!read_matrix(arena, node, &matrix, true, errors))
        return NULL;
    LessonPrinted *printed = arena_alloc(arena, 1, sizeof *printed);
    printed->values =
        (Tensor){.rows = matrix.rows, .cols = matrix.cols, .values = matrix.values};
    printed->decimals = matrix.decimals;
    return printed;
}
