#!/usr/bin/python3
"""Writes tokenizer_json/*.json and tokenizer_json.txt: small tokenizer.json files as the
library `tokenizers` has them for GPT-2, LLaMA and BERT, and the IDs of some texts.

Written from the published algorithms, in Python's own Unicode and `re`: byte-level BPE
(openai/gpt-2, encoder.py), BPE with bytes to fall back on (LLaMA), with a mark behind words
(GPT-1, CLIP), WordPiece (google-research/bert, tokenization.py), whole words.
Only characters assigned in Unicode 14 are used.
Run it beside the files: /usr/bin/python3 tokenizer_json.py [TEXTS [SEED [FOLDER]]]

    file NAME       the texts that follow are cut by tokenizer_json/NAME.json
    text HEX ID …   a text's bytes, and its IDs
"""
import json
import os
import pathlib
import random
import re
import sys
import unicodedata

TEXTS = int(sys.argv[1]) if len(sys.argv) > 1 else 60
rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 12)
HERE = pathlib.Path(__file__).resolve().parent
FOLDER = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else HERE
CORPUS = (HERE.parents[1] / "lessons" / "data" / "small-world.txt").read_text(encoding="utf-8")
assert unicodedata.unidata_version == "14.0.0"

# ---- classes of characters ----


def ranges(test):
    """The inside of a class of `re` with every character that passes."""
    made, begin = [], None
    for c in range(0x110001):
        if c < 0x110000 and test(chr(c)):
            begin = c if begin is None else begin
        elif begin is not None:
            made.append(rf"\U{begin:08x}-\U{c - 1:08x}")
            begin = None
    return "".join(made)


def category(letter):
    return ranges(lambda c: unicodedata.category(c).startswith(letter))


SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B)))
L, N = category("L"), category("N")
S = "".join(rf"\U{ord(c):08x}" for c in SPACES)
GPT2 = re.compile(rf"'s|'t|'re|'ve|'m|'ll|'d| ?[{L}]+| ?[{N}]+| ?[^{S}{L}{N}]+|[{S}]+(?![^{S}])|[{S}]+")
LLAMA3 = re.compile(
    rf"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n{L}{N}]?[{L}]+|[{N}]{{1,3}}| ?[^{S}{L}{N}]+[\r\n]*"
    rf"|[{S}]*[\r\n]+|[{S}]+(?![^{S}])|[{S}]+")
LLAMA3_WRITTEN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
                  r"|\s*[\r\n]+|\s+(?!\S)|\s+")


def is_mark(c):
    o = ord(c)
    return (33 <= o <= 47 or 58 <= o <= 64 or 91 <= o <= 96 or 123 <= o <= 126
            or unicodedata.category(c)[0] == "P")


