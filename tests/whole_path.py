#!/usr/bin/env python3
"""The numbers and claims of lesson 40-the-whole-path, computed again by NumPy in float64 from
the weights that the program shows: every tensor of the model, the answers to the sentences
that training has not seen, what they become when keys are hidden, and its last pages' trials.

    tests/whole_path.py PROGRAM

Needs NumPy; without it everything is skipped. Prints TAP."""

import importlib.util
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

if len(sys.argv) < 2:
    sys.exit("usage: tests/whole_path.py PROGRAM")

try:
    import numpy as np
except ImportError:
    print("1..0 # SKIP python3-numpy is not installed")
    sys.exit()

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
LESSONS = pathlib.Path(__file__).resolve().parents[1] / "lessons"
NAME = "40-the-whole-path"
NEAR = 1e-13

WORDS = ("<pad> Mia Anna Lily Tom Ben Max called met thanked left late sad happy tired because "
         "she he was <sos> <eos>").split()
IDS = {word: i for i, word in enumerate(WORDS)}
WOMEN, MEN = {"Mia", "Anna", "Lily"}, {"Tom", "Ben", "Max"}
HEADS, D_K = 2, 3

done = 0


def ok(good, what, why=""):
    global done
    done += 1
    print(f"{'ok' if good else 'not ok'} {done} - {what}")
    if not good and why:
        print(f"# {why}")


def run(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=True).stdout


# ---- the model ----

class Model:
    """The forward pass. `hidden` has the keys that a row can't read, in all heads of an
    attention: {"encoder.0.self_attention": {(row, key)}}."""

    def __init__(self, tensors):
        self.given = tensors

    def softmax(self, x):
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def norm(self, name, x):
        mean = x.mean(axis=1, keepdims=True)
        scaled = (x - mean) / np.sqrt(((x - mean) ** 2).mean(axis=1, keepdims=True) + 1e-5)
        return self.keep(name, scaled * self.given[name + ".gamma"] + self.given[name + ".beta"])

    def keep(self, name, x):
        self.made[name] = x
        return x

    def embed(self, side, ids):
        x = self.keep(f"{side}.embedding", self.given[f"{side}.embedding.table"][ids])
        n, d = x.shape
        angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)[None, :]
        position = np.empty((n, d))
        position[:, 0::2], position[:, 1::2] = np.sin(angles), np.cos(angles)
        if not self.positions:
            return x
        return self.keep(f"{side}.input", x + self.keep(f"{side}.position", position))

    def attention(self, name, x, memory, mask):
        given = self.given
        q, k, v = (self.keep(f"{name}.{part}", rows @ given[f"{name}.W_{part[0].upper()}"]
                             + given[f"{name}.b_{part[0].upper()}"])
                   for part, rows in (("query", x), ("key", memory), ("value", memory)))
        outputs = []
        for head in range(HEADS):
            columns, at = slice(D_K * head, D_K * (head + 1)), f"{name}.head.{head}"
            scores = self.keep(f"{at}.scores", q[:, columns] @ k[:, columns].T)
            scaled = self.keep(f"{at}.scaled", scores / math.sqrt(D_K)).copy()
            for row, key in self.hidden.get(name, ()):
                if row < len(scaled):
                    scaled[row, key] = -np.inf
            for row, key in self.hidden.get(at, ()):
                scaled[row, key] = -np.inf
            if mask is not None:
                scaled = self.keep(f"{at}.masked", scaled + mask)
            weights = self.keep(f"{at}.weights", self.softmax(scaled))
            outputs.append(self.keep(f"{at}.output", weights @ v[:, columns]))
        joined = self.keep(f"{name}.concat", np.hstack(outputs))
        return self.keep(f"{name}.projected", joined @ given[f"{name}.W_O"] + given[f"{name}.b_O"])

    def network(self, name, x):
        hidden = self.keep(f"{name}.linear_1", x @ self.given[f"{name}.W_1"] + self.given[f"{name}.b_1"])
        active = self.keep(f"{name}.relu", np.maximum(hidden, 0))
        return self.keep(f"{name}.linear_2", active @ self.given[f"{name}.W_2"] + self.given[f"{name}.b_2"])

    def encode(self, source):
        x = self.embed("encoder", source)
        e = "encoder.0"
        x = self.norm(f"{e}.norm_1", self.keep(
            f"{e}.residual_1", x + self.attention(f"{e}.self_attention", x, x, None)))
        x = self.norm(f"{e}.norm_2", self.keep(
            f"{e}.residual_2", x + self.network(f"{e}.feed_forward", x)))
        return self.keep("memory", x)

    def decode(self, target, memory):
        y, d = self.embed("decoder", target), "decoder.0"
        mask = self.keep("decoder.mask", np.triu(np.full((len(y), len(y)), -np.inf), 1))
        y = self.norm(f"{d}.norm_1", self.keep(
            f"{d}.residual_1", y + self.attention(f"{d}.self_attention", y, y, mask)))
        y = self.norm(f"{d}.norm_2", self.keep(
            f"{d}.residual_2", y + self.attention(f"{d}.cross_attention", y, memory, None)))
        y = self.norm(f"{d}.norm_3", self.keep(
            f"{d}.residual_3", y + self.network(f"{d}.feed_forward", y)))
        logits = self.keep("logits", y @ self.given["logits.W"] + self.given["logits.b"])
        return self.keep("probabilities", self.softmax(logits))

    def forward(self, source, target, hidden=None, positions=True):
        self.made, self.hidden, self.positions = {}, hidden or {}, positions
        return self.decode([IDS[word] for word in target],
                           self.encode([IDS[word] for word in source.split()]))

    def generate(self, source, hidden=None, positions=True):
        text = ["<sos>"]
        while len(text) < 6:
            chances = self.forward(source, text, hidden, positions)[-1]
            text.append(WORDS[1 + int(chances.argmax())])
            if text[-1] == "<eos>":
                return " ".join(text[1:-1])
        return " ".join(text[1:])


