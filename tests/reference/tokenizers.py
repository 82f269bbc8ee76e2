#!/usr/bin/python3
"""Writes tokenizers.txt: how texts are cut, and what byte-pair encoding learns.

Written from the published algorithms, in Python's own Unicode: whitespace splitting;
BERT's basic tokenization and WordPiece (google-research/bert, tokenization.py); byte-pair
encoding (Sennrich, Haddow and Birch 2016). Extended grapheme clusters are Perl's \\X.
Only characters assigned in Unicode 14 are used, and no viramas: later versions cluster
what follows them.
Run it beside the file: /usr/bin/python3 tokenizers.py [CASES [SEED [FILE]]]

A text is written with \\HEX; for everything but printable ASCII, and for blank and
backslash.

    vocabulary FIRST_ID        begins a vocabulary
    token TEXT                 adds a token; `special TEXT` adds a special one
    bpe MERGES MIN_COUNT MARK  begins learning at most so many merges
    word COUNT TEXT            a word to learn from
    merge COUNT LEFT RIGHT     what is merged, in order
    after MERGES SYMBOL ...    how the next of the words stands after so many merges
    end
    tokenizer KIND LOWER FRAME what cuts the texts that follow, with the latest vocabulary
                               and merges; LOWER is 0 or 1; with FRAME 1, [CLS] and [SEP]
                               are put round each text
    cut "TEXT PIECE ...        PIECE is KIND WORD : ID @ OFFSET + LENGTH; KIND is w
                               (word), c (continuation), s (special) or u (unknown)
"""
import os
import random
import re
import subprocess
import sys
import unicodedata

CASES = int(sys.argv[1]) if len(sys.argv) > 1 else 2400
rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 20240611)
FILE = sys.argv[3] if len(sys.argv) > 3 else os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "tokenizers.txt")
assert unicodedata.unidata_version == "14.0.0"

lines = [
    "# Made by tokenizers.py, which says what the lines mean. Do not edit by hand.",
    f"# Unicode {unicodedata.unidata_version}.",
]

# White_Space of Unicode's PropList.txt.
SPACE = set("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {
    chr(c) for c in range(0x2000, 0x200B)}


def escape(text):
    return "".join(c if "!" <= c <= "~" and c != "\\" else f"\\{ord(c):x};" for c in text)


# ---- texts ----

ASSIGNED = [chr(c) for c in range(0x110000)
            if unicodedata.category(chr(c)) not in ("Cn", "Cs")]
FREQUENT = [c for c in ASSIGNED if unicodedata.category(c) not in ("Lo", "Co")]
MARKS = [c for c in ASSIGNED if unicodedata.category(c)[0] == "M"]
ORDERED = [c for c in MARKS
           if unicodedata.combining(c) and unicodedata.category(c) != "Mn"]
CONTROLS = [c for c in ASSIGNED if unicodedata.category(c) in ("Cc", "Cf")]
PUNCTUATION = [c for c in ASSIGNED
               if unicodedata.category(c)[0] in "PS" and ord(c) < 0x3100]
CASED = [c for c in ASSIGNED if c.lower() != c or c.upper() != c]
COMPOSED = [c for c in ASSIGNED if unicodedata.normalize("NFD", c) != c]
WORDS = """you win or die when play the game of thrones I am learning Transformer
transforms unaffable unaffordable playing played player learner lowest newest wider low
lower newer Größe naïve café CAFÉ İstanbul ΟΔΟΣ ΣΑΣ Σ σΣς'Σ. ﬁne ǅ straße Ελλάδα Москва
москва العربية עברית ไทย 한국어 한글 日本語 かな カタカナ 我在学习 变换器 注意力 x=3.14 a-b don't $5 ^_^ [MASK]
[CLS] [SEP] [UNK] [mask] <start> 1045 3½ №5 résumé Ångström Việt हनद தமழ""".split()
EMOJI = [
    "😀", "👍🏽", "👩‍🔬", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇫🇷", "🇩🇪🇨", "🇯🇵🇯🇵",
    "1️⃣", "❤️", "☺", "🧑🏿‍🤝‍🧑🏻"]
BLANKS = [
    " ", " ", " ", " ", " ", "  ", "\n", "\t", "\r\n", "\r", "\xa0", "\u3000", "\u2028",
    "\u2029", "\u2003", "\x85", "\v", "\f", "\x1f", "\u200b", ""]


