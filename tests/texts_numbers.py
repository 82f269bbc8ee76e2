#!/usr/bin/python3
"""Holds every number in the course's texts, in every language, against what is computed.

    tests/texts_numbers.py PROGRAM

A number that a text names, "{A[0, 1]}", can't be wrong. Each other one with a point, and each
whole one above twelve, is looked for: in the table below; as the result of the sum that it stands
behind, "2 × 3 = 6"; among what is given or printed, if it has a point by what the step or the text
names; in what its step sets; among the sizes of its tensors; in the cells of what its step shows.
One that is nowhere is wrong. Whole numbers up to twelve are counts, places and lessons' numbers, and are
passed over; so are years. Prints TAP."""
import json
import math
import pathlib
import re
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("1..0 # SKIP python3-yaml is not installed")
    sys.exit(0)

READER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
LESSONS = pathlib.Path(__file__).resolve().parent.parent / "lessons"
TEXTS = {"say", "heading", "notes", "source", "tour", "chapter", "question", "because", "text",
         "think", "choose", "order", "remember", "title", "about", "goal", "part"}
NOT_TEXTS = {"given", "labels", "vocabularies", "model", "tokens", "generate", "train", "printed",
             "do", "show", "at", "as", "direction", "needs", "document", "section", "cell"}
GIVEN = ("given", "model", "vocabularies", "tokens", "labels")
NAMED = re.compile(r"(?<!\{)\{[^{}]*\}")
NUMBER = re.compile(r"(?<![0-9A-Za-z_.,])[−-]?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")
YEAR = re.compile(r"(19[89]|20[0-2])[0-9]")
SUM = re.compile(r"((?:[−-]?[√(]?[0-9][0-9.,]*\)?\s*[×·÷/+−-]\s*)+[−-]?√?[0-9][0-9.,]*\)?)"
                 r"\s*(?:=|≈|is|等于|就是|是)\s*([−-]?[0-9][0-9,]*(?:\.[0-9]+)?)")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SMALL, SHOWN_CELLS = 12, 128

