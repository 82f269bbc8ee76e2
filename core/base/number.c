#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DECIMALS = 17, MAX_EXPONENT = 400 };

static const char *const MINUS = "\xE2\x88\x92";

/* The C locale is created once and never freed. */
void number_take_point(void) {
    locale_t point = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (point)
        uselocale(point);
}

/* Copies an ASCII number, replacing hyphens by minus signs. */
static const char *with_minus_signs(char out[NUMBER_SIZE], const char *ascii) {
    size_t length = 0;
    for (; *ascii && length + 4 < NUMBER_SIZE; ascii++) {
        if (*ascii == '-') {
            memcpy(out + length, MINUS, 3);
            length += 3;
        } else {
            out[length++] = *ascii;
        }
    }
    out[length] = 0;
    return out;
}

/* A finite number with all decimals; zero has no minus sign. */
static const char *with_decimals(char out[NUMBER_SIZE], double value, int decimals) {
    char ascii[NUMBER_SIZE];
    decimals = decimals < 0 ? 0 : decimals > MAX_DECIMALS ? MAX_DECIMALS : decimals;
    snprintf(ascii, sizeof ascii, "%.*f", decimals, value);
    bool is_zero = !strpbrk(ascii, "123456789");
    return with_minus_signs(out, ascii + (is_zero && ascii[0] == '-'));
}

/* Removes trailing zeros of the decimals, and a trailing point. */
static const char *without_zeros(char out[NUMBER_SIZE]) {
    if (strchr(out, '.')) {
        char *power = strchr(out, 'e'), *rest = power ? power : out + strlen(out);
        char *end = rest;
        while (end[-1] == '0')
            end--;
        if (end[-1] == '.')
            end--;
        memmove(end, rest, strlen(rest) + 1);
    }
    return out;
}

const char *number_format(char out[NUMBER_SIZE], double value, int decimals) {
    char ascii[NUMBER_SIZE];
    if (isnan(value))
        return strcpy(out, "NaN");
    if (isinf(value))
        return strcpy(out, value < 0 ? "\xE2\x88\x92\xE2\x88\x9E" : "\xE2\x88\x9E");
    if (fabs(value) >= 1e7) {
        snprintf(ascii, sizeof ascii, "%.1e", value);
        char *exponent = strchr(ascii, 'e') + 1; /* "+09" */
        snprintf(exponent, (size_t)(ascii + sizeof ascii - exponent), "%d",
                 atoi(exponent));
        with_minus_signs(out, ascii);
        return without_zeros(out);
    }
    return with_decimals(out, value, decimals);
}

const char *number_format_short(char out[NUMBER_SIZE], double value, int decimals) {
    number_format(out, value, decimals);
    return without_zeros(out);
}

const char *number_format_digits(char out[NUMBER_SIZE], double value, int decimals) {
    with_decimals(out, value, decimals);
    return without_zeros(out);
}

const char *number_format_shortest(char out[NUMBER_SIZE], double value, int decimals) {
    if (value == 0)
        return strcpy(out, "0");
    number_format(out, value, decimals);
    bool reads_as_zero = isfinite(value) && !strpbrk(out, "123456789");
    return reads_as_zero ? strcpy(out, "\xE2\x89\x88"
                                       "0")
                         : out;
}

const char *number_write(char out[NUMBER_SIZE], double value) {
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(out, NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
    return out;
}

bool number_parse(const char *text, double *value, const char **beyond) {
    const char *unused;
    beyond = beyond ? beyond : &unused;
    *beyond = NULL;
    const char *digits = text + (*text == '-' || *text == '+');
    if (strcmp(digits, "inf") == 0 || strcmp(digits, ".inf") == 0) {
        *value = *text == '-' ? -INFINITY : INFINITY;
        return true;
    }
    if (!isdigit((unsigned char)*digits) && *digits != '.')
        return false;
    for (const char *c = digits; *c; c++) { /* rejects hexadecimal, "nan(…)" and blanks */
        if (!isdigit((unsigned char)*c) && !strchr(".eE+-", *c))
            return false;
    }
    char *end = NULL;
    errno = 0;
    double parsed = strtod(text, &end);
    if (end == text || *end)
        return false;
    if (isinf(parsed))
        *beyond = "is too large; the largest number is about 1.8e308";
    else if (parsed == 0 && strcspn(digits, "123456789") < strcspn(digits, "eE"))
        *beyond = "is too small; the smallest number above 0 is about 4.9e-324";
    if (*beyond)
        return false;
    *value = parsed;
    return true;
}

int number_decimals(const char *text) {
    long decimals = 0, exponent = 0;
    const char *point = strchr(text, '.');
    if (point) {
        while (decimals < MAX_EXPONENT && isdigit((unsigned char)point[decimals + 1]))
            decimals++;
    }
    const char *e = strpbrk(text, "eE");
    if (e)
        exponent = strtol(e + 1, NULL, 10);
    /* No double exceeds ±MAX_EXPONENT, whatever the text's exponent is. */
    exponent = exponent < -MAX_EXPONENT  ? -MAX_EXPONENT
               : exponent > MAX_EXPONENT ? MAX_EXPONENT
                                         : exponent;
    return decimals > exponent ? (int)(decimals - exponent) : 0;
}
