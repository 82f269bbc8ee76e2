#!/usr/bin/env python3
"""What Python's unicodedata says of every code point, for tests/test_letters.c.

    tests/reference/letters.py >tests/reference/letters.txt

Ranges of code points, in hexadecimal, by what BERT's tokenization.py does with them, and what
each letter becomes in lower case, decomposed and without its marks. `unassigned` are those that
this Unicode has no character at: a newer one may. `breaks` are scripts without blanks between
words, lines of which end anywhere; `joins` are scripts whose words stay whole."""

import sys
import unicodedata

CHINESE = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
           (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)]  # BasicTokenizer._is_chinese_char
# The property White_Space of PropList.txt.
SPACE = [*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000]
BREAKS = ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "HIRAGANA LETTER", "KATAKANA LETTER",
          "HANGUL SYLLABLE")
JOINS = ("LATIN SMALL LETTER", "LATIN CAPITAL LETTER", "GREEK SMALL LETTER", "GREEK CAPITAL LETTER",
         "CYRILLIC SMALL LETTER", "CYRILLIC CAPITAL LETTER", "ARABIC LETTER", "HEBREW LETTER")


def is_punctuation(c):
    return 33 <= c <= 47 or 58 <= c <= 64 or 91 <= c <= 96 or 123 <= c <= 126 \
        or unicodedata.category(chr(c)).startswith("P")


def is_blank(c):
    return chr(c) in "\t\n\r" or unicodedata.category(chr(c)) == "Zs"


def is_dropped(c):
    return c in (0, 0xFFFD) or not is_blank(c) and unicodedata.category(chr(c)) in ("Cc", "Cf")


def bare(c):
    """What is left of a letter: BERT's lower(), NFD, and no Mn."""
    return "".join(mark for mark in unicodedata.normalize("NFD", chr(c).lower()) if unicodedata.category(mark) != "Mn")


def named(c, names):
    return unicodedata.name(chr(c), "").startswith(names)


def print_ranges(name, chosen):
    ranges = []
    for c in chosen:
        if ranges and ranges[-1][1] == c - 1:
            ranges[-1][1] = c
        else:
            ranges.append([c, c])
    for first, last in ranges:
        print(f"{name} {first:x} {last:x}")


def main():
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    every = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
    there = [c for c in every if unicodedata.category(chr(c)) not in ("Cn", "Co")]
    print(f"# by tests/reference/letters.py, Unicode {unicodedata.unidata_version}")
    print_ranges("unassigned", [c for c in every if unicodedata.category(chr(c)) in ("Cn", "Co")])
    print_ranges("space", SPACE)
    print_ranges("punctuation", [c for c in there if is_punctuation(c)])
    print_ranges("chinese", [c for c in every if any(first <= c <= last for first, last in CHINESE)])
    print_ranges("dropped", [c for c in there if is_dropped(c)])
    print_ranges("blank", [c for c in there if is_blank(c)])
    print_ranges("mark", [c for c in there if not bare(c)])
    print_ranges("breaks", [c for c in there if named(c, BREAKS)])
    print_ranges("joins", [c for c in there if named(c, JOINS) and unicodedata.east_asian_width(chr(c)) != "F"])
    for c in there:
        left = bare(c)
        if left and left != chr(c) and not 0xAC00 <= c <= 0xD7A3:  # Hangul syllables are by a formula
            print(f"letter {c:x} {' '.join(f'{ord(part):x}' for part in left)}")


main()
