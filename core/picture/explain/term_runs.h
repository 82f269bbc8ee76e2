/* Writes a term as a line of numbers: 1 × 0 + 1 × 1, e with its exponent, √(…). */
#pragma once

#include "picture/explain/runs.h"
#include "tensor/tape/tape.h"

enum { TERM_QUANTITIES_MAX = 6 };

typedef struct TermWriter {
    Runs *runs;
    const Tape *tape;
    size_t node; /* node of the explained cell; its inputs determine colours and links */
    size_t max_parts;    /* longer sums and lists keep their first and last parts */
    bool after_operator; /* the next number follows an operator */
    bool digits; /* large numbers are written in full, because small differences matter */
    bool shortened;        /* some parts were replaced by "…" */
    const Term *growing;   /* sum in progress, or NULL */
    size_t grown;          /* number of its parts computed so far */
    const Term *gap;       /* part drawn as a gap, "□", or NULL */
    size_t quantity_count; /* quantities found so far, each once */
    const Term *quantities[TERM_QUANTITIES_MAX];
} TermWriter;

/* Appends a term's numbers to the writer's runs. A quantity is written as its value and
 * collected in `quantities`, to be written out separately. */
void term_write(TermWriter *writer, const Term *term);

/* Reports whether a term is unknown because the sum that it depends on is in progress. */
bool term_is_unknown(const TermWriter *writer, const Term *term);

/* Text between a written term and its value: " = ", or " ≈ " if the written rounded
 * numbers give another last digit. For a shortened term the exact value counts. */
const char *term_equals(const TermWriter *writer, const Term *term, double value);

/* A number as written in a sum: at most three decimals, "1.0e9" for the very large,
 * unless they cancel: term_write then writes all their digits. */
const char *term_number_text(const Canvas *canvas, double value);

/* Value of a term with as many digits as its numbers. */
const char *term_value_text(const Canvas *canvas, const Term *term, double value);
