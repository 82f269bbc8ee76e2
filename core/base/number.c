#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No part of the program calls setlocale, so printf and strtod use the C locale's point.
 */

static const char *const MINUS = "\xE2\x88\x92";

/* Copies an ASCII number, its hyphens turned into minus signs. */
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

const char *number_format(char out[NUMBER_SIZE], double value, int decimals) {
    char ascii[NUMBER_SIZE];
    if (isnan(value))
        return strcpy(out, "NaN");
    if (isinf(value))
        return strcpy(out, value < 0 ? "\xE2\x88\x92\xE2\x88\x9E" : "\xE2\x88\x9E");
    double smallest = 0.5 * pow(10, -decimals);
    if (fabs(value) >= 1e7) {
        snprintf(ascii, sizeof ascii, "%.1e", value);
        return with_minus_signs(out, ascii);
    }
    if (fabs(value) < smallest)
        value = 0;
    snprintf(ascii, sizeof ascii, "%.*f", decimals, value);
    return with_minus_signs(out, ascii);
}

const char *number_format_short(char out[NUMBER_SIZE], double value, int decimals) {
    number_format(out, value, decimals);
    if (strchr(out, '.') && !strchr(out, 'e')) {
        size_t end = strlen(out);
        while (out[end - 1] == '0')
            end--;
        if (out[end - 1] == '.')
            end--;
        out[end] = 0;
    }
    return out;
}

bool number_parse(const char *text, double *value, bool *overflow) {
    if (overflow)
        *overflow = false;
    const char *digits = text + (*text == '-' || *text == '+');
    if (strcmp(digits, "inf") == 0 || strcmp(digits, ".inf") == 0) {
        *value = *text == '-' ? -INFINITY : INFINITY;
        return true;
    }
    if (!isdigit((unsigned char)*digits) && *digits != '.')
        return false;
    for (const char *c = digits; *c; c++) { /* no hexadecimal, no "nan(…)", no blanks */
        if (!isdigit((unsigned char)*c) && !strchr(".eE+-", *c))
            return false;
    }
    char *end = NULL;
    errno = 0;
    double parsed = strtod(text, &end);
    if (end == text || *end)
        return false;
    if (isinf(parsed)) {
        if (overflow)
            *overflow = true;
        return false;
    }
    *value = parsed;
    return true;
}

int number_decimals(const char *text) {
    int decimals = 0, exponent = 0;
    const char *point = strchr(text, '.');
    if (point) {
        while (isdigit((unsigned char)point[decimals + 1]))
            decimals++;
    }
    const char *e = strpbrk(text, "eE");
    if (e)
        exponent = atoi(e + 1);
    decimals -= exponent;
    return decimals < 0 ? 0 : decimals;
}