def usable(text):
    return "".join(c for c in text if unicodedata.combining(c) != 9)


def atom():
    return rng.choice([
        lambda: rng.choice(WORDS), lambda: rng.choice(WORDS), lambda: rng.choice(WORDS),
        lambda: rng.choice(WORDS).upper(), lambda: rng.choice(EMOJI),
        lambda: "".join(rng.choice("abcdelnoprstuw") for _ in range(rng.randint(1, 9))),
        lambda: rng.choice(FREQUENT), lambda: rng.choice(ASSIGNED),
        lambda: rng.choice(CASED) + rng.choice(CASED), lambda: rng.choice(COMPOSED),
        lambda: rng.choice("aeionΣ가日") + "".join(
            rng.choice(MARKS) for _ in range(rng.randint(1, 4))),
        lambda: "".join(rng.choice(ORDERED + MARKS) for _ in range(4)),
        lambda: rng.choice(CONTROLS), lambda: rng.choice(PUNCTUATION),
        lambda: rng.choice(["\0", "\ufffd", "\ufeff", "\ufffe", "\U0010ffff", "\ue000",
                            "\u034f", "\u200d", "\u00ad"]),
        lambda: unicodedata.normalize("NFD", rng.choice(WORDS)),
        lambda: rng.choice("aΣİ") + rng.choice("Σ\u0301'.:·’a1ⓐⅫª") + rng.choice("Σaⓐ"),
    ])()


