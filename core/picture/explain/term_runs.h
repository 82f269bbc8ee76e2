/* A term as a line of numbers: 1 × 0 + 1 × 1, e with its exponent, √(…). */
#ifndef PICTURE_TERM_RUNS_H
#define PICTURE_TERM_RUNS_H

#include "picture/explain/runs.h"
#include "tensor/tape/tape.h"

enum { TERM_QUANTITIES_MAX = 6 };

typedef struct TermWriter {
    Runs *runs;
    const Tape *tape;
    size_t node;         /* whose cell is explained; colours and links go by its inputs */
    size_t max_parts;    /* longer sums and lists keep their first and last parts */
    bool after_operator; /* the next number stands right behind a sign */
    bool digits;         /* large numbers are written in full: so much depends on them */
    bool shortened;      /* some parts were left out behind "…" */
    const Term *growing; /* a sum that is being added up, or NULL: so far it has … */
    size_t grown;        /* … so many of its parts */
    const Term *gap;     /* a part that is left open, "□", or NULL */
    size_t quantity_count; /* quantities met on the way, each once */
    const Term *quantities[TERM_QUANTITIES_MAX];
} TermWriter;

/* Appends a term's numbers to the writer's runs. A quantity appears as its value and is
 * noted in `quantities`, to be written out on its own. */
void term_write(TermWriter *writer, const Term *term);

/* Whether a term isn't known yet: the sum that it stands on is still being added up. */
bool term_is_unknown(const TermWriter *writer, const Term *term);

/* What comes between a term as it is written and its value: " = ", or " ≈ " where who
 * reckons with the rounded numbers that are written gets another last digit. Of a
 * shortened term nobody can tell. */
const char *term_equals(const TermWriter *writer, const Term *term, double value);

/* How a number is written in a sum: at most three decimals, "1.0e9" for the very large,
 * unless they take each other away: term_write then gives all their digits. */
const char *term_number_text(const Canvas *canvas, double value);

/* What a term comes to, with as many digits as stand in it. */
const char *term_value_text(const Canvas *canvas, const Term *term, double value);

#endif
