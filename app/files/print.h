/* Printing, safe for terminals.
 *
 * Names of files and of a model's tensors, and words of lessons, come from other people,
 * and a terminal executes the control characters in them. Characters that control it
 * (utf8_steers) are printed as "\u001b", as in JSON and Python, and a byte that is not
 * UTF-8 as "\xff". Commands print everything through these functions, except their own
 * control sequences. */
#pragma once

#include "base/arena.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* printf to standard output, and to a stream. */
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_to(FILE *stream, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A text as it stands, without a line break. */
void print_text(FILE *stream, const char *text);

/* Prints a value, which may be NULL, and releases it. False when it is NULL, when
 * jansson had no memory for it (base/json_watch.h), or when the stream has an error. */
bool print_json(FILE *stream, json_t *value, size_t flags);

/* Reports whether so many numbers of a lesson may be printed at once. Printing has the
 * same limit of work as the lesson, in addition to it. ERROR_WORK, ERROR_MEMORY. */
bool print_allowed(const Arena *lesson, double numbers, Error *error);

/* True if there was no memory for a part of the output. */
bool print_was_short(void);
