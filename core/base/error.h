/* What went wrong, where, and what would be right.
 *
 * The one error idiom: a function that can fail returns bool (or NULL) and fills an Error
 * of the caller's. A message is a sentence for the person who wrote the lesson or typed
 * the command; it says what is wrong and, after a semicolon or comma, what would be
 * right. ErrorList collects several, so that a file is reported on whole. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

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
    ERROR_VALUE,    /* a number or text that can't stand here */
    ERROR_WORK,     /* more work than a lesson may take (base/arena.h) */
    ERROR_LIMIT,    /* larger, deeper or longer than the stated limits */
    ERROR_USAGE     /* the command line */
} ErrorCode;

enum { ERROR_MESSAGE_SIZE = 400, ERROR_LIST_MAX = 32 };

typedef struct Error {
    ErrorCode code;
    int line, column; /* both from 1; 0 when there is no place to point at */
    char message[ERROR_MESSAGE_SIZE];
} Error;

typedef struct ErrorList {
    const char *file; /* as the user named it; borrowed */
    size_t count;     /* errors kept in items */
    size_t dropped;   /* errors past ERROR_LIST_MAX, counted only */
    Error items[ERROR_LIST_MAX];
} ErrorList;

/* Fills *error (NULL is fine) and returns false, so that `return error_set(…)` fails. */
bool error_set(Error *error, ErrorCode code, int line, int column, const char *format,
               ...) __attribute__((format(printf, 5, 6)));

/* Appends an error and returns false. A place has one error, the first, because what is
 * wrong there later follows from it. ERROR_WORK is kept once: all that follows fails,
 * too.
 */
bool error_list_add(ErrorList *list, ErrorCode code, int line, int column,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Appends a copy of `error` and returns false. An error without a place takes the given.
 */
bool error_list_append(ErrorList *list, const Error *error, int line, int column);

/* Writes each error as `FILE:LINE:COLUMN: message`, in the order of their places. */
void error_list_print(const ErrorList *list, FILE *stream);

/* How much of a sentence of jansson's tells what is wrong, and not what stands there:
 * that may be of another file altogether. */
size_t error_shown_length(const char *sentence);

/* The one of `count` names that is nearest to `name` (at most a third of its letters
 * differ, or one of a short name's), or NULL. For "unknown name 'Qq'; did you mean 'Q'?".
 * Borrowed. */
const char *error_nearest(const char *name, const char *const *names, size_t count);

#endif