# What is found nowhere else, lesson by lesson. "= …" is what it follows from, in Python, of the
# lesson's file and of its tensors t("NAME"); "? …" is what must be so where a number is a bound;
# anything else is the reason why nothing can be computed.
OWN = "made up for a question"
ABOUT = {
    "": {"512": "the width of the model of 2017", "37,000": "its vocabulary",
         "37000": "its vocabulary"},
    "00": dict.fromkeys(["17", "22", "27", "29", "31"], "a lesson's number"),
    "40": {"576": "tests/whole_path.py counts them", "192": "tests/whole_path.py counts them",
           "48": "tests/whole_path.py counts them", "200": "the seeds that were tried",
           "30,000": "the vocabularies of published models", "64": OWN,
           **dict.fromkeys(["13", "17", "19", "22", "23", "25", "26", "27", "33", "41"],
                           "a lesson's number")},
    "01": {"0.75": "= 3 / 4", "4083": "BERT's vocabulary", "10938": "BERT's vocabulary",
           "2121": "BERT's vocabulary", "30,000": "the vocabularies of published models",
           "250,000": "the vocabularies of published models"},
    "02": {"24": "= t('most')[0][0] + 1", "16": OWN, "18": OWN},
    "03": {"256": "= 2 ** 8"},
    "04": {"30,000": "the source's example", "1,500": "= round(30000 * 512 / 1e6) * 100",
           "128": "what the source says of other models", "768": "what the source says of others",
           "15": "= 30000 * 512 / 1e6", "59": "= round(30000 / 512)",
           "101": "the source's example", "1045": "the source's example"},
    "05": {"44": "= 7 * 2 * math.pi", "88": "= 14 * 2 * math.pi",
           "135": "= 2 * math.pi * 10000 ** (2 / 6)", "2,916": "= 2 * math.pi * 10000 ** (4 / 6)",
           "2916": "= 2 * math.pi * 10000 ** (4 / 6)", "256": "= 512 / 2",
           "255": "= 512 / 2 - 1", "100": OWN, "40": OWN, "41": OWN},
    "07": {"13": "a lesson's number"},
    "09": {"64": OWN},
    "10": {"0.2": OWN},
    "11": {"1,097": "= math.exp(7)", "1097": "= math.exp(7)", "100": OWN, "800": OWN},
    "12": {"128": "= 2 ** 7"},
    "14": {"64": "= 512 / 8", "40": "a lesson's number"},
    "15": {"500": OWN, "250,000": "= 500 ** 2"},
    "17": {"100": OWN},
    "18": {"2048": "= 4 * 512"},
    "19": {"0.714": "= 1 / (1 + math.exp(-0.829 - 0.085))",
           "0.286": "= 1 / (1 + math.exp(0.829 + 0.085))", "0.25": "= (-0.5 + 1.8 - 1.2 + 0.9) / 4",
           "0.258": "= 1 / (1 + math.exp(0.792 + 0.266))",
           "0.742": "= 1 / (1 + math.exp(-0.792 - 0.266))"},
    "21": {"128": "= sum(cells(w) for w in ('W_Q', 'W_K', 'W_V', 'W_O', 'W_1', 'W_2'))"},
    "24": {"0.12": "= t('Q')[1][0] * t('K')[0][0]", "0.49": "= 1 / (1 + math.exp(-0.03 + 0.08))",
           "0.51": "= 1 / (1 + math.exp(0.03 - 0.08))",
           "0.62": "= 1 / (1 + math.exp(0.27 - 0.76))"},
    "25": {"0.05": "? sorted(t('p_example')[0])[-2] < 0.05"},
    "26": {"0.1": OWN},
    "27": {"40": "a lesson's number"},
    "28": {"144": "= 4 * 6 * 6", "108": "= 3 * 6 * 6", "36": "= 6 * 6", "40": "a lesson's number",
           "6,144": "= 2 * 6 * 512", "6144": "= 2 * 6 * 512", "3,072": "= 6 * 512",
           "3072": "= 6 * 512"},
    "29": {"23": "= 26 - 3"},
    "31": {"0.02": "= train['learning_rate']", "1.5": "the rule of 2017",
           "0.2": "? max(map(max, t('p_before'))) < 0.2", "0.19": "= 1 - 0.9 ** 2",
           "0.271": "= 1 - 0.9 ** 3", "0.1": "= 1 - 0.9", "0.001": "= 1 - 0.999",
           "0.0316": "= 0.001 ** 0.5", "3.16": "= 0.1 / 0.001 ** 0.5", "100": "= 0.1 / 0.001",
           "2,100": "? 2050 < sum(cells(w) for w in tensors if '.' in w and w in first) < 2150",
           "2100": "? 2050 < sum(cells(w) for w in tensors if '.' in w and w in first) < 2150"},
    "32": {"25": "= len(pairs)", "30": "an epoch", "3.559": "the loss of epoch 30",
           "0.001": "the loss of the training itself", "2.440": "the loss of 150 epochs more"},
    "33": {"38": "= len(pairs)", "39": "= len(pairs) + 1",
           "0.4": "? max(map(max, t('A_before'))) < 0.4"},
    "34": {"64": "= 8 ** 2", "288": "= 4 * (64 + 8)", "120": "= (7 + 8) * 8",
           "552": "= 8 * 64 + 5 * 8",
           "8500": "= round(t('blocks')[0][0], 3) * 1e5", "1740": "= t('blocks')[0][1] * 10",
           "1746": "= t('all')[0][1] * 10", "1750": "GPT-3's parameters, as it is called",
           "3860": "= round(t('tokens')[0][0] * t('D')[0][0] / 1e6, 1) * 100", "13": "its letter is d",
           "3000": "= 10 * t('T')[0][0]", "14000": "= 10 * t('T')[0][1]",
           "700": "Chinchilla's parameters", "70": "Chinchilla's parameters",
           "175": "GPT-3's parameters, as it is called", "80": "a card's memory in GB", "43": "a lesson's number",
           "31": "a lesson's number", "500": "= 10 * t('candidates')[3][0]", "405": "= t('sizes')[3][0]",
           "4050": "= 10 * t('sizes')[3][0]", "15.6": "what Llama 3.1 was trained on, as its paper says",
           "20": "= t('budget')[0][1] / t('budget')[0][0]", "0.3": "= t('T')[0][0] / 1000", "1.82": "rounded in the paper: 1.8172",
           "124,439,808": "= 12 * (12 * 768 ** 2 + 13 * 768) + 2 * 768 + (50257 + 1024) * 768",
           "174,604,259,328": "= 96 * (12 * 12288 ** 2 + 13 * 12288) + 2 * 12288"
                              " + (50257 + 2048) * 12288"},
    "35": {"224": "ViT's pictures", "100": "the queries of DETR", "30": "the seconds of Whisper"},
    "36": {"100": OWN, "70": "LLaMA 2's parameters", "700": "LLaMA 2's parameters"},
    "37": {"40": OWN},
    "38": {"0.9": OWN, "570": "what the source says", "300": "what GPT-3 read",
           "3000": "what GPT-3 read"},
    "39": {"160": "= 16 + 32 + 48 + 64", "96": "= 160 - 64", "64": "= 4 * 16", "48": "= 3 * 16", "32": "= 2 * 16"},
    "41": {"14": "= len(train['texts'])", "31": "a lesson's number",
           "0.1": "usual in papers and libraries", "0.5": OWN,
           "38": "a lesson's number", "999": OWN,
           "1952": "the year of Bradley and Terry's paper",
           "3579": "= int(''.join(f'{x:.0f}' for x in t('top')[0]))",
           "4621": "= int(''.join(f'{x:.0f}' for x in t('bottom')[0]))",
           "8200": "= int(''.join(f'{x:.0f}' for x in t('twice')[2]))"},
    "42": {"28": "a lesson's number", "36": "a lesson's number", "30,000": "= 3 * 10000",
           "30000": "= 3 * 10000", "131": "= 32 * 4095 / 1000", "13.1": "= 32 * 4095 / 1e4",
           "15": "= 5 * (4 - 1)", "20": "= 5 * 4",
           "80": "a card's memory in GB; parameters in units of 10⁸",
           "6.28": "= 2 * math.pi", "628": "= 2 * math.pi * 100",
           "64": OWN, "128": "= 2 * 1000 ** 2 * 64 / 1e6", "1.28": "= 2 * 1000 ** 2 * 64 / 1e8",
           "800": "? round(2 * 1000 * 64 ** 2 / 1e4, -2) == 800",
           "3.1": "a model's name", "1,000": "what the paper of 2023 says",
           "1000": "what the paper of 2023 says", "4.29": "= 2 ** 32 / 1e9"},
    "43": {"1.3": "= round((4096 * 8 * 32 + 65 * 4096) / 1e6, 1)", "0.5": "= 1 / 2",
           "0.6": "= 6 * 0.7 / 7", "56": "= 8 * 7", "560": "= 10 * 8 * 7",
           "15": "= 2 * t('levels')[0][1] + 1",
           "70": "LLaMA 2's parameters, as it is called", "4.25": "= 4 + 16 / 64",
           "128": "the groups of published models", "8192": OWN},
}