def is_chinese(c):
    o = ord(c)
    return any(a <= o <= b for a, b in [
        (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
        (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)])


def lower(text):
    """Letter by letter, as Rust's char::to_lowercase."""
    return "".join(c.lower() for c in text)


# ---- models ----


def alphabet():
    seen = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    table, extra = {b: chr(b) for b in seen}, 0
    for b in range(256):
        if b not in table:
            table[b] = chr(256 + extra)
            extra += 1
    return table


BYTES = alphabet()


def as_bytes(text):
    return "".join(BYTES[b] for b in text.encode())


def learn(words, count):
    """Merges of words that are lists of symbols."""
    counts = {}
    for word in words:
        counts[tuple(word)] = counts.get(tuple(word), 0) + 1
    merges = []
    for _ in range(count):
        pairs = {}
        for word, n in counts.items():
            for pair in zip(word, word[1:]):
                pairs[pair] = pairs.get(pair, 0) + n
        best = max(pairs, key=pairs.get)
        merges.append(best)
        joined = {}
        for word, n in counts.items():
            joined[tuple(join(list(word), best))] = n
        counts = joined
    return merges


def join(parts, pair):
    out, at = [], 0
    while at < len(parts):
        if tuple(parts[at:at + 2]) == tuple(pair):
            out.append(parts[at] + parts[at + 1])
            at += 2
        else:
            out.append(parts[at])
            at += 1
    return out


def bpe(parts, ranks):
    while len(parts) > 1:
        best = min(zip(parts, parts[1:]), key=lambda pair: ranks.get(pair, 1e9))
        if best not in ranks:
            break
        # the first place only: what it makes may come before its other places
        at = list(zip(parts, parts[1:])).index(best)
        parts = parts[:at] + [parts[at] + parts[at + 1]] + parts[at + 2:]
    return parts


def wordpiece(word, vocab, most):
    if len(word) > most:
        return ["[UNK]"]
    out, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                break
        else:
            return ["[UNK]"]
        out.append(piece)
        start = end
    return out


# ---- files ----


def added(entries):
    return [{"id": i, "content": t, "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": False, "special": True, **more} for i, t, more in entries]


def template(before, behind, ids):
    item = [{"SpecialToken": {"id": t, "type_id": 0}} for t in before]
    item += [{"Sequence": {"id": "A", "type_id": 0}}]
    item += [{"SpecialToken": {"id": t, "type_id": 0}} for t in behind]
    return {"type": "TemplateProcessing", "single": item,
            "pair": item + [{"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {t: {"id": t, "ids": [ids[t]], "tokens": [t]}
                               for t in before + behind}}


def whole(tokens, normalizer, words, model, decoder, processor=None):
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": tokens,
            "normalizer": normalizer, "pre_tokenizer": words, "post_processor": processor,
            "decoder": decoder, "model": model}


def plain(text):
    return text


class File:
    """A file, and what it does: cut(words of a part without added tokens)."""

    def __init__(self, name, content, cut, frame=((), ())):
        self.name, self.content, self.cut, self.frame = name, content, cut, frame
        self.ids = dict(content["model"]["vocab"])
        self.ids.update({t["content"]: t["id"] for t in content["added_tokens"]})
        self.added = {t["content"]: t for t in content["added_tokens"]}

    def parts(self, text):
        """(added token, None) and (None, text) in order; the longest first."""
        begin = at = 0
        while at < len(text):
            here = [t for t in self.added if text.startswith(t, at)]
            if not here:
                at += 1
                continue
            token = self.added[max(here, key=len)]
            from_, to = at, at + len(token["content"])
            at = to
            word = re.compile(r"\w")
            if token["single_word"] and (from_ and word.match(text[from_ - 1])
                                         or to < len(text) and word.match(text[to])):
                continue
            while token["lstrip"] and from_ > begin and text[from_ - 1] in SPACES:
                from_ -= 1
            while token["rstrip"] and to < len(text) and text[to] in SPACES:
                to += 1
            yield None, text[begin:from_], begin
            yield token["id"], None, from_
            begin = at = to
        yield None, text[begin:], begin

    def encode(self, text):
        out = [self.ids[t] for t in self.frame[0]]
        for token, part, begin in self.parts(text):
            if token is not None:
                out.append(token)
            elif part:
                out += [self.ids[piece] for piece in self.cut(part, begin)]
        return out + [self.ids[t] for t in self.frame[1]]


def gpt2():
    merges = learn([list(as_bytes(w)) for w in GPT2.findall(CORPUS)], 150)
    vocab = {c: i for i, c in enumerate(sorted(BYTES.values(), key=ord))}
    for pair in merges:
        vocab.setdefault("".join(pair), len(vocab))
    end = len(vocab)
    vocab["<|endoftext|>"] = end
    ranks = {tuple(pair): i for i, pair in enumerate(merges)}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    content = whole(
        added([(end, "<|endoftext|>", {"normalized": True})]), None, level,
        {"dropout": None, "unk_token": "", "continuing_subword_prefix": "",
         "end_of_word_suffix": "", "fuse_unk": False, "vocab": vocab,
         "merges": [" ".join(pair) for pair in merges]}, level,
        {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False})
    return File("gpt2", content, lambda part, _: [
        piece for word in GPT2.findall(part) for piece in bpe(list(as_bytes(word)), ranks)])


def llama3():
    merges = learn([list(as_bytes(w)) for w in LLAMA3.findall(CORPUS)], 120)
    vocab = {c: i for i, c in enumerate(BYTES[b] for b in range(256))}
    for pair in merges:
        vocab.setdefault("".join(pair), len(vocab))
    vocab["Ġsmaller"] = len(vocab)  # no merge makes it: a word that is a token is not cut
    ranks = {tuple(pair): i for i, pair in enumerate(merges)}
    names = ["<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>"]
    names += [f"<|reserved_special_token_{i}|>" for i in range(9)]
    tokens = [(len(vocab) + i, name, {}) for i, name in enumerate(names)]
    split = {"type": "Split", "pattern": {"Regex": LLAMA3_WRITTEN}, "behavior": "Isolated",
             "invert": False}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True,
             "use_regex": False}
    content = whole(
        added(tokens), {"type": "NFC"}, {"type": "Sequence", "pretokenizers": [split, level]},
        {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
         "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
         "ignore_merges": True, "vocab": vocab, "merges": [list(pair) for pair in merges]},
        {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        {"type": "Sequence", "processors": [
            {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False,
             "use_regex": True},
            template(["<|begin_of_text|>"], [], {"<|begin_of_text|>": len(vocab)})]})

    def cut(part, _):
        for word in LLAMA3.findall(unicodedata.normalize("NFC", part)):  # as Qwen's has it
            word = as_bytes(word)
            yield from [word] if word in vocab else bpe(list(word), ranks)
    return File("llama3", content, cut, (("<|begin_of_text|>",), ()))


def llama(name, metaspace):
    """LLaMA 2: blanks are ▁, what has no letter is its bytes; with `metaspace` as later files
    have it, in Unicode's form NFKC."""
    def blanks(text):
        return text.replace(" ", "▁")
    merges = learn([list(blanks(" " + line)) for line in CORPUS.split("\n")], 120)
    names = ["<unk>", "<s>", "</s>"]
    vocab = {t: i for i, t in enumerate(names + [f"<0x{b:02X}>" for b in range(256)])}
    for pair in merges:
        vocab.setdefault("".join(pair), len(vocab))
    for c in sorted(set(blanks(CORPUS))):
        if c != "\n":
            vocab.setdefault(c, len(vocab))
    ranks = {tuple(pair): i for i, pair in enumerate(merges)}
    if metaspace:  # some bytes have no token: the unknown token, one for each run
        del vocab["<0xF0>"]
    normalizer = {"type": "NFKC"} if metaspace else {"type": "Sequence", "normalizers": [
        {"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]}
    words = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first",
             "split": True} if metaspace else None
    content = whole(
        added([(i, t, {}) for i, t in enumerate(names)]), normalizer, words,
        {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
         "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True, "vocab": vocab,
         "merges": [" ".join(pair) for pair in merges]},
        {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"}]},
        template(["<s>"], [], vocab))

    def spell(word):
        """As the library does it, the unknown token waits for the next letter that has one."""
        parts, unknown = [], []
        for c in word:
            spelt = [f"<0x{b:02X}>" for b in c.encode()]
            if c in vocab:
                parts += unknown + [c]
                unknown = []
            elif all(b in vocab for b in spelt):
                parts += spelt
            else:
                unknown = ["<unk>"]
        return bpe(parts + unknown, ranks)

    def cut(part, begin):
        if not metaspace:
            return spell("▁" + blanks(part))
        text = blanks(unicodedata.normalize("NFKC", part))
        if begin == 0 and not text.startswith("▁"):
            text = "▁" + text
        return [piece for word in re.findall("▁?[^▁]+|▁", text) for piece in spell(word)]
    return File(name, content, cut, (("<s>",), ()))


def clip():
    """BPE with a mark behind words, of small letters; the library's older form."""
    words = [w for w in re.findall(r"\w+|[^\w\s]+", CORPUS.lower())]
    merges = learn([list(w[:-1]) + [w[-1] + "</w>"] for w in words], 80)
    vocab = {"<unk>": 0}
    for c in sorted(set("".join(words))):
        vocab[c], vocab[c + "</w>"] = len(vocab), len(vocab) + 1
    for pair in merges:
        vocab.setdefault("".join(pair), len(vocab))
    ranks = {tuple(pair): i for i, pair in enumerate(merges)}
    mask = len(vocab)
    content = whole(
        added([(0, "<unk>", {}), (mask, "<mask>", {"lstrip": True, "rstrip": True}),
               (mask + 1, "<w>", {"single_word": True})]),
        {"type": "Sequence", "normalizers": [
            {"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"},
            {"type": "Replace", "pattern": {"Regex": "[xq]{2,}"}, "content": "x"}]},
        {"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"}, {"type": "Digits", "individual_digits": True},
            {"type": "Punctuation", "behavior": "MergedWithPrevious"},
            {"type": "Split", "pattern": {"String": "oo"}, "behavior": "MergedWithNext",
             "invert": False}]},
        {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
         "end_of_word_suffix": "</w>", "fuse_unk": False, "byte_fallback": False,
         "ignore_merges": False, "vocab": vocab, "merges": [" ".join(pair) for pair in merges]},
        {"type": "BPEDecoder", "suffix": "</w>"})

    def pieces(word):
        """Digits alone; a mark ends what it stands behind, unless that is a mark; oo begins."""
        for part in re.findall(rf"[{N}]|[^{N}]+", word):
            run = ""
            for i, c in enumerate(part):
                if is_mark(c) and (not i or not is_mark(part[i - 1])):
                    yield run + c
                    run = ""
                elif is_mark(c):
                    yield c
                else:
                    run += c
            yield run

    def cut(part, _):
        text = "".join(c for c in unicodedata.normalize("NFD", part)
                       if unicodedata.category(c)[0] != "M")
        text = re.sub("[xq]{2,}", "x", lower(text))
        for word in "".join(" " if c in SPACES else c for c in text).split(" "):
            for part in pieces(word):
                at = [0] + [m.start() for m in re.finditer("oo", part)] + [len(part)]
                found = [m.span() for m in re.finditer("oo", part)]
                cuts = []
                for a, b in zip(at, at[1:]):  # oo takes along what follows, but no other oo
                    cuts.append(part[a:b])
                assert len(found) == len(at) - 2
                for piece in cuts:
                    if piece:
                        spelt = [c if i + 1 < len(piece) else c + "</w>"
                                 for i, c in enumerate(piece)]
                        spelt = [c if c in vocab else "<unk>" for c in spelt]
                        yield from bpe(spelt, ranks)
    return File("clip", content, cut)


def bert(name, cased, most):
    def clean(text):
        out = ""
        for c in text:
            kind = unicodedata.category(c)
            if c in "\t\n\r" or c in SPACES and kind[0] != "C":
                out += " "
            elif c != "\ufffd" and kind[0] != "C":
                out += f" {c} " if is_chinese(c) else c
        if not cased:
            out = "".join(c for c in unicodedata.normalize("NFD", out)
                          if unicodedata.category(c) != "Mn")
            out = lower(out)
        return out

    def words(text):
        word = ""
        for c in text:
            if c in SPACES or is_mark(c):
                yield word
                yield "" if c in SPACES else c
                word = ""
            else:
                word += c
        yield word

    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    seen = {}
    for word in words(clean(CORPUS)):
        if word:
            seen[word] = seen.get(word, 0) + 1
    letters = sorted({c for word in seen for c in word})
    listed = tokens + letters + ["##" + c for c in letters if c.isalpha()]
    listed += [w for w in sorted(seen, key=lambda w: (-seen[w], w)) if len(w) > 1][:80]
    listed += ["##ing", "##ed", "##s", "##er", "un", "play", "##able", "ﬁ", "##日"]
    vocab = {}
    for t in listed:
        vocab.setdefault(t, len(vocab))
    content = whole(
        added([(i, t, {}) for i, t in enumerate(tokens)]),
        {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
         "strip_accents": None, "lowercase": not cased},
        {"type": "BertPreTokenizer"},
        {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
         "max_input_chars_per_word": most, "vocab": vocab},
        {"type": "WordPiece", "prefix": "##", "cleanup": True},
        {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]} if cased
        else template(["[CLS]"], ["[SEP]"], vocab))
    return File(name, content, lambda part, _: [
        piece for word in words(clean(part)) if word for piece in wordpiece(word, vocab, most)],
        (("[CLS]",), ("[SEP]",)))


def word_level():
    found = re.findall(r"\w+|[^\w\s]+", CORPUS)
    vocab = {"<unk>": 0}
    for word in found:
        vocab.setdefault(word, len(vocab))
    vocab = dict(list(vocab.items())[:150])
    content = whole(added([(0, "<unk>", {})]), None, {"type": "Whitespace"},
                    {"type": "WordLevel", "unk_token": "<unk>", "vocab": vocab}, None)
    join_controls = "\u200c\u200d"
    word = ranges(lambda c: unicodedata.category(c) in
                  ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc")
                  or c in join_controls or 0x24B6 <= ord(c) <= 0x24E9
                  or any(a <= ord(c) <= b for a, b in
                         [(0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189)]))
    cutter = re.compile(rf"[{word}]+|[^{word}{S}]+")
    return File("words", content, lambda part, _: [
        w if w in vocab else "<unk>" for w in cutter.findall(part)])


# ---- texts ----

ASSIGNED = [chr(c) for c in range(1, 0x110000)
            if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]
FREQUENT = [c for c in ASSIGNED if unicodedata.category(c) != "Lo"]
WORDS = CORPUS.split() + """don't DON'T we'll I'VE playing unplayable Größe naïve CAFÉ İstanbul ΟΔΟΣ
Σ ﬁne straße Москва العربية 한국어 日本語 我在学习 变换器 x=3.14 1234567 ½ №5 ^_^ $5 <s> <|endoftext|> [MASK] <mask>
<w> a<w> <|eot_id|> <unk> smaller xqxqx zoo 😀 👩‍🔬 e\u0301 \u1e9b\u0323 ﷺ Å ½² oooo ... \u0958\u0922\u093c 𝅘𝅥𝅱""".split()
BLANKS = [" ", " ", " ", " ", "  ", "   ", "\n", "\n\n", " \n", "\t", "\r\n", "\xa0", "\u3000", "\u2028",
          "", "\u200b"]


def text():
    kind = rng.random()
    if kind < 0.03:
        return rng.choice(["", " ", "\n", "\u0301", "a" * 101, "a" * 100, "é" * 21, "日" * 30])
    out = rng.choice(["", "", " ", "\n"])
    for _ in range(rng.randint(1, 6)):
        kind = rng.random()
        word = rng.choice(WORDS)
        out += (word if kind < .7 else word.upper() if kind < .78 else word.capitalize() if kind < .83
                else rng.choice(FREQUENT) + rng.choice(ASSIGNED) if kind < .9
                else unicodedata.normalize("NFD", word) if kind < .95 else rng.choice(",.!?-'\"(") + word)
        out += rng.choice(BLANKS)
    return out


def main():
    files = [gpt2(), llama3(), llama("llama2", False), llama("metaspace", True), clip(),
             bert("bert", False, 100), bert("bert_cased", True, 20), word_level()]
    folder = FOLDER / "tokenizer_json"
    os.makedirs(folder, exist_ok=True)
    lines = ["# Made by tokenizer_json.py, which says what the lines mean. Do not edit by hand."]
    for file in files:
        (folder / (file.name + ".json")).write_text(
            json.dumps(file.content, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
        lines.append(f"file {file.name}")
        for sample in ["\u0958\u0922\u093c \U0001d162"] + [text() for _ in range(TEXTS - 1)]:
            ids = " ".join(map(str, file.encode(sample)))
            lines.append(f"text {sample.encode().hex() or '-'} {ids}".rstrip())
    (FOLDER / "tokenizer_json.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
