#!/usr/bin/env python3
"""Checks the language of the course's lessons: from the lesson that defines a term on, the
field's word outnumbers any private one; every step names its concept; every text stands
without its heading; the right choice of a question is not given away by its length.

    tests/check_words.py [TREE]

First tries itself on texts that break each rule. Prints TAP."""

import pathlib
import re
import sys

import yaml

TREE = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])

# Number of the lesson that defines a term; then for each language a private word and the
# field's word for it.
TERMS = [
    (4, {"en": (r"\brows?\b", r"\b(?:vectors?|embeddings?|representations?|hidden states?)\b"),
         "zh": (r"[一每这那两三]个?行", r"向量|词嵌入|表示|隐藏状态")}),
    (7, {"en": (r"\bshar(?:es?|ed|ing)\b", r"\b(?:weights?|probabilit(?:y|ies)|normaliz\w+)\b"),
         "zh": (r"份额|份儿", r"权重|概率|归一化")}),
    (7, {"en": (r"\b(?:mixtures?|blend\w*|recipes?)\b", r"\bweighted (?:sum|average)s?\b"),
         "zh": (r"混合|配方|混成", r"加权和|加权平均")}),
    (5, {"en": (r"\bplaces?\b", r"\bpositions?\b"),
         "zh": (r"地方|座位", r"位置")}),
    (2, {"en": (r"\b(?:says?|said|saying)\b", r"\b(?:predict\w*|generat\w*|outputs?)\b"),
         "zh": (r"说出|说完|说下去|要说|说的", r"预测|生成|输出")}),
    (9, {"en": (r"\b(?:wide|wider|widths?)\b", r"\b(?:dimensions?|d_model|d_k|d_ff)\b"),
         "zh": (r"宽", r"维|d_model|d_k|d_ff")}),
    (5, {"en": (r"\bnumber by number\b", r"\belement-wise\b"),
         "zh": (r"逐个数|逐数", r"逐元素")}),
    (17, {"en": (r"\b(?:take|taken|took) (?:off|away)\b|\bmade of\b|\bmakes? of\b",
                 r"\b(?:subtract\w*|comput\w+)\b"),
          "zh": (r"拿掉|取走", r"减去|计算|算")}),
    (10, {"en": (r"\b(?:turns?(?! \w+ ?\w* ?into)|rounds?)\b", r"\b(?:rotat\w+|steps?|epochs?)\b"),
          "zh": (r"转动|每一轮生成", r"旋转|步|轮")}),
    (17, {"en": (r"(?<!standard )\bdeviations?\b", r"\bstandard deviations?\b"),
          "zh": (r"(?<!标准)偏差", r"标准差")}),
    (21, {"en": (r"\bthe memory\b|\bmemory rows?\b", r"\bencoder(?:'s)? outputs?\b"),
          "zh": (r"记忆(?!化)", r"编码器(?:的)?输出")}),
    (1, {"en": (r"\bpieces?\b", r"\bsubwords?\b"),
         "zh": (r"词块|词片|碎片", r"子词")}),
    (17, {"en": (r"\b(?:ways?|lanes?)\b", r"\b(?:paths?|layers?|sublayers?)\b"),
          "zh": (r"车道|通道", r"路径|层|通路")}),
    (1, {"en": (r"\b(?:work(?:s|ed)? out|reckon\w*)\b", r"\b(?:comput\w+|calculat\w+)\b"),
         "zh": (r"算计", r"计算|算")}),
    (22, {"en": (r"\bnext words?\b", r"\bnext[- ]tokens?\b"),
          "zh": (r"下一个词(?!元)", r"下一个?词元")}),
]

# Beginnings of a text that only answer or continue its heading.
LEANING = {
    "en": re.compile(r"[a-z]|(?:Yes|No|Nothing|Nobody|None|Not|Never|By|So|And|But|Or|Because|Then|Else"
                     r"|Otherwise|It|Its|They|Their|He|She|Towards|Among)\b"),
    "zh": re.compile(r"(?:是的|不是|不会?[，。；：]|对[，。]|没有[，。]|因为|所以|于是|但是?|而且|否则|靠|朝)"),
}

# Right choices that may be the longest beyond those that would be by chance.
MARGIN = 0.06


def languages(text):
    """Texts by language of a value that is one text, or one for each language."""
    if isinstance(text, dict):
        return text if "en" in text else {}
    return {language: str(text) for language in LEANING}


def spoken(lesson):
    """Texts that the table counts: goal, lines to remember, headings and what steps say."""
    texts = [lesson.get("goal", "")] + lesson.get("remember", [])
    for step in lesson["steps"]:
        texts += [step.get("heading", ""), step.get("say", "")]
    return [languages(text) for text in texts]