def texts(node, path=()):
    """The texts of a lesson: (path, words)."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key not in NOT_TEXTS:
                yield from texts(value, path + (key,))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from texts(value, path + (index,))
    elif isinstance(node, str) and TEXTS & set(map(str, path)):
        yield path, node


def value_of(written):
    return float(written.replace("−", "-").replace(",", ""))


def fits(written, value):
    """Whether a number rounds to what is written. Its sign is the sentence's: a fall by 0.3."""
    digits = len(written.partition(".")[2])
    return abs(abs(value_of(written)) - abs(value)) <= 0.5 * 10 ** -digits * (1 + 1e-9)


def numbers_in(node):
    """All numbers that a part of a file says, without their signs."""
    if isinstance(node, dict):
        node = [*node.keys(), *node.values()]
    if isinstance(node, list):
        return set().union(*map(numbers_in, node))
    if isinstance(node, str):
        return {abs(value_of(match.group())) for match in NUMBER.finditer(node)}
    return {abs(float(node))} if isinstance(node, (int, float)) else set()


def parts_of(node):
    """What a part of a file gives: (name, value)."""
    return node.items() if isinstance(node, dict) else [("", node)]


def made_by(step):
    """The name of what a step makes."""
    return str(step.get("do")).partition("=")[0].strip()


def sums(words):
    """The sums in words that come to something: (begin, end, whether they come to that). A whole
    number is come to exactly, but after "≈"."""
    for match in SUM.finditer(words):
        left = match.group(1).replace("×", "*").replace("·", "*").replace("÷", "/")
        left = re.sub(r"√([0-9.]+)", r"math.sqrt(\1)", left.replace("−", "-"))
        left = re.sub(r"(?<=[0-9]),(?=[0-9]{3})", "", left)
        try:
            value = eval(left, {"math": math})
        except SyntaxError:
            continue
        exact = "." in match.group(2) or "≈" in match.group() or value == round(value)
        yield match.start(), match.end(), exact and fits(match.group(2), value)


def place_of(path):
    """Where a text stands, steps as the window counts them: "step 3, say, en"."""
    if path[0] == "steps":
        path = (f"step {path[1] + 1}", *path[2:])
    return ", ".join(map(str, path))


