#!/usr/bin/python3
"""Writes core/base/maths_tables.h: the constants of core/base/maths.c.

    /usr/bin/python3 tests/reference/maths_tables.py

Debian's package: python3-mpmath. Each constant is computed with 1500 bits (2/π needs over a
thousand) and rounded once to the doubles that are written.
"""
import pathlib

from mpmath import erf, exp, floor, log, mp, mpf, nint, pi, sqrt

mp.prec = 1500

STEPS = 128  # table rows an octave, of exp and of log
LOG_GRID = 42  # a logarithm's high part is a multiple of 2^-42, so that sums of them are exact
EXP_GRID = 42  # the same for ln 2 / 128; times a count of 18 bits it is still exact


def literal(value):
    return float(value).hex()


def pair(value):
    """The nearest double, and what is missing."""
    high = mpf(float(value))
    return high, mpf(float(value - high))


def on_grid(value, bits):
    """The nearest multiple of 2^-bits, and what is missing."""
    high = nint(value * 2**bits) / 2**bits
    return high, mpf(float(value - high))


lines = []


def scalar(name, parts, comment):
    lines.append(f"/* {comment} */")
    for part, value in zip(("HIGH", "LOW"), parts):
        lines.append(f"#define {name}_{part} {literal(value)}")
    lines.append("")


def table(comment, declaration, rows):
    lines.extend(f"{'/*' if i == 0 else ' *'} {line}" for i, line in enumerate(comment[:-1]))
    lines.append(f"{' *' if len(comment) > 1 else '/*'} {comment[-1]} */")
    lines.append(f"static const {declaration} = {{")
    lines.extend(f"    {row}," for row in rows)
    lines.append("};")
    lines.append("")


def braces(*values):
    return "{" + ", ".join(value if isinstance(value, str) else literal(value)
                           for value in values) + "}"


def log_row(i):
    """Of the numbers from 1 + i/128 to 1 + (i + 1)/128, halved where they are beyond √2."""
    middle = 1 + (mpf(i) + 0.5) / STEPS
    if i >= first_halved:
        middle /= 2
    inverse = nint(512 / middle) / 512
    if i in (0, STEPS - 1):
        inverse = mpf(1)
    return braces(inverse, braces(*on_grid(-log(inverse), LOG_GRID)))


first_halved = int((sqrt(2) - 1) * STEPS)

scalar("LN2", on_grid(log(2), LOG_GRID), "ln 2: the high part times an exponent is exact.")
scalar("EXP_STEP", on_grid(log(2) / STEPS, EXP_GRID), "ln 2 / 128.")
scalar("LOG10_E", pair(1 / log(10)), "1 / ln 10.")
scalar("HALF_PI", pair(pi / 2), "π / 2.")
scalar("ERF_SLOPE", pair(2 / sqrt(pi)), "2 / √π: the slope of erf at 0.")
lines.append(f"enum {{ STEPS = {STEPS}, LOG_FIRST_HALVED = {first_halved} }};")
lines.append("")

table(["2^(i / 128)."], "Pair exp_table[STEPS]",
      (braces(*pair(mpf(2) ** (mpf(i) / STEPS))) for i in range(STEPS)))

table(["Row i is of the numbers from 1 + i/128 to 1 + (i + 1)/128, halved from",
       "LOG_FIRST_HALVED on: the inverse of the middle one, in 10 bits, and minus that",
       "inverse's logarithm. Around 1 the inverse is 1."],
      "struct {\n    double inverse;\n    Pair log;\n} log_table[STEPS]",
      (log_row(i) for i in range(STEPS)))

WORDS = 20
digits = int(floor(2 / pi * 2 ** (64 * (WORDS - 1))))
words = [digits >> 64 * i & (2**64 - 1) for i in reversed(range(WORDS))]
table(["2 / π: 64 zeros in front of the point, then 1216 bits."],
      f"uint64_t two_over_pi[{WORDS}]",
      (", ".join(f"0x{word:016X}" for word in words[i:i + 4]) for i in range(0, WORDS, 4)))

ERF_FIRST, ERF_LAST = 8, 96
lines.append(f"enum {{ ERF_STEPS = 16, ERF_FIRST = {ERF_FIRST}, ERF_LAST = {ERF_LAST} }};")
lines.append("")
table(["Of c = (ERF_FIRST + i) / 16: erf(c), and its slope there, 2 / √π · e^(-c²)."],
      "struct {\n    Pair erf;\n    double slope;\n} erf_table[ERF_LAST - ERF_FIRST + 1]",
      (braces(braces(*pair(erf(c))), 2 / sqrt(pi) * exp(-c * c))
       for c in (mpf(k) / 16 for k in range(ERF_FIRST, ERF_LAST + 1))))

path = pathlib.Path(__file__).parents[2] / "core/base/maths_tables.h"
path.write_text("/* The constants of maths.c, which includes this behind its Pair. Written by\n"
                " * tests/reference/maths_tables.py. */\n"
                "#ifndef BASE_MATHS_TABLES_H\n#define BASE_MATHS_TABLES_H\n\n"
                + "\n".join(lines) + "\n#endif\n", encoding="utf-8")
