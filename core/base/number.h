/* Numbers as people read and as machines read them, whatever the locale. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Makes the calling thread write and read numbers with a point, here and in the libraries
 * it uses, whatever locale anyone sets for the program, as SDL does for a while. Each
 * thread begins with it. */
void number_take_point(void);

enum { NUMBER_SIZE = 32 }; /* bytes that hold any formatted number */

/* For people: fixed decimals (0…17), a true minus sign (U+2212), "∞" for infinity, "NaN"
 * for no number; what rounds to zero has no sign; from 1e7 on the form 1.2e9, or
 * 1e9. Returns `out`. */
const char *number_format(char out[NUMBER_SIZE], double value, int decimals);

/* As number_format, with the decimals the value needs: none for whole numbers, else at
 * most `decimals`, trailing zeros dropped. */
const char *number_format_short(char out[NUMBER_SIZE], double value, int decimals);

/* The same in full however large: "−999999999.293"; |value| below 1e17. */
const char *number_format_digits(char out[NUMBER_SIZE], double value, int decimals);

/* As number_format, but only 0 reads as zero, "0": what isn't and would is "≈0". */
const char *number_format_shortest(char out[NUMBER_SIZE], double value, int decimals);

/* As few digits as read back as the same number: "0.1", "1e-09", "inf", "-inf"; for
 * files and fields. Returns `out`. */
const char *number_write(char out[NUMBER_SIZE], double value);

/* Reads all of `text` as a decimal number, `inf` or `-inf`. False when it is anything
 * else, NaN, or beyond the doubles: too large, or not 0 and nearer to it than any. Then
 * *beyond, where given, is the end of a sentence, "is too large; …", else NULL. */
bool number_parse(const char *text, double *value, const char **beyond);

/* Digits behind the decimal point as written: "0.226" 3, "2" 0, "1e-3" 3, "1.5e2" 0. */
int number_decimals(const char *text);

#endif
