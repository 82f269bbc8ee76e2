#!/usr/bin/python3
"""Random models of all kinds, held against the published architectures in PyTorch.

    models.py GLASSFORMER COUNT [SEED]

Each is a lesson with a model; one with a decoder is trained for a few updates first.
PyTorch (tests/reference/architectures.py) begins with the same parameters, makes the same
updates by its own gradients, and has to come to the same parameters; then every tensor that
the lesson computes has to be PyTorch's. Prints TAP."""

import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

if len(sys.argv) < 3:
    sys.exit(__doc__)

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "reference"))
import architectures  # noqa: E402

TOLERANCE = 1e-10  # of the largest magnitude, at least 1
TRAINED = 1e-9  # of parameters behind several updates
RATE = 0.05

torch.set_default_dtype(torch.float64)


class Lesson:
    """A model's lesson, with what PyTorch needs to know of it."""

    def __init__(self, seed):
        self.random, self.seed = random.Random(seed), seed
        choose = self.random
        self.kind = choose.choice(["encoder_decoder", "encoder", "decoder", "decoder"])
        self.words = ["<sos>", "<eos>"] + list("abcdefgh")[: choose.randint(2, 8)]
        kv_heads, group = choose.choice([1, 1, 2, 3]), choose.choice([1, 1, 2, 3])
        heads = kv_heads * group
        layers = choose.randint(1, 2)
        encodes, decodes = self.kind != "decoder", self.kind != "encoder"
        self.norm = choose.choice(["post", "pre", "rms"])
        self.shape = {
            "d_model": heads * 2 * choose.randint(1, 3), "heads": heads, "kv_heads": kv_heads,
            "d_ff": choose.randint(1, 9), "epsilon": choose.choice([1e-5, 1e-3]),
            "encoder_layers": layers * encodes, "decoder_layers": layers * decodes,
            "first_output": 1, "pre_norm": self.norm != "post", "rms": self.norm == "rms",
            "final_norm": choose.random() < 0.5, "biases": choose.random() < 0.5,
            "scale_embedding": choose.random() < 0.3, "tied": choose.random() < 0.5,
            "positions": choose.choice(["sines", "learned", "rotary", "none"]),
            "segments": choose.choice([0, 0, 2]), "embedding_norm": choose.random() < 0.2,
            "activation": choose.choice(["relu", "gelu", "gelu_tanh", "silu", "swiglu"]),
        }
        self.source = self.ids(0.3) if encodes else None
        self.target = [1] + self.ids(0.3) if decodes else None
        self.examples = [(self.ids(0), self.ids(0)) for _ in range(choose.randint(1, 3))]
        self.epochs = choose.randint(1, 3) if decodes else 0

    def ids(self, padded):
        """Of words, now and then with padding, which is 0."""
        ids = [self.random.randint(3, len(self.words)) for _ in range(self.random.randint(1, 6))]
        if self.random.random() < padded:
            ids[self.random.randrange(len(ids))] = 0
        return ids if any(ids) else [3]

    def text(self, ids):
        return " ".join(self.words[i - 1] for i in ids)

    def model(self):
        shape = self.shape
        said = {"kind": self.kind, "norm": self.norm, "context": 9,
                "layers": max(shape["encoder_layers"], shape["decoder_layers"]),
                "vocabulary": self.words, "tie": shape["tied"]}
        for key in ["d_model", "heads", "d_ff", "epsilon", "positions", "activation", "final_norm",
                    "biases", "scale_embedding", "segments", "embedding_norm"]:
            said[key] = shape[key]
        if shape["kv_heads"] != shape["heads"]:
            said["kv_heads"] = shape["kv_heads"]
        if self.source:
            said["source"] = self.source
        if self.target:
            said["target"] = self.target
        return said

    def lines(self, trains):
        """The lesson's, trained or as it is before that."""
        model = self.model()
        weights = {"random": self.seed}
        if trains:
            pairs = [[self.text(a), self.text(b)] for a, b in self.examples]
            weights = {"train": {"epochs": self.epochs, "optimizer": "sgd", "learning_rate": RATE,
                                 "seed": self.seed}}
            if self.source:
                weights["train"]["pairs"] = pairs
            else:
                weights["train"]["texts"] = [b for _, b in pairs]
        lines = ["title: Random", "model:"]
        lines += [f"  {key}: {json.dumps(value)}" for key, value in model.items()]
        return lines + [f"  weights: {json.dumps(weights)}"]


def number(value):
    return {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}.get(value, value)


def show(program, path):
    """Each tensor's name, and its operation with its numbers."""
    shown = subprocess.run([program, "show", path, "--json"], capture_output=True, text=True)
    if shown.returncode:
        raise ValueError(shown.stderr.strip())
    return {step["name"]: (step["op"], torch.tensor([[number(v) for v in row]
                                                     for row in step["values"]]))
            for step in json.loads(shown.stdout)["steps"]}


def names_of(shown):
    return [name for name, (op, _) in shown.items()
            if op == "given" and "." in name]


def difference(name, shown, made, tolerance):
    if made is None:
        return f"{name} is nothing that PyTorch makes"
    made = made.detach()
    if shown.shape != made.shape:
        return f"{name} is {list(shown.shape)}, not {list(made.shape)}"
    finite = shown[shown.isfinite()].abs()
    scale = max(1, finite.max().item()) if len(finite) else 1
    same = (shown == made) | ((shown - made).abs() <= tolerance * scale)
    return None if same.all() else f"{name} differs by {(shown - made)[~same].abs().max():g}"


def loss_of(lesson, parameters):
    """The mean over all words of all examples, each of which begins with the start and is to
    end with the end."""
    losses = []
    for source, target in lesson.examples:
        made = architectures.run(lesson.shape, parameters, lesson.source and source, [1] + target)
        columns = torch.tensor([i - 1 for i in target + [2]])
        losses.append(torch.nn.functional.cross_entropy(made["logits"], columns, reduction="none"))
    return torch.cat(losses).mean()


def trained(lesson, parameters):
    """The parameters behind the lesson's updates by plain descent, by PyTorch's gradients."""
    parameters = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    for _ in range(lesson.epochs):
        loss_of(lesson, parameters).backward()
        with torch.no_grad():
            for value in parameters.values():
                if value.grad is not None:
                    value -= RATE * value.grad
                    value.grad = None
    return {name: value.detach() for name, value in parameters.items()}


def wrong_with(program, folder, seed):
    path = folder / f"model-{seed}.yaml"
    lesson = Lesson(seed)
    path.write_text("\n".join(lesson.lines(False)) + "\n")
    shown = show(program, path)
    names = names_of(shown)
    told = []
    if lesson.epochs:
        after = trained(lesson, {name: shown[name][1] for name in names})
        path.write_text("\n".join(lesson.lines(True)) + "\n")
        shown = show(program, path)
        told += [difference(name, shown[name][1], after[name], TRAINED) for name in names]
    parameters = {name: shown[name][1] for name in names}
    made = architectures.run(lesson.shape, parameters, lesson.source, lesson.target)
    told += [difference(name, value, made.get(name), TOLERANCE)
             for name, (op, value) in shown.items() if op not in ("given", "show")]
    return [words for words in told if words]


def main(wrong_with, what):
    """Tries as many as the command line says, and prints of each how it went."""
    program, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(count):
            try:
                wrong = wrong_with(program, pathlib.Path(folder), first + i)
            except ValueError as error:
                wrong = [str(error)]
            bad += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} {i + 1} - {what} {first + i}")
            for words in wrong[:6]:
                print(f"#   {words}")
    print(f"1..{count}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main(wrong_with, "model")
