#!/usr/bin/python3
"""Writes patterns.txt: texts split by the patterns of published tokenizers, and by patterns with
each supported construct.

The pieces come from Python's module `regex`, which has its own tables of Unicode; Split's
behaviours follow the documentation of the library `tokenizers`. Only characters assigned in Unicode
14 are used. Constructs that `regex` reads differently from Oniguruma, which `tokenizers` uses, are
left out: {1,3}+, &&, classes within classes.
Run it beside the file: /usr/bin/python3 patterns.py [TEXTS [SEED [FOLDER]]]

    split NAME JSON    the texts that follow are split by this pre_tokenizer
    text HEX LENGTH …  a text's bytes, and the number of bytes of each piece
"""
import json
import pathlib
import random
import sys
import unicodedata

import regex

TEXTS = int(sys.argv[1]) if len(sys.argv) > 1 else 40
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 7
HERE = pathlib.Path(__file__).resolve().parent
FOLDER = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else HERE
assert unicodedata.unidata_version == "14.0.0"

# ---- patterns ----

CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
BLANKS = r"\s*[\r\n]+|\s+(?!\S)|\s+"
# openai/tiktoken, tiktoken_ext/openai_public.py: gpt2, cl100k_base, o200k_base. The tokenizer.json
# of Llama 3 has the pattern of cl100k_base, that of Qwen2 the same with single digits.
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|" + BLANKS
CL100K_POSSESSIVE = (r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*"
                     r"|\s*[\r\n]|\s+(?!\S)|\s+")
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
O200K = (rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+{CONTRACTIONS}?|[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*{CONTRACTIONS}?"
         r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + BLANKS)
QWEN2 = CL100K.replace(r"\p{N}{1,3}", r"\p{N}")
DEEPSEEK_V3 = [
    r"\p{N}{1,3}", "[一-龥\u3040-ゟ゠-ヿ]+",
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^" "\r\n" r"\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+["
    "\r\n" r"]*|\s*[" "\r\n" r"]+|\s+(?!\S)|\s+"]
DEEPSEEK_LLM = [
    "[\r\n]",
    "\\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝ\u1f5f-\u1f7dᾀ-ᾴᾶ-ᾼ\u1fbe"
    "ῂ-ῄῆ-ῌ\u1fd0-\u1fd3\u1fd6-\u1fdbῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤ\u2126ℨ\u212a-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ"
    "𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+",
    r"\s?[!-/:-~！-／：-～‘-‟\u3000-。]+", r"\s+$", "[一-龥ࠀ-一가-\ud7ff]+", r"\p{N}+"]
STARCODER = [r"\p{N}", GPT2]
FALCON = [r"[\p{P}\$\+<=>\^~\|`]+", GPT2, "[0-9][0-9][0-9]"]
TEKKEN = (r"[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))*((?=[\p{L}])([^A-Z]))+|[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))+"
          r"((?=[\p{L}])([^A-Z]))*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|" + BLANKS)
# Every supported construct.
CONSTRUCTS = [
    r"\p{Han}+|\p{^Latin}\p{Greek}|\P{Cyrillic}{2}", r"(?<=\s)[^\s\w]|(?<!\p{L}|\d)\p{Lu}", r"^.|\s$",
    r"(?>\p{L}+|\p{L}+\s)\S|\D{3,5}", r"[\S-]\W\w*?[\d\p{^L}]", r"[^\S\n]+|(a|e|i(o|u)?)+?[\w.-]",
    r"\pL\PL??(?!\x41|\x{1F600}|\u65E5)[\x{4e00}-\x{9fff}\v\t\f\n]?", r"(?i:k|s|ß|σ|[à-ý])", r"[]\-\[^]|\^|\$|.\.|[a-]",
    r"(?:'[sS]|'[tT]|'[lL][lL])|[(){}]{2,}|\p{Lo}*+\p{Mn}",
    r"\P{L}*?\P{N}x?|\P{L}+\P{N}", r"(?i:\p{Lu}\p{^Ll}|(?:\P{Lt}){2})\p{Ll}"]


def split(patterns, behavior="Isolated", invert=False):
    items = [{"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": invert}
             for pattern in patterns]
    return items[0] if len(items) == 1 else {"type": "Sequence", "pretokenizers": items}


SPLITS = {
    "GPT-2": split([GPT2]),
    "GPT-4": split([CL100K], "Removed", True),
    "GPT-4-possessive": split([CL100K_POSSESSIVE], "Removed", True),
    "GPT-4o": split([O200K], "Removed", True),
    "Llama-3": split([CL100K]),
    "Qwen2": split([QWEN2]),
    "DeepSeek-V3": split(DEEPSEEK_V3),
    "DeepSeek-LLM": split(DEEPSEEK_LLM),
    "Starcoder": split(STARCODER),
    "Falcon": split(FALCON, "Contiguous"),
    "Tekken": split([TEKKEN]),
    **{f"construct-{i}": split([pattern]) for i, pattern in enumerate(CONSTRUCTS)},
}


# ---- splitting ----


def stretches(pattern, text, invert):
    """Yields (piece, is_match) in order."""
    at = 0
    pattern = regex.sub(r"\\x\{(\w+)\}", lambda m: rf"\U{int(m[1], 16):08x}", pattern)  # Python's syntax
    for match in regex.finditer(pattern, text, regex.MULTILINE):
        if match.start() > at:
            yield text[at:match.start()], invert
        yield match[0], not invert
        at = match.end()
    if at < len(text):
        yield text[at:], invert


def pieces(step, text):
    if step["type"] == "Sequence":
        parts = [text]
        for item in step["pretokenizers"]:
            parts = [piece for part in parts for piece in pieces(item, part)]
        return parts
    found = list(stretches(step["pattern"]["Regex"], text, step["invert"]))
    if step["behavior"] == "Removed":
        return [piece for piece, fits in found if not fits]
    if step["behavior"] == "Isolated":
        return [piece for piece, _ in found]
    joined = []
    for piece, fits in found:
        if joined and joined[-1][1] == fits:
            joined[-1][0] += piece
        else:
            joined.append([piece, fits])
    return [piece for piece, _ in joined]


# ---- texts ----

ASSIGNED = [chr(c) for c in range(1, 0x110000) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]
FREQUENT = [c for c in ASSIGNED if unicodedata.category(c) != "Lo"]
WORDS = """The small cat don't DON'T we'll I'VE you're it's 'S 'ſ o'ReLL 'K 'm CamelCase HTTPServer iPhone x=3.14
1234567 ½ №5 ²³ ٣٤٥ ^_^ $5.00 (a[0]) {b} -- ... !? "q" https://a.b/c?d=e&f#g snake_case a/b\\c Größe naïve ΟΔΟΣ ǅ ʰ ﬁ
straße Москва ёж العربية مَرْحَبًا עברית हिन्दी ไทย 한국어 日本語 カタカナ ひらがな 我在学习变换器 你好，世界！ 第３章 ｆｕｌｌ １２３ 👩‍🔬 😀😀 🇩🇪
❤️ e\u0301 a\u0308\u0323 ᠠ\u180eᠡ K ſ ∑∫ → ☃ ® a\u00adb x\u200by 𝒳 𐐀𐐨 𝟘𝟙 Ⅷ ー · _ ゠""".split()
GAPS = [" "] * 8 + ["  ", "   ", "\n", "\n\n", " \n", "\n ", "\t", "\r\n", "\r\n\r\n ", "\xa0", "\u3000", "\u2028", "\v", "\x85",
                    "\x1c", "\u180e", "\ufeff", "", "", ""]
ENDS = ["", "", "", " ", "   ", "\n", " \n ", "\t\t"]


def text(rng):
    if rng.random() < 0.08:  # any assigned character
        return "".join(rng.choice(ASSIGNED if rng.random() < .5 else FREQUENT) for _ in range(rng.randint(1, 60)))
    out = rng.choice(["", "", " ", "\n", "  "])
    for _ in range(rng.randint(1, 9)):
        word, kind = rng.choice(WORDS), rng.random()
        out += (word if kind < .7 else word.upper() if kind < .76 else word.capitalize() if kind < .8
                else rng.choice(FREQUENT) + rng.choice(ASSIGNED) if kind < .88
                else unicodedata.normalize("NFD", word) if kind < .92 else rng.choice(",.!?-'\"(/") + word)
        out += rng.choice(GAPS)
    return out + rng.choice(ENDS)


def main():
    rng = random.Random(SEED)
    lines = [f"# Made by patterns.py, which says what the lines mean, with regex {regex.__version__}. Do not edit by hand."]
    for name, step in SPLITS.items():
        lines.append(f"split {name} {json.dumps(step, ensure_ascii=False)}")
        for sample in ["", " ", "a", "\n \n", "x  y"] + [text(rng) for _ in range(TEXTS - 5)]:
            found = pieces(step, sample)
            lengths = " ".join(str(len(piece.encode())) for piece in found)
            lines.append(f"text {sample.encode().hex() or '-'} {lengths}".rstrip())
    (FOLDER / "patterns.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
