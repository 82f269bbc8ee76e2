/* Errors: what is wrong, where, and what would be right.
 *
 * The one error idiom: a function that can fail returns bool (or NULL) and fills an Error
 * of the caller's. A message is a sentence for the author of the lesson or the user of
 * the command line; it states what is wrong and, after a semicolon or comma, what would
 * be right. ErrorList collects several, so that one run reports all errors of a file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum ErrorCode {
    ERROR_NONE,
    ERROR_MEMORY,   /* no memory, or more than a lesson may use */
    ERROR_FILE,     /* a file can't be read or written */
    ERROR_ENCODING, /* not UTF-8 */
    ERROR_SYNTAX,   /* not YAML, or not an expression */
    ERROR_NAME,     /* an unknown or repeated name or key */
    ERROR_SHAPE,    /* sizes that don't fit together */
    ERROR_VALUE,    /* a number or text that is not allowed */
    ERROR_WORK,     /* more work than allowed (base/arena.h) */
    ERROR_LIMIT,    /* larger, deeper or longer than the stated limits */
    ERROR_USAGE     /* the command line */
} ErrorCode;

enum { ERROR_MESSAGE_SIZE = 400, ERROR_LIST_MAX = 32 };

typedef struct Error {
    ErrorCode code;
    int line, column; /* both from 1; 0 if there is no position */
    char message[ERROR_MESSAGE_SIZE];
} Error;

typedef struct ErrorList {
    const char *file; /* as the user named it; borrowed */
    size_t count;     /* number of items */
    size_t dropped;   /* number of errors past ERROR_LIST_MAX */
    Error items[ERROR_LIST_MAX];
} ErrorList;

/* Fills *error (NULL is fine) and returns false, so that `return error_set(…)` fails. */
bool error_set(Error *error, ErrorCode code, int line, int column, const char *format,
               ...) __attribute__((format(printf, 5, 6)));

/* Appends an error and returns false. Only the first error at a position is kept, because
 * later ones follow from it; only the first ERROR_WORK is, because everything after it
 * fails. */
bool error_list_add(ErrorList *list, ErrorCode code, int line, int column,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Appends a copy of `error` and returns false. The position given is used if it has
 * none. */
bool error_list_append(ErrorList *list, const Error *error, int line, int column);

/* Writes each error as `FILE:LINE:COLUMN: message`, ordered by position. */
void error_list_print(const ErrorList *list, FILE *stream);

/* Returns the length of the part of a jansson message that states the problem without
 * quoting the file, which may be one that must not be disclosed. */
size_t error_shown_length(const char *sentence);

/* Returns the nearest of `count` names to `name`, borrowed; NULL if none is near: one
 * that differs in case only, or else in at most a third of its letters, or in one of a
 * short name's. For "unknown name 'Qq'; did you mean 'Q'?". */
const char *error_nearest(const char *name, const char *const *names, size_t count);
