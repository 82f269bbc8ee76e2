#include "base/error.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void fill(Error *error, ErrorCode code, int line, int column, const char *format,
                 va_list arguments) {
    error->code = code;
    error->line = line;
    error->column = column;
    vsnprintf(error->message, sizeof error->message, format, arguments);
}

bool error_set(Error *error, ErrorCode code, int line, int column, const char *format,
               ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        fill(error, code, line, column, format, arguments);
        va_end(arguments);
    }
    return false;
}

bool error_list_add(ErrorList *list, ErrorCode code, int line, int column,
                    const char *format, ...) {
    Error error;
    va_list arguments;
    va_start(arguments, format);
    fill(&error, code, line, column, format, arguments);
    va_end(arguments);
    return error_list_append(list, &error, line, column);
}

/* Report whether the list has an error with a code, or one at a position. */
static bool has_code(const ErrorList *list, ErrorCode code) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].code == code)
            return true;
    }
    return false;
}

static bool has_place(const ErrorList *list, int line, int column) {
    for (size_t i = 0; i < list->count; i++) {
        if (column && list->items[i].line == line && list->items[i].column == column)
            return true;
    }
    return false;
}

bool error_list_append(ErrorList *list, const Error *error, int line, int column) {
    if (error->code == ERROR_WORK && has_code(list, ERROR_WORK))
        return false;
    if (error->line ? has_place(list, error->line, error->column)
                    : has_place(list, line, column))
        return false;
    if (list->count == ERROR_LIST_MAX) {
        list->dropped++;
        return false;
    }
    Error *item = &list->items[list->count++];
    *item = *error;
    if (item->line == 0) {
        item->line = line;
        item->column = column;
    }
    return false;
}

static int compare_positions(const void *left, const void *right) {
    const Error *a = left, *b = right;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

void error_list_print(const ErrorList *list, FILE *stream) {
    Error sorted[ERROR_LIST_MAX];
    memcpy(sorted, list->items, list->count * sizeof *sorted);
    qsort(sorted, list->count, sizeof *sorted, compare_positions);
    const char *file = list->file ? list->file : "glassformer";
    for (size_t i = 0; i < list->count; i++) {
        const Error *error = &sorted[i];
        if (error->line > 0)
            fprintf(stream, "%s:%d:%d: %s\n", file, error->line, error->column,
                    error->message);
        else
            fprintf(stream, "%s: %s\n", file, error->message);
    }
    if (list->dropped)
        fprintf(stream, "%s: and %zu more\n", file, list->dropped);
}

enum { NAME_MAX_LENGTH = 64 };

/* Optimal string alignment distance of two names: the number of letters to insert,
 * delete, replace or swap with their neighbour. Names have at most NAME_MAX_LENGTH
 * bytes. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    /* distances of prefixes of a, used in rotation */
    size_t rows[3][NAME_MAX_LENGTH + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t best = above[j - 1] + (a[i - 1] != b[j - 1]);
            size_t gap = (above[j] < row[j - 1] ? above[j] : row[j - 1]) + 1;
            best = gap < best ? gap : best;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && two_above[j - 2] + 1 < best)
                best = two_above[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[a_length % 3][b_length];
}

size_t error_shown_length(const char *sentence) {
    const char *near = strstr(sentence, " near ");
    return near ? (size_t)(near - sentence) : strlen(sentence);
}

const char *error_nearest(const char *name, const char *const *names, size_t count) {
    size_t length = strlen(name);
    if (length > NAME_MAX_LENGTH)
        return NULL;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(name, names[i]) == 0)
            return names[i];
    }
    size_t best = length < 3 ? 1 : length / 3;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]);
        if (other > NAME_MAX_LENGTH)
            continue;
        size_t d = distance(name, length, names[i], other);
        bool has_common_letters = d < (length > other ? length : other);
        if (d <= best && (!nearest || d < best) && has_common_letters) {
            best = d;
            nearest = names[i];
        }
    }
    return nearest;
}