# ---- what the program shows ----

shown = {step["name"]: np.array([[float(x) for x in row] for row in step["values"]])
         for step in json.loads(run("show", LESSONS / f"{NAME}.yaml", "--json"))["steps"]
         if "values" in step}
model = Model(shown)
SENTENCE = "Mia called Tom because she was late"
model.forward(SENTENCE, ["<sos>", "Mia", "was"])
far = {}
for name, x in model.made.items():
    if name in ("encoder.0.norm_2",):
        continue
    if name not in shown or shown[name].shape != x.shape:
        far[name] = "is not shown"
        continue
    finite = np.isfinite(x)
    if (finite != np.isfinite(shown[name])).any() or np.abs(x[finite] - shown[name][finite]).max() > NEAR:
        far[name] = np.abs(x[finite] - shown[name][finite]).max()
ok(not far and len(model.made) > 60, f"all {len(model.made)} tensors are NumPy's, to {NEAR}", str(far))

# ---- sentences that training has not seen ----

specification = importlib.util.spec_from_file_location("data", LESSONS / "data" / "who_was_late.py")
data = importlib.util.module_from_spec(specification)
specification.loader.exec_module(data)
learned, held_out = data.divided()
text = (LESSONS / "data" / "who-was-late.txt").read_text(encoding="utf-8")
ok(text == "".join(f"{source}\t{target}\n" for source, target in learned),
   "the pairs are those that the script writes")
text = (LESSONS / "data" / "who-was-late-held-out.txt").read_text(encoding="utf-8")
ok(text == "".join(f"{source}\t{target}\n" for source, target in held_out),
   "so are the held-out ones, whose right answers the lesson counts")
ok(len(learned) == 576 and len(held_out) == 192 and not set(learned) & set(held_out)
   and (SENTENCE, "Mia was late") in held_out, "192 sentences, the lesson's own among them, are held out")


def parts(source):
    """Indices of the pronoun, of the name that is meant and of the other one."""
    words = source.split()
    pronoun = 4
    meant = [i for i in (0, 2) if words[i] in (WOMEN if words[pronoun] == "she" else MEN)][0]
    return pronoun, meant, 2 - meant


def is_readable(model, source):
    """True if head 1 of the encoder gives the meant name the pronoun's largest weight."""
    pronoun, meant, other = parts(source)
    model.forward(source, ["<sos>"])
    return model.made["encoder.0.self_attention.head.0.weights"][pronoun].argmax() == meant


readable = above = read = 0
for source, target in held_out:
    pronoun, meant, other = parts(source)
    readable += is_readable(model, source)
    weights = model.made["encoder.0.self_attention.head.0.weights"][pronoun]
    above += weights[meant] > weights[other]
    read += all(model.made[f"decoder.0.cross_attention.head.{h}.weights"][0].argmax() == pronoun
                for h in range(HEADS))
ok(readable >= 180, f"head 1 gives the meant name the largest weight: {readable} of 192")
ok(above == 191, f"and a larger one than the other name: {above} of 192")
ok(read == 192, f"both heads of the answer read the pronoun first: {read} of 192")

ENCODER, CROSS = "encoder.0.self_attention", "decoder.0.cross_attention"
CUTS = (
    ("nothing", lambda p, m, o: {}, 192),
    ("the meant name from the pronoun", lambda p, m, o: {ENCODER: {(p, m)}}, 48),
    ("the other name from the pronoun", lambda p, m, o: {ENCODER: {(p, o)}}, 192),
    ("the pronoun from <sos>", lambda p, m, o: {CROSS: {(0, p)}}, 23),
    ("the meant name from <sos>", lambda p, m, o: {CROSS: {(0, m)}}, 192),
    ("the adjective from “was”", lambda p, m, o: {CROSS: {(2, 6)}}, 47),
)
for what, cut, wanted in CUTS:
    right = sum(model.generate(source, cut(*parts(source))) == target for source, target in held_out)
    ok(right == wanted, f"hidden {what}: {right} of 192 are right", f"not {wanted}")
right = 0
for source, target in held_out:
    first = model.forward(source, ["<sos>"], positions=False)[0]
    right += WORDS[1 + int(first.argmax())] == target.split()[0]
ok(right == 37, f"without positions {right} of 192 names are right")

