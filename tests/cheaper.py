#!/usr/bin/env python3
"""The numbers and claims of lesson 43-cheaper, computed by NumPy from the definitions and not
from the lesson's expressions: experts token by token, rounding by rint, a loss changed a little,
softmax over all scores, drafts that are really drawn.

    tests/cheaper.py PROGRAM

Needs NumPy; without it everything is skipped. Prints TAP."""

import json
import pathlib
import subprocess
import sys

if len(sys.argv) < 2:
    sys.exit("usage: tests/cheaper.py PROGRAM")

try:
    import numpy as np
except ImportError:
    print("1..0 # SKIP python3-numpy is not installed")
    sys.exit()

LESSON = pathlib.Path(__file__).resolve().parents[1] / "lessons" / "43-cheaper.yaml"
NEAR = 1e-14

printed = subprocess.run([sys.argv[1], "show", str(LESSON), "--json"],
                         capture_output=True, text=True, check=True).stdout
shown = {step["name"]: np.array([[float(x) for x in row] for row in step["values"]])
         for step in json.loads(printed)["steps"] if "values" in step}
done = failed = 0


def ok(good, what):
    global done, failed
    done, failed = done + 1, failed + (not good)
    print(f"{'ok' if good else 'not ok'} {done} - {what}")


def near(name, value, tolerance=NEAR):
    """Whether a tensor of the lesson is this one."""
    value = np.atleast_2d(value)
    return shown[name].shape == value.shape and np.abs(shown[name] - value).max() <= tolerance


def given(*names):
    return [shown[name] for name in names]


def softmax(x):
    e = np.exp(x)
    return e / e.sum()


# ---- mixture of experts ----

X, W_r = given("X", "W_r")
probabilities, weights = np.zeros((3, 4)), np.zeros((3, 4))
for token, vector in enumerate(X):
    probabilities[token] = softmax(vector @ W_r)
    best = np.argsort(probabilities[token])[2:]
    weights[token, best] = probabilities[token, best] / probabilities[token, best].sum()
ok(near("P", probabilities), "the router's probabilities")
ok(near("G", weights), "the weights of two experts, their probabilities divided by the sum")
y = np.zeros(4)
for expert in (2, 4):
    up, down = given(f"up_{expert}", f"down_{expert}")
    y += weights[1, expert - 1] * (np.maximum(X[1] @ up, 0) @ down)
ok(set(np.flatnonzero(weights[1])) == {1, 3} and near("y", y), "the output for “cat”")


def parameters(experts, hidden, keys):
    """Those of a LLaMA-like model without its norms, counted shape by shape."""
    shapes = [(32000, 4096)] * 2
    for _ in range(32):
        shapes += [(4096, 4096)] * 2 + [(4096, keys)] * 2 + [(4096, hidden)] * 3 * experts
    return sum(rows * columns for rows, columns in shapes)


ok(near("billions", [parameters(n, 14336, 1024) / 1e9 for n in (8, 2)], 1e-12),
   "Mixtral's total and active parameters")
ok(near("gigabytes", [parameters(1, 11008, 4096) * bits / 8e9 for bits in (32, 16, 8, 4)], 1e-12),
   "LLaMA 2 7B's bytes")

# ---- LoRA ----

W, A, B_0, h = given("W", "A", "B_0", "h")


def loss(a, b):
    return -np.log(softmax(h[0] @ W + h[0] @ a @ b)[3])


def slope(f, at):
    """The gradient by central differences."""
    result = np.zeros_like(at)
    for index in np.ndindex(at.shape):
        step = np.zeros_like(at)
        step[index] = 1e-5
        result[index] = (f(at + step) - f(at - step)) / 2e-5
    return result


B_1 = B_0 - slope(lambda b: loss(A, b), B_0)
ok(near("W_0", W), "zeros in B change nothing")
ok(near("L", loss(A, B_0)), "the loss")
ok(not slope(lambda a: loss(a, B_0), A).any(), "the gradient of A is 0 as long as B is")
ok(near("W_1", W + np.outer(A, B_1), 1e-9) and np.linalg.matrix_rank(shown["W_1"] - W) == 1
   and loss(A, B_1) < loss(A, B_0), "the adapted matrix: rank 1, a smaller loss")
ok(near("percent", [100 * (4096 * r + r * 4096) / 4096 ** 2 for r in (1, 8, 64, 512, 2048)]),
   "the part of a matrix that is trained")

# ---- fewer bits ----

w = shown["w"][:, 0]
scales = [np.abs(w).max() / largest for largest in (127, 7)]
stored = np.vstack([np.rint(w / scale) for scale in scales])
errors = np.vstack([w - row * scale for row, scale in zip(stored, scales)])
ok(np.array_equal(shown["stored"], stored.T), "whole numbers, as rint has them")
ok(near("errors", errors.T) and all((np.abs(e) <= s / 2).all() for e, s in zip(errors, scales)),
   "the errors, none above half a scale")
outlier = np.where(w == w.min(), 7, w)
ok((np.rint(outlier / (7 / 7))[outlier != 7] == 0).sum() >= 6,
   "with an outlier of 7 most weights become 0")
pruned = W.copy()
for row in pruned:
    row[np.argsort(np.abs(row))[:2]] = 0
ok(near("pruned", pruned), "the two smallest weights of each row are 0")

# ---- FlashAttention ----

s, V = np.hstack(given("s_1", "s_2")), np.vstack(given("V_1", "V_2"))
whole = softmax(s[0]) @ V
ok(near("both", np.vstack([whole, whole])), "two blocks give the row that softmax gives")
ok(near("first", np.exp(s[0, :2] - 3) @ V[:2])
   and near("sums", [np.exp(s[0, :2] - 5) @ V[:2], np.exp(s[0, 2:] - 5) @ V[2:]]),
   "the sums after each block")

# ---- speculative decoding ----

q, p = (row[0] for row in given("q", "p"))
accepted = np.minimum(1, p / q)
rest = np.maximum(0, p - q)
ok(near("accepted", accepted) and near("redrawn", rest / rest.sum()),
   "the probabilities of being accepted, and of being drawn after a rejection")
ok(near("result", np.vstack([p, p])), "together they are the target's probabilities")
random, draws = np.random.default_rng(43), 200000
drafts = random.choice(4, draws, p=q)
kept = random.random(draws) < accepted[drafts]
tokens = np.where(kept, drafts, random.choice(4, draws, p=rest / rest.sum()))
counted = np.bincount(tokens, minlength=4) / draws
ok((np.abs(counted - p) < 5 * np.sqrt(p * (1 - p) / draws)).all(),
   f"of {draws} tokens drawn that way: {counted}")
instead = np.where(kept, drafts, random.choice(4, draws, p=p))
ok(np.bincount(instead, minlength=4)[0] / draws > p[0] + 0.05,
   "with a draw from p after a rejection, “the” comes too often")

print(f"1..{done}")
sys.exit(failed > 0)
