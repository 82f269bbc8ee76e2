#!/usr/bin/env python3
"""The numbers of the course's pages about learning, computed by NumPy from the definitions and
not from the lessons' expressions, and by PyTorch where it is installed: gradients of an attention
head (31-training), Adam's first updates (31-training), and sizes for a given amount of training
(34-learned-or-computed).

    tests/learning.py PROGRAM

Needs NumPy; without it everything is skipped. Prints TAP."""

import json
import pathlib
import subprocess
import sys

if len(sys.argv) < 2:
    sys.exit("usage: tests/learning.py PROGRAM")

try:
    import numpy as np
except ImportError:
    print("1..0 # SKIP python3-numpy is not installed")
    sys.exit()

try:
    import torch
except ImportError:
    torch = None

LESSONS = pathlib.Path(__file__).resolve().parents[1] / "lessons"
done = failed = 0


def ok(good, what):
    global done, failed
    done, failed = done + 1, failed + (not good)
    print(f"{'ok' if good else 'not ok'} {done} - {what}")


def skip(what):
    global done
    done += 1
    print(f"ok {done} - {what} # SKIP PyTorch is not installed")


def tensors(lesson):
    """Those that a lesson is given and computes, by name."""
    printed = subprocess.run([sys.argv[1], "show", str(LESSONS / f"{lesson}.yaml"), "--json"],
                             capture_output=True, text=True, check=True).stdout
    return {step["name"]: np.array([[float(x) for x in row] for row in step["values"]])
            for step in json.loads(printed)["steps"] if "values" in step}


def same(value, expected, tolerance=1e-14):
    expected = np.atleast_2d(expected)
    return value.shape == expected.shape and np.abs(value - expected).max() <= tolerance


shown = tensors("31-training")

# ---- gradients of a head ----

X, x, K = shown["X"], shown["x"][0], shown["K"]
matrices = {"d_Q": shown["W_Q"], "d_V": shown["W_V"]}


def softmax(values):
    e = np.exp(values - values.max())
    return e / e.sum()


def loss(W_Q, W_V):
    """−ln of the first word's probability, token by token."""
    query = x @ W_Q
    weights = softmax(np.array([query @ key for key in K]) / np.sqrt(2))
    output = sum(weight * (vector @ W_V) for weight, vector in zip(weights, X))
    return -np.log(softmax(output)[0])


def slope(f, at):
    """The gradient by central differences."""
    result = np.zeros_like(at)
    for index in np.ndindex(at.shape):
        step = np.zeros_like(at)
        step[index] = 1e-5
        result[index] = (f(at + step) - f(at - step)) / 2e-5
    return result


W_Q, W_V = matrices.values()
ok(same(shown["L"], loss(W_Q, W_V)), "the loss of one output")
ok(same(shown["d_Q"], slope(lambda W: loss(W, W_V), W_Q), 1e-9), "the gradient of W_Q, by differences")
ok(same(shown["d_V"], slope(lambda W: loss(W_Q, W), W_V), 1e-9), "the gradient of W_V, by differences")
ok(np.abs(shown["check"][:, :2] - shown["d_Q"][0, 0]).max() < 1e-14
   and np.abs(shown["check"] - shown["d_Q"][0, 0]).max() < 1e-6, "three computations agree")
if torch:
    q, v = (torch.tensor(W, requires_grad=True) for W in (W_Q, W_V))
    a = torch.softmax(torch.tensor(x[None]) @ q @ torch.tensor(K).T / 2 ** 0.5, dim=-1)
    output = a @ (torch.tensor(X) @ v)
    output.retain_grad()
    torch.nn.functional.cross_entropy(output, torch.tensor([0])).backward()
    ok(all(same(shown[name], tensor.grad.numpy(), 1e-15)
           for name, tensor in (("d_o", output), ("d_Q", q), ("d_V", v))), "PyTorch's gradients")
else:
    skip("PyTorch's gradients")

# ---- Adam ----

