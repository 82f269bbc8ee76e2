/* Reading and writing numbers, for people and for machines, independent of the locale. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Makes the calling thread read and write numbers with a decimal point, also in
 * libraries, whatever the program's locale is; SDL changes it for a while. Each thread
 * calls it first. */
void number_take_point(void);

enum { NUMBER_SIZE = 32 }; /* bytes that hold any formatted number */

/* Formats a number for people: fixed decimals (0…17), a true minus sign (U+2212), "∞" for
 * infinity, "NaN"; numbers that round to zero have no sign; from 1e7 on as 1.2e9, or 1e9.
 * Returns `out`. */
const char *number_format(char out[NUMBER_SIZE], double value, int decimals);

/* number_format with as many decimals as the value needs: none for whole numbers, else at
 * most `decimals`, without trailing zeros. */
const char *number_format_short(char out[NUMBER_SIZE], double value, int decimals);

/* The same without exponent, however large: "−999999999.293"; |value| below 1e17. */
const char *number_format_digits(char out[NUMBER_SIZE], double value, int decimals);

/* number_format, but "0" only for zero: other numbers that round to zero are "≈0". */
const char *number_format_shortest(char out[NUMBER_SIZE], double value, int decimals);

/* Writes the fewest digits that read back as the same number: "0.1", "1e-09", "inf",
 * "-inf"; for files and input fields. Returns `out`. */
const char *number_write(char out[NUMBER_SIZE], double value);

/* Parses all of `text` as a decimal number, `inf` or `-inf`. False for anything else,
 * NaN, or numbers that overflow or underflow to 0; *beyond, unless NULL, is then the end
 * of a message, "is too large; …", else NULL. */
bool number_parse(const char *text, double *value, const char **beyond);

/* Returns the digits behind the decimal point as written: "0.226" 3, "2" 0, "1e-3" 3,
 * "1.5e2" 0. */
int number_decimals(const char *text);