def counts(lessons, terms):
    """For each term and language: the number of private words, and of the field's."""
    for first, words in terms:
        for language, patterns in words.items():
            text = "\n".join(re.sub(r"\{[^}]*\}", "0", texts.get(language, ""))
                             for name, lesson in lessons if int(name[:2]) >= first
                             for texts in spoken(lesson))
            yield language, patterns, [len(re.findall(pattern, text, re.I)) for pattern in patterns]


def private(lessons, terms=None):
    """A line for each term that private words outnumber, or equal."""
    return [f"{language}: {patterns[0]} {found[0]}, {patterns[1]} {found[1]}"
            for language, patterns, found in counts(lessons, terms or TERMS) if found[0] >= found[1]]


def nameless(lessons):
    """A line for each step without a concept in each language, and for each that has another's."""
    for name, lesson in lessons:
        seen = {}
        for i, step in enumerate(lesson["steps"], 1):
            concept = languages(step.get("concept", {}))
            if not all(concept.get(language) for language in LEANING):
                yield f"{name} step {i} has no concept"
            for language, text in concept.items():
                if seen.setdefault((language, text), i) != i:
                    yield f"{name} steps {seen[language, text]} and {i} are both “{text}”"


def leaning(lessons):
    """A line for each text that only stands behind its heading."""
    for name, lesson in lessons:
        for i, step in enumerate(lesson["steps"], 1):
            for language, text in languages(step.get("say", {})).items():
                if language in LEANING and LEANING[language].match(text):
                    yield f"{name} step {i}: {text[:50]}"


def longest(lessons, language):
    """Share of questions whose right choice is the longest, and the share by chance. Choices of
    the same length count in part."""
    right = chance = count = 0
    for _, lesson in lessons:
        for step in lesson["steps"]:
            choices = (step.get("ask") or {}).get("choose") or []
            lengths = [len(languages(choice["text"]).get(language, "")) for choice in choices]
            if choices:
                top = [choice.get("right", False) for choice, length in zip(choices, lengths)
                       if length == max(lengths)]
                right += any(top) / len(top)
                chance += 1 / len(choices)
                count += 1
    return right / count, chance / count


def read(tree):
    """Names and contents of the course's lessons."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return [(path.stem, yaml.load(path.read_text(encoding="utf-8"), loader))
            for path in sorted((tree / "lessons").glob("[0-9][0-9]-*.yaml"))]


number = 0
bad = 0


def ok(good, name, lines=()):
    global number, bad
    number += 1
    bad += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    for line in lines:
        print(f"# {line}")


def both(en, zh):
    return {"en": en, "zh": zh}


def choose(*texts):
    return {"choose": [{"text": both(text, text), "right": i == 0} for i, text in enumerate(texts)]}


tried = [("08-a", {"goal": both("Blend rows by shares.", "按份额混合每行。"), "steps": [
    {"concept": both("Softmax", "softmax"), "heading": both("What share?", "多少份额？"),
     "say": both("Nothing; so it is {A[0, 1]} of a row.", "不，没有。"), "ask": choose("the longest", "a", "b")},
    {"concept": both("Softmax", "归一化"), "say": both("The weight of a vector.", "权重")},
    {"concept": {"en": "Scores"}, "say": both("“am” has a weight.", "得分")}]})]
shown = private(tried, TERMS[:2])
ok(len(shown) == 4, "private words are counted", shown)
ok(not private([("03-a", tried[0][1])], [(4, {"en": ("row", "row s")})]) is True,
   "a lesson before the one that defines a term is left out")
shown = list(nameless(tried))
ok(shown == ["08-a steps 1 and 2 are both “Softmax”", "08-a step 3 has no concept"],
   "steps without a concept of their own are found", shown)
shown = list(leaning(tried))
ok(len(shown) == 2, "texts that lean on their heading are found", shown)
ok(longest(tried, "en") == (1, 1 / 3), "right choices that are the longest are counted")

course = read(TREE)
ok(len(course) > 40, "the course is found", [f"{len(course)} lessons"])
wrong = private(course)
ok(not wrong, "the field's words outnumber private ones",
   wrong or [f"{language}: {patterns[0]} {found[0]}, {patterns[1]} {found[1]}"
             for language, patterns, found in counts(course, TERMS)])
wrong = list(nameless(course))
ok(not wrong, "every step names a concept of its own", wrong)
wrong = list(leaning(course))
ok(not wrong, "every text stands without its heading", wrong)
for language in LEANING:
    share, chance = longest(course, language)
    ok(share <= chance + MARGIN, f"the right choice is the longest no more often than by chance: {language}",
       [f"{share:.0%} of the questions, {chance:.0%} by chance"])
print(f"1..{number}")
sys.exit(bad != 0)