def text():
    kind = rng.random()
    if kind < 0.01:
        return rng.choice(
            ["", " ", "\n\n", "\0", "\u0301", "[MASK]", "[CLS][SEP]", "##ing"])
    if kind < 0.02:
        word = rng.choice(["a", "é", "learn", "win", "日", "😀"])
        long = word * (rng.choice([199, 200, 201, 230]) // len(word))
        return long + rng.choice(["", "s", " you", "!"])
    if kind < 0.25:
        return "".join(atom() for _ in range(rng.randint(1, 3)))
    return "".join(atom() + rng.choice(BLANKS) for _ in range(rng.randint(1, 5)))


# ---- letters: characters with the bytes they come from ----

def letters_of(source, begin):
    letters, at = [], begin
    for c in source:
        size = len(c.encode())
        letters.append((c, at, at + size))
        at += size
    return letters


def string(letters):
    return "".join(c for c, _, _ in letters)


def lowered(letters):
    whole = string(letters)
    lower, result, at = whole.lower(), [], 0
    for c, a, b in letters:
        size = len(c.lower())
        result.extend((d, a, b) for d in lower[at:at + size])
        at += size
    assert string(result) == lower
    return result


def without_accents(letters):
    """The letters in NFD without Mn, whose bytes become those of the one before."""
    widened = []
    owner = None
    for c, a, b in letters:
        if unicodedata.category(c) != "Mn":
            widened.append([c, a, b])
            owner = None if c in SPACE else widened[-1]
        else:
            if owner:
                owner[2] = b
            widened.append([c, a, b])
    parts = [(d, a, b) for c, a, b in widened for d in unicodedata.normalize("NFD", c)]
    ordered, run = [], []
    for part in parts + [None]:
        if part and unicodedata.combining(part[0]):
            run.append(part)
            continue
        ordered += sorted(run, key=lambda p: unicodedata.combining(p[0]))
        run = []
        if part:
            ordered.append(part)
    assert string(ordered) == unicodedata.normalize("NFD", string(letters))
    return [p for p in ordered if unicodedata.category(p[0]) != "Mn"]


# ---- BERT's basic tokenization, as published: strings only ----

def bert_is_control(c):
    return c not in "\t\n\r" and unicodedata.category(c) in ("Cc", "Cf")


def bert_is_blank(c):
    return c in " \t\n\r" or unicodedata.category(c) == "Zs"


def bert_is_chinese(c):
    p = ord(c)
    return any(a <= p <= b for a, b in (
        (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
        (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)))


def bert_is_punctuation(c):
    p = ord(c)
    if 33 <= p <= 47 or 58 <= p <= 64 or 91 <= p <= 96 or 123 <= p <= 126:
        return True
    return unicodedata.category(c).startswith("P")


def bert_words(source, lower):
    cleaned = ""
    for c in source:
        if ord(c) in (0, 0xFFFD) or bert_is_control(c):
            continue
        c = " " if bert_is_blank(c) else c
        cleaned += f" {c} " if bert_is_chinese(c) else c
    words = []
    for token in cleaned.strip().split():
        if lower:
            token = unicodedata.normalize("NFD", token.lower())
            token = "".join(c for c in token if unicodedata.category(c) != "Mn")
        new = True
        for c in token:
            if bert_is_punctuation(c):
                words.append(c)
                new = True
            elif new:
                words.append(c)
                new = False
            else:
                words[-1] += c
    return " ".join(words).split()


def basic_words(source, begin, lower):
    """The same words, as letters."""
    letters = []
    for c, a, b in letters_of(source, begin):
        if bert_is_blank(c):
            letters.append((" ", a, b))
        elif c in "\0\ufffd" or bert_is_control(c):
            continue
        elif bert_is_chinese(c):
            letters += [(" ", a, a), (c, a, b), (" ", b, b)]
        else:
            letters.append((c, a, b))
    if lower:
        letters = without_accents(lowered(letters))
    words, word = [], []
    for letter in letters:
        alone = bert_is_punctuation(letter[0])
        if alone or letter[0] in SPACE:
            words += [word] if word else []
            words += [[letter]] if alone else []
            word = []
        else:
            word.append(letter)
    words += [word] if word else []
    assert [string(w) for w in words] == bert_words(source, lower), escape(source)
    return words


# ---- the four ways to cut; each gives words as lists of (kind, token, from, to) ----

def bytes_of(letters):
    return min(a for _, a, _ in letters), max(b for _, _, b in letters)


def looked_up(known, first, token, a, b):
    if token not in known:
        return ("u", "[UNK]", a, b)
    return ("w" if first else "c", token, a, b)


def spaced_words(letters):
    words, word = [], []
    for letter in letters + [(" ", 0, 0)]:
        if letter[0] not in SPACE:
            word.append(letter)
        elif word:
            words.append(word)
            word = []
    return words


def cut_whitespace(source, begin, lower, known, _):
    letters = letters_of(source, begin)
    letters = lowered(letters) if lower else letters
    return [[looked_up(known, True, string(w), *bytes_of(w))]
            for w in spaced_words(letters)]


CLUSTERS = r"""binmode STDIN, ":utf8"; while (<STDIN>) { chomp;
my $t = join "", map { chr hex } split / /, $_;
my @n; push @n, length $1 while $t =~ /\G(\X)/g; print "@n\n"; }"""


def clusters_of(texts):
    """The lengths of the grapheme clusters of each text."""
    given = "".join(" ".join(f"{ord(c):x}" for c in t) + "\n" for t in texts)
    out = subprocess.run(["perl", "-e", CLUSTERS], input=given, capture_output=True,
                         text=True, check=True).stdout
    return [[int(n) for n in line.split()] for line in out.split("\n")[:-1]]


cluster_cache = {}


def cut_characters(source, begin, lower, known, _):
    letters = letters_of(source, begin)
    letters = lowered(letters) if lower else letters
    whole = string(letters)
    if whole not in cluster_cache:
        cluster_cache[whole] = clusters_of([whole])[0]
    words, at, within = [], 0, False
    for size in cluster_cache[whole]:
        cluster = letters[at:at + size]
        blank = cluster[0][0] in SPACE
        if blank or not within:
            words.append([])
        words[-1].append(
            looked_up(known, not words[-1], string(cluster), *bytes_of(cluster)))
        within = not blank
        at += size
    assert at == len(letters)
    return words


def cut_wordpiece(source, begin, lower, known, _):
    words = []
    for word in basic_words(source, begin, lower):
        pieces, start = [], 0
        while start < len(word) <= 200:
            for end in range(len(word), start, -1):
                token = ("##" if start else "") + string(word[start:end])
                if token in known:
                    break
            else:
                break
            pieces.append(("c" if start else "w", token, *bytes_of(word[start:end])))
            start = end
        words.append(pieces if start == len(word) else [("u", "[UNK]", *bytes_of(word))])
    return words


def merged(symbols, left, right):
    result, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and symbols[i] == left and symbols[i + 1] == right:
            result.append(left + right)
            i += 2
        else:
            result.append(symbols[i])
            i += 1
    return result


def learn(words, merges, min_count, mark):
    """Algorithm 1 of the paper: the merges, and the words' symbols after each."""
    split = [list(word) + [mark] for word, _ in words]
    learned, states = [], [split]
    for _ in range(merges):
        counts = {}
        for symbols, (_, count) in zip(split, words):
            for pair in zip(symbols, symbols[1:]):
                counts[pair] = counts.get(pair, 0) + count
        best = max(counts, key=counts.get, default=None)
        if not best or counts[best] < min_count:
            break
        learned.append((counts[best], *best))
        split = [merged(symbols, *best) for symbols in split]
        states.append(split)
    return learned, states


def symbols_of(words, learned, mark):
    symbols = {}
    for word, _ in words:
        for symbol in list(word) + [mark]:
            symbols.setdefault(symbol)
    for _, left, right in learned:
        symbols.setdefault(left + right)
    return list(symbols)


def cut_bpe(source, begin, lower, known, bpe):
    ranks, characters, mark = bpe
    letters = letters_of(source, begin)
    words = []
    for word in spaced_words(lowered(letters) if lower else letters):
        # A character that the corpus had not, such as the mark itself, joins nothing.
        symbols = [[c if c in characters else None] for c, _, _ in word] + [[mark]]
        symbols = [s[0] for s in symbols]
        while True:
            pairs = [p for p in zip(symbols, symbols[1:]) if p in ranks]
            if not pairs:
                break
            symbols = merged(symbols, *min(pairs, key=ranks.get))
        pieces, at = [], 0
        for i, symbol in enumerate(symbols):
            end = word[-1][2]
            if i and i + 1 == len(symbols) and at == len(word):
                pieces.append(looked_up(known, False, mark, end, end))
                continue
            token = word[at][0] if symbol is None else symbol
            last = i + 1 == len(symbols)
            size = len(word) - at if last else len(token)
            a, b = bytes_of(word[at:at + size])
            if symbol is None and token == mark:
                pieces.append(("u", "[UNK]", a, b))
            else:
                pieces.append(looked_up(known, i == 0, token, a, b))
            at += size
        words.append(pieces)
    return words


KINDS = {"whitespace": cut_whitespace, "characters": cut_characters, "bpe": cut_bpe,
         "wordpiece": cut_wordpiece}


# ---- writing ----

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<start>"]


def segments(source):
    """The text between special tokens, and those, with their bytes."""
    pattern = "(" + "|".join(re.escape(s) for s in SPECIALS) + ")"
    at = 0
    for i, part in enumerate(re.split(pattern, source)):
        yield i % 2 == 1, part, at
        at += len(part.encode())


def cut(kind, lower, frame, ids, bpe, source):
    words = [[("s", "[CLS]", 0, 0)]] if frame else []
    for special, part, at in segments(source):
        if special:
            words.append([("s", part, at, at + len(part.encode()))])
        elif part:
            words += KINDS[kind](part, at, lower, ids, bpe)
    end = len(source.encode())
    words += [[("s", "[SEP]", end, end)]] if frame else []
    pieces = [f"{k}{i}:{ids[t]}@{a}+{b - a}"
              for i, w in enumerate(words) for k, t, a, b in w]
    lines.append(" ".join(["cut", '"' + escape(source), *pieces]))


def vocabulary(first, tokens):
    lines.append(f"vocabulary {first}")
    ids = {}
    for token in SPECIALS + tokens:
        if token not in ids:
            ids[token] = first + len(ids)
            word = "special" if token in SPECIALS else "token"
            lines.append(f"{word} {escape(token)}")
    return ids


def cuts(kind, lower, frame, ids, bpe, texts):
    lines.append(f"tokenizer {kind} {int(lower)} {int(frame)}")
    if kind == "characters":
        wholes = list({string(lowered(letters_of(p, 0)) if lower else letters_of(p, 0))
                       for t in texts for s, p, _ in segments(t) if not s and p})
        cluster_cache.update(zip(wholes, clusters_of(wholes)))
    for source in texts:
        cut(kind, lower, frame, ids, bpe, source)


def texts(count):
    return [usable(text()) for _ in range(count)]


def write_bpe(words, merges, min_count, mark, every):
    learned, states = learn(words, merges, min_count, mark)
    lines.append(f"bpe {merges} {min_count} {escape(mark)}")
    lines.extend(f"word {count} {escape(word)}" for word, count in words)
    lines.extend(f"merge {n} {escape(a)} {escape(b)}" for n, a, b in learned)
    for done in range(0, len(states), every):
        for symbols in states[done]:
            lines.append(f"after {done} " + " ".join(escape(s) for s in symbols))
    lines.append("end")
    ranks = {}
    for rank, (_, left, right) in enumerate(learned):
        ranks.setdefault((left, right), rank)
    characters = {c for word, _ in words for c in word}
    return symbols_of(words, learned, mark), (ranks, characters, mark)


PIECES = """you win or die when play the game of thrones i am learn transform un aff
ford able ##able ##ing ##ed ##er ##s ##aff ##ford ##est ##form ##e low new wid trans
große naive cafe straße ist ##anbul οδος σας σ σας ##ς ##σ ελλαδα москва العربية עברית ᄒ
##ᅡ ##ᆫ ##글 한국어 한 ##국 ##어 日 本 語 我 在 学 习 カタ ##カナ カ ##タ か ##な x = 3 . 14 ##14 - ' don t $
5 ^ _ ! ? , : [ ] mask ##k 1045 10 ##45 ½ ##½ № ##5 resume angstrom viet Größe naïve
café CAFÉ I Transformer T ##ransformer ΟΔΟΣ Ελλάδα Москва résumé ##é é 😀 ☺ ❤ ##️ 🇫 ##🇷 «""".split()

LETTERS = list("abcdelnoprstuw")
ids = vocabulary(0, PIECES + LETTERS + ["##" + c for c in LETTERS])
count = CASES // 8
cuts("wordpiece", True, False, ids, None, texts(2 * count))
cuts("wordpiece", False, True, ids, None, texts(count))
ids = vocabulary(1, WORDS + [w.lower() for w in WORDS] + EMOJI + list("aeion"))
cuts("whitespace", False, False, ids, None, texts(count))
cuts("whitespace", True, False, ids, None, texts(count // 3))
clusters = sorted(set("".join(WORDS)) | set(EMOJI) | {" ", "\n", "\r\n", "\u3000"})
ids = vocabulary(7, [c for c in clusters if c not in "qxyz"])
cuts("characters", False, False, ids, None, texts(count))
cuts("characters", True, True, ids, None, texts(count // 3))

PAPER = [("low", 5), ("lower", 2), ("newest", 6), ("widest", 3)]
symbols, bpe = write_bpe(PAPER, 10, 1, "</w>", 1)
ids = vocabulary(0, symbols)
cuts("bpe", False, False, ids, bpe,
     ["low lowest newer wider newest", "lowlow </w> low</w>", "slow Low", ""] + texts(20))

corpus = texts(80) + [" ".join(WORDS)] * 3
counts = {}
for source in corpus:
    for word in spaced_words(letters_of(source, 0)):
        word = string(word)
        if "\0" not in word and "_" not in word and len(word.encode()) <= 200:
            counts[word] = counts.get(word, 0) + 1
symbols, bpe = write_bpe(list(counts.items())[:250], 300, 2, "_", 100)
ids = vocabulary(100, [s for i, s in enumerate(symbols) if i % 9])
cuts("bpe", False, False, ids, bpe, texts(count))
cuts("bpe", True, False, ids, bpe, texts(count // 3))

for i in range(max(40, CASES // 30)):
    letters = rng.choice(["a", "ab", "ab", "abc", "aé", "日ab"])
    words = []
    for _ in range(rng.randint(1, 7)):
        size = rng.randint(1, rng.choice([5, 14]))
        word = "".join(rng.choice(letters) for _ in range(size))
        words.append((word, rng.randint(1, 4)))
    merges, min_count = rng.choice([3, 20, 60]), rng.choice([1, 1, 2])
    symbols, bpe = write_bpe(words, merges, min_count, "</w>", 7)
    ids = vocabulary(0, symbols)
    cuts("bpe", False, False, ids, bpe, [
        "".join(rng.choice(letters + letters + " ") for _ in range(rng.randint(1, 60)))
        for _ in range(3)])

with open(FILE, "w", encoding="ascii") as file:
    file.write("\n".join(lines) + "\n")