class Lesson:
    def __init__(self, program, path):
        self.id, self.file = path.stem, yaml.load(path.read_text(), READER)
        shown = subprocess.run([program, "show", str(path), "--json"], capture_output=True,
                               text=True, check=True)
        steps = json.loads(shown.stdout)["steps"]
        self.tensors = {step["name"]: [[float(x) for x in row] for row in step["values"]]
                        for step in steps}
        self.first = {step["name"] for step in steps if step["path"] == "given"}
        self.sizes = {size for step in steps
                      for size in (*step["shape"], math.prod(step["shape"]))}
        self.given = [(name, numbers_in(value)) for key in GIVEN
                      for name, value in parts_of(self.file.get(key))]
        self.printed = [(made_by(step), numbers_in(step.get("printed")))
                        for step in self.file["steps"]]
        self.about = {**ABOUT[""], **ABOUT.get(self.id[:2], {})}
        self.used = set()

    def cells(self, name):
        return sum(map(len, self.tensors[name]))

    def says(self, expression):
        train = ((self.file.get("model") or {}).get("weights") or {}).get("train") or {}
        return eval(expression, {"math": math, "t": self.tensors.get, "cells": self.cells,
                                 "tensors": self.tensors, "first": self.first, "train": train,
                                 "pairs": train.get("pairs", [])})

    def shows(self, step, written):
        """Whether a cell of what a step is about is that number."""
        names = step.get("show", step.get("at", made_by(step)))
        for name in names if isinstance(names, list) else [names]:
            cells = [x for row in self.tensors.get(name, []) for x in row]
            if len(cells) <= SHOWN_CELLS and any(fits(written, x) for x in cells):
                return True
        return False

    def has(self, sources, step, match):
        """Whether something given or printed says a number. Where that has a point there are many
        such: it is one of those that the step or the text names."""
        value = abs(value_of(match.group()))
        near = NAME.findall(" ".join(str(step.get(key)) for key in ("do", "show", "at")))
        near += NAME.findall(match.string)
        return any(value in numbers and ("." not in match.group() or name in near)
                   for name, numbers in sources)

    def why(self, path, match, results):
        """What a number follows from; None if nothing."""
        written = match.group().lstrip("−-")
        value, about = value_of(written), self.about.get(written)
        step = self.file["steps"][path[1]] if path[0] == "steps" else {}
        if "." not in written and value <= SMALL:
            return "counts, and other whole numbers up to twelve"
        if YEAR.fullmatch(written):
            return "years"
        if about:
            self.used.add(written)
            if about[0] == "?":
                return "held against the table" if self.says(about[2:]) else None
            if about[0] == "=":
                return "held against the table" if fits(written, self.says(about[2:])) else None
            return "not computed, for a reason in the table"
        for begin, end, good in results:
            if begin <= match.start() < end:
                return "in a sum" if good else None
        return ("given" if self.has(self.given, step, match) else
                "printed by the source" if self.has(self.printed, step, match) else
                "set by the step" if value in numbers_in(
                    [step.get(key) for key in ("do", "generate", "train")]) else
                "sizes" if value in self.sizes else
                "cells of what is shown" if self.shows(step, written) else None)


def check(lesson, counts):
    """Counts a lesson's numbers by what they follow from; gives those that are wrong."""
    wrong = []
    for path, words in texts(lesson.file):
        named = [slot for slot in NAMED.findall(words) if not slot[1:-1].isdigit()]
        counts["named, and filled in"] = counts.get("named, and filled in", 0) + len(named)
        words = NAMED.sub(lambda slot: "□" * len(slot.group()), words)
        results = list(sums(words))
        for match in NUMBER.finditer(words):
            why = lesson.why(path, match, results)
            if why:
                counts[why] = counts.get(why, 0) + 1
                continue
            near = words[max(0, match.start() - 30):match.end() + 20].replace("\n", " ")
            wrong.append(f"{lesson.id}, {place_of(path)}: {match.group()} in “{near}”")
    return wrong


def test_itself(program):
    """A wrong number, and a wrong sum, are found; a right one isn't."""
    lesson = Lesson(program, LESSONS / "08-one-head.yaml")
    for words, good in (("0.503", True), ("{A[2, 2]} of 0.507", False), ("0.503 and 43", False),
                        ("2 × 0.3 = 0.6", True), ("2 × 0.3 = 0.7", False),
                        ("515 / 8 = 64", False), ("2017", True)):
        lesson.file["steps"] = [{"show": "A", "say": words}]
        if bool(check(lesson, {})) == good:
            return [f"‘{words}’ is taken for {'wrong' if good else 'right'}"]
    return []


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, number, failed, counts = sys.argv[1], 1, 0, {}
    paths = sorted(LESSONS.glob("*.yaml"))
    print(f"1..{len(paths) + 1}")
    for line in test_itself(program):
        failed += 1
        print("#  ", line)
    print(f"{'not ok' if failed else 'ok'} 1 - the check finds what is wrong")
    for path in paths:
        lesson = Lesson(program, path)
        wrong = check(lesson, counts)
        idle = set(ABOUT.get(lesson.id[:2], {})) - lesson.used
        wrong += [f"the table's row for {written} is of no use" for written in sorted(idle)]
        number, failed = number + 1, failed + bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {number} - the numbers that {lesson.id} says")
        for line in wrong:
            print("#  ", line)
    for why, count in sorted(counts.items(), key=lambda row: -row[1]):
        print(f"# {count:5} {why}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