# ---- the lesson's trials ----

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    shutil.copytree(LESSONS / "data", folder / "data")
    lesson = (LESSONS / f"{NAME}.yaml").read_text(encoding="utf-8")

    def answer(cell=None, *words):
        """The generated answer, and the first row of probabilities, with a cell at −∞."""
        changes = "changes:\n  - {cell: [%s.head.0.scaled, %d, %d], value: -inf}\n" % (ENCODER, *cell) if cell else ""
        (folder / "cut.yaml").write_text(lesson + changes, encoding="utf-8")
        said = run("generate", folder / "cut.yaml", *words).splitlines()[-1]
        tensors = json.loads(run("show", folder / "cut.yaml", "--json", *words))["steps"]
        rows = {step["name"]: step["values"] for step in tensors if "values" in step}
        return said, rows["probabilities"][0], rows["said.turn_1.chances"][0]

    for what, cell, wanted, chance in (
            ("nothing", None, "Mia was late", 0.999), ("“Mia”", (4, 0), "Lily was late", 0.901),
            ("“Tom”", (4, 2), "Mia was late", 0.999)):
        said, chances, generated = answer(cell)
        numpy = model.forward(SENTENCE, ["<sos>", "Mia", "was"],
                              {f"{ENCODER}.head.0": {cell}} if cell else None)[0]
        ok(said.startswith(wanted) and np.abs(np.array(chances) - numpy).max() < NEAR
           and np.abs(np.array(generated) - numpy).max() < NEAR and round(numpy.max(), 3) == chance,
           f"“she” can't read {what}: {wanted}", f"{said}, {numpy.max()}")
    he = SENTENCE.replace("she", "he")
    said = answer(None, "--text", he)[0]
    model.forward(he, ["<sos>"])
    weight = model.made[f"{ENCODER}.head.0.weights"][4, 2]
    ok(said.startswith("Tom was late") and round(weight, 2) == 0.69, "of “he” it says Tom", f"{said}, {weight}")

    (folder / "seed.yaml").write_text(lesson + "changes:\n  - {seed: 213}\n", encoding="utf-8")
    other = Model({step["name"]: np.array([[float(x) for x in row] for row in step["values"]])
                   for step in json.loads(run("show", folder / "seed.yaml", "--json"))["steps"]
                   if "values" in step})
    readable = sum(is_readable(other, source) for source, target in held_out)
    right = sum(other.generate(source) == target for source, target in held_out)
    ok(readable == 50 and right == 192,
       f"with seed 213 head 1 names the meant one in {readable} of 192, and {right} answers are right")

    (folder / "train.yaml").write_text(lesson, encoding="utf-8")
    run("train", folder / "train.yaml", "--out", folder / "run.safetensors",
        "--weights", folder / "again.safetensors")
    ok((folder / "again.safetensors").read_bytes() == (LESSONS / "data" / "who-was-late.safetensors").read_bytes(),
       "the kept weights are those that training gives")

memories = {}
for name in ("Mia", "Anna"):
    model.forward(SENTENCE.replace("Mia", name), ["<sos>"])
    memories[name] = model.made["memory"]
far = {}
for name in ("Anna", "Lily"):
    model.forward(SENTENCE.replace("Mia", name), ["<sos>", "Mia", "was"])
    for tensor in ("encoder.embedding", "memory", "probabilities"):
        other = json.loads(run("show", LESSONS / f"{NAME}.yaml", "--json", "--text", SENTENCE.replace("Mia", name)))
        values = {step["name"]: step["values"] for step in other["steps"] if "values" in step}[tensor]
        far[name, tensor] = np.abs(model.made[tensor] - np.array(values)).max()
ok(max(far.values()) < NEAR, "the vectors of the other two sentences are NumPy's", str(far))
model.made, model.hidden, model.positions = {}, {}, True
exchanged = memories["Mia"].copy()
exchanged[4] = memories["Anna"][4]
ok(WORDS[1 + int(model.decode([IDS["<sos>"]], exchanged)[0].argmax())] == "Anna",
   "the vector of “she” carries the name: Anna's, in Mia's sentence, gives Anna")

# ---- the pages ----

pages = re.split(r"\n  - (?=at:|show:|generate:)", lesson)[1:]
seconds = [int(re.search(r"\n    seconds: (\d+)", page).group(1)) for page in pages]
ok(len(pages) == 26 and sum(seconds) == 60 * int(re.search(r"\nminutes: (\d+)", lesson).group(1)),
   f"{len(pages)} pages take {sum(seconds)} seconds")
ok(all(page.count("    concept:") == page.count("\n    ask:") == 1 for page in pages),
   "each page names its concept and asks one question")
typed = [word for page in pages for word in re.findall(r"\d+\.\d+", re.sub(r"\{[^{}\n]*\}", "", "".join(
    re.findall(r"\n    say:\n(?:      .*\n)+", page))))]
ok(not typed, "computed numbers are placeholders", str(typed))
ok(all(re.search(r"lessons? \d", page) and re.search(r"第 [\d、]+ 课", page) or "lesson 0" in page or i == 25
       for i, page in enumerate(pages)), "each page leads to the lesson that goes deeper")

print(f"1..{done}")
