#include "files/files.h"

#include "base/json_watch.h"
#include "base/strings/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AT_ONCE = 4096 };

static _Thread_local bool was_short;

bool print_was_short(void) {
    return was_short;
}

/* ---- bytes ---- */

static bool print_bytes(FILE *stream, const char *text, size_t length) {
    size_t begun = 0; /* of what can be printed as it stands */
    for (size_t i = 0; i < length;) {
        size_t at = i;
        uint32_t c = utf8_next(text, length, &i);
        bool valid = i - at > 1 || (unsigned char)text[at] < 0x80;
        if (valid && !utf8_steers(c))
            continue;
        fwrite(text + begun, 1, at - begun, stream);
        fprintf(stream, valid ? "\\u%04x" : "\\x%02x",
                valid ? (unsigned)c : (unsigned)(unsigned char)text[at]);
        begun = i;
    }
    fwrite(text + begun, 1, length - begun, stream);
    return !ferror(stream);
}

void print_text(FILE *stream, const char *text) {
    print_bytes(stream, text, strlen(text));
}

/* ---- formats ---- */

static void print_arguments(FILE *stream, const char *format, va_list arguments) {
    char few[MOST_AT_ONCE];
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(few, sizeof few, format, arguments);
    char *text = length < MOST_AT_ONCE ? few : malloc((size_t)length + 1);
    if (length >= 0 && text) {
        if (text != few)
            vsnprintf(text, (size_t)length + 1, format, again);
        print_bytes(stream, text, (size_t)length);
    } else {
        was_short = true;
    }
    va_end(again);
    if (text != few)
        free(text);
}

void print(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_arguments(stdout, format, arguments);
    va_end(arguments);
}

void print_to(FILE *stream, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_arguments(stream, format, arguments);
    va_end(arguments);
}

/* ---- work ---- */

/* Operations that printing a number costs, about 300 nanoseconds. */
static const double NUMBER_COST = 1000;

bool print_allowed(const Arena *lesson, double numbers, Error *error) {
    Arena *work = arena_create(0);
    if (work)
        arena_allow(work, arena_allowed(lesson));
    bool allowed = work && arena_spend(work, ARENA_WORK_OUTPUT, NUMBER_COST * numbers);
    if (!allowed)
        arena_error(work, "there is no memory to print this lesson", error);
    arena_destroy(work);
    return allowed;
}

/* ---- JSON ---- */

/* jansson cuts between characters. */
static int print_piece(const char *piece, size_t length, void *stream) {
    return print_bytes(stream, piece, length) ? 0 : -1;
}

bool print_json(FILE *stream, json_t *value, size_t flags) {
    bool printed = value && !json_refused() &&
                   json_dump_callback(value, print_piece, stream, flags) == 0;
    json_decref(value);
    return printed;
}

json_t *json_number(double value) {
    if (isnan(value))
        return json_string("nan");
    if (isinf(value))
        return json_string(value > 0 ? "inf" : "-inf");
    return json_real(value);
}