B_1, B_2 = 0.9, 0.999
g, m, means = shown["g"][:, 0], 0.0, []
for gradient in g:
    m = B_1 * m + (1 - B_1) * gradient
    means.append(m)
ok(np.allclose(shown["fading"] @ g, means, rtol=0, atol=1e-15), "the weights of the gradients in the mean")
ok(np.allclose(shown["fading"].sum(axis=1), 1 - B_1 ** np.arange(1, 5)), "they sum to 1 − β₁ᵗ")
m, v, without = 0.0, 0.0, {}
for t in range(1, 4097):
    m, v = B_1 * m + (1 - B_1), B_2 * v + (1 - B_2)
    without[t] = m / np.sqrt(v)
ok(np.allclose(shown["pace"][:, 0], [without[int(t)] for t in shown["updates"][:, 0]], rtol=1e-11),
   "steps without the correction, update by update")
if torch:
    weight = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    adam, steps = torch.optim.Adam([weight], lr=1, eps=0), []
    for t in range(4096):
        before = weight.item()
        weight.grad = torch.tensor([0.37], dtype=torch.float64)
        adam.step()
        steps.append(before - weight.item())
    ok(np.allclose(steps, 1, atol=1e-9) and (shown["pace"][:, 1] == 1).all(),
       "PyTorch's Adam, which corrects: each step is the learning rate")
    weight = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    adam = torch.optim.Adam([weight], lr=1)
    for gradient in g[:2]:
        weight.grad = torch.tensor([gradient], dtype=torch.float64)
        adam.step()
    state = adam.state[weight]
    ok(abs(state["exp_avg"].item() - (shown["fading"] @ g)[1]) < 1e-15, "PyTorch's mean after two updates")
else:
    skip("PyTorch's Adam")
    skip("PyTorch's mean after two updates")

# ---- sizes for a given amount of training ----

shown = tensors("34-learned-or-computed")
sizes = np.array([10e9, 70e9, 175e9, 405e9])
ok(np.allclose(shown["budget"], np.array([sizes / 1e9, 20 * sizes / 1e9, 6 * sizes * 20 * sizes / 1e21]).T,
               rtol=1e-14), "C = 6 N D with 20 tokens per parameter")
# Hoffmann and others (2022), table 3: sizes, operations and tokens of their first estimate.
table = np.array([[0.4e9, 1.92e19, 8.0e9], [1e9, 1.21e20, 20.2e9], [10e9, 1.23e22, 205.1e9],
                  [67e9, 5.76e23, 1.5e12], [175e9, 3.85e24, 3.7e12], [280e9, 9.90e24, 5.9e12]])
ok(np.allclose(6 * table[:, 0] * table[:, 2], table[:, 1], rtol=0.05)
   and (np.abs(table[:, 2] / table[:, 0] / 20 - 1) < 0.13).all(),
   "the paper's own table: C = 6 N D, and 20 to 22.4 tokens per parameter")


def law(n, d):
    """The loss above 1.82, for size and for data, by the fit of Besiroglu and others (2024)."""
    return np.array([482.01 * n ** -0.3478, 2085.43 * d ** -0.3658])


C = 6 * 175e9 * 300e9
candidates = shown["candidates"][:, 0] * 1e9
terms = law(candidates, C / 6 / candidates)
ok(np.allclose(shown["same_cost"].T, [*terms, terms.sum(axis=0)], rtol=1e-13)
   and terms.sum(axis=0).argmin() == 3, "the loss of models of equal cost, smallest at 50 billion")
fine = np.geomspace(1e9, 1e12, 20001)
best = fine[law(fine, C / 6 / fine).sum(axis=0).argmin()]
ok(50e9 < best < 56e9 and 17 < C / 6 / best ** 2 < 21 and abs(np.sqrt(C / 120) - 51.2e9) < 0.1e9,
   f"the best has {best / 1e9:.1f} billion parameters, {C / 6 / best ** 2:.1f} tokens each")

print(f"1..{done}")
sys.exit(failed > 0)
