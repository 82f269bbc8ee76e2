#!/usr/bin/env python3
"""Byte-pair encoding of bytes, written from its definition alone: the merges of
lessons/data/small-world.txt, and the IDs of some texts, for tests/test_byte_bpe.c.

    python3 tests/reference/byte_bpe.py > tests/reference/byte_bpe.txt
"""

import pathlib
import unicodedata

MERGES, FIRST = 500, 3

TEXTS = [
    "Tom has a red ball.", "tom HAS a ball", "小红有一只猫。", "你好 😀", "  two  blanks ",
    "tab\there\nline", "naïve café déjà", "3 apples, 42 eggs!?", "‮עברית العربية", "e\u0301 a\u0308",
    "👩‍👩‍👧", "Anna's unbelievable transformer", "␣ and <0x41>", "。，！", " 小 ", "x", "½²³ Ⅷ",
]


def sort_of(c):
    if c in " \t\n\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" or "\u2000" <= c <= "\u200a":
        return "space"
    o = ord(c)
    if any(a <= o <= b for a, b in [
            (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
            (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)]):
        return "chinese"
    return {"L": "letter", "M": "letter", "N": "digit"}.get(unicodedata.category(c)[0], "sign")


def words(text):
    at = 0
    while at < len(text):
        begin = at
        if text[at] == " " and at + 1 < len(text):
            at += 1
        sort = sort_of(text[at])
        if sort == "space":
            at = begin + 1
        else:
            at += 1
            while sort != "chinese" and at < len(text) and sort_of(text[at]) == sort:
                at += 1
        yield text[begin:at].encode()


def join(parts, pair):
    out = []
    for part in parts:
        if out and out[-1] is not None and (out[-1], part) == pair:
            out[-1] = None
            out.append(pair[0] + pair[1])
        else:
            out.append(part)
    return [part for part in out if part is not None]


def learn(text):
    counts = {}
    for word in words(text):
        counts[word] = counts.get(word, 0) + 1
    split = {word: [bytes([b]) for b in word] for word in counts}
    merges = []
    while len(merges) < MERGES:
        pairs = {}
        for word, count in counts.items():
            for pair in zip(split[word], split[word][1:]):
                pairs[pair] = pairs.get(pair, 0) + count
        best = max(pairs, key=pairs.get)  # of several the first
        merges.append(best)
        split = {word: join(parts, best) for word, parts in split.items()}
    return merges


def main():
    folder = pathlib.Path(__file__).resolve().parents[2] / "lessons" / "data"
    merges = learn((folder / "small-world.txt").read_text(encoding="utf-8"))
    ids = {bytes([b]): FIRST + b for b in range(256)}
    for left, right in merges:
        ids.setdefault(left + right, len(ids) + FIRST)
        print("merge", left.hex(), right.hex())
    for text in TEXTS:
        pieces = []
        for word in words(text):
            parts = [bytes([b]) for b in word]
            for merge in merges:
                parts = join(parts, merge)
            pieces += parts
        print("text", text.encode().hex(), *(ids[piece] for piece in pieces))


main()
