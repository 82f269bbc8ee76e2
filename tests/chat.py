#!/usr/bin/env python3
"""The numbers and claims of lesson 41-a-chat, computed again by NumPy in float64 from the trained
weights that the program exports: the model's tensors, its answers to every conversation of its
training, the losses and gradients, the best policy of all, and the addition.

    tests/chat.py PROGRAM

Needs NumPy; without it everything is skipped. Prints TAP."""

import pathlib
import subprocess
import sys
import tempfile

if len(sys.argv) < 2:
    sys.exit("usage: tests/chat.py PROGRAM")

try:
    import numpy as np
except ImportError:
    print("1..0 # SKIP python3-numpy is not installed")
    sys.exit()

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
LESSON = pathlib.Path(__file__).resolve().parents[1] / "lessons" / "41-a-chat.yaml"
NEAR = 1e-12
WORDS = ("<pad> <system> <user> <assistant> <end> short polite where is in Mia Tom Anna Ben Rome Oslo "
         "Cairo hello I am ? unknown").split()
CITIES = {"Mia": "Rome", "Tom": "Oslo", "Anna": "Cairo"}
HEADS = 2

done = 0


def ok(good, what, why=""):
    global done
    done += 1
    print(f"{'ok' if good else 'not ok'} {done} - {what}")
    if not good and why:
        print(f"# {why}")


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([PROGRAM, "export", str(LESSON), "--format", "npz", "--out", folder],
                   capture_output=True, check=True)
    with np.load(next(pathlib.Path(folder).rglob("*.npz"))) as file:
        shown = {name: file[name] for name in file.files}


def near(name, value):
    """Whether a tensor of the program is NumPy's."""
    value = np.atleast_2d(value)
    return shown[name].shape == value.shape and np.abs(shown[name] - value).max() < NEAR


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


# ---- the model ----

def norm(name, x):
    centred = x - x.mean(axis=1, keepdims=True)
    return (centred / np.sqrt((centred ** 2).mean(axis=1, keepdims=True) + 1e-5)
            * shown[name + ".gamma"] + shown[name + ".beta"])


def logits(words):
    """The logits after each token of a text."""
    table = shown["decoder.embedding.table"]
    d, n = table.shape[1], len(words)
    angle = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    x = table[[WORDS.index(word) for word in words]].copy()
    x[:, 0::2] += np.sin(angle)
    x[:, 1::2] += np.cos(angle)
    part = {letter: x @ shown[f"decoder.0.self_attention.W_{letter}"]
            + shown[f"decoder.0.self_attention.b_{letter}"] for letter in "QKV"}
    heads = []
    for head in range(HEADS):
        columns = slice(head * d // HEADS, (head + 1) * d // HEADS)
        scores = part["Q"][:, columns] @ part["K"][:, columns].T / np.sqrt(d / HEADS)
        scores[np.triu_indices(n, 1)] = -np.inf
        heads.append(softmax(scores) @ part["V"][:, columns])
    x = norm("decoder.0.norm_1", x + np.hstack(heads) @ shown["decoder.0.self_attention.W_O"]
             + shown["decoder.0.self_attention.b_O"])
    inner = np.maximum(x @ shown["decoder.0.feed_forward.W_1"] + shown["decoder.0.feed_forward.b_1"], 0)
    x = norm("decoder.0.norm_2", x + inner @ shown["decoder.0.feed_forward.W_2"]
             + shown["decoder.0.feed_forward.b_2"])
    return x @ shown["logits.W"] + shown["logits.b"]


def answer(system, message):
    """The answer to a message, greedily: its tokens, the logits and the probability of each."""
    words = f"<system> {system} <end> <user> {message} <end> <assistant>".split()
    start, rows, sure = len(words), [], []
    while words[-1] != "<end>" or len(words) == start:
        rows.append(logits(words)[-1])
        sure.append(softmax(rows[-1]).max())
        words.append(WORDS[1 + rows[-1].argmax()])
        if len(words) > start + 6:
            break
    return " ".join(words[start:]), np.array(rows), sure


right, sure = True, []
for name in [*CITIES, "Ben"]:
    for system in ("short", "polite"):
        greeting = "hello <end>" if system == "short" else f"hello {name} <end>"
        said, _, chances = answer(system, f"I am {name}")
        right &= said == greeting
        sure += chances
        if name in CITIES:
            place = f"{CITIES[name]} <end>" if system == "short" else f"{name} is in {CITIES[name]} <end>"
            said, _, chances = answer(system, f"where is {name} ?")
            right &= said == place
            sure += chances
ok(right and min(sure) > 0.95, "all 14 conversations are answered as in training", f"{right}, {min(sure)}")
for made, system, who in (("reply", "short", "Mia"), ("full", "polite", "Mia"), ("made_up", "short", "Ben")):
    ok(near(f"logits_{made}", answer(system, f"where is {who} ?")[1]), f"the logits of {made}")
said, _, chances = answer("short", "where is Ben ?")
ok(said == "Cairo <end>" and chances[0] > 0.99, "Ben's place is made up, with certainty", f"{said} {chances}")

# ---- losses ----

TEXT = "<system> short <end> <user> where is Mia ? <end> <assistant> Rome <end>".split()
goal = np.array([WORDS.index(word) - 1 for word in TEXT[1:]])
each = np.arange(len(goal))
chance = softmax(logits(TEXT[:-1]))
losses = -np.log(chance[each, goal])
ok(near("per_token", losses), "the loss of each token")
least = np.zeros(len(goal))
least[[0, 3, 5]] = np.log([2, 14 / 6, 3])
ok(np.abs(losses - least).max() < 0.01, "the losses come to what the conversations leave open",
   str(losses - least))
before, mask = shown["logits_before"], np.array([0.0] * 9 + [1.0] * 2)


def masked(z):
    return -mask @ np.log(softmax(z)[each, goal])


ok(near("losses_start", -np.log(softmax(before)[each, goal])[:, None]) and near("L", masked(before)),
   "the masked loss before training")
G, step = np.zeros_like(before), 1e-6
for cell in np.ndindex(*before.shape):
    moved = np.zeros_like(before)
    moved[cell] = step
    G[cell] = (masked(before + moved) - masked(before - moved)) / (2 * step)
ok(np.abs(G - shown["G"]).max() < 1e-8 and not shown["G"][:9].any(),
   "its gradient, by differences; 0 in the rows that don't count")
free = shown["logits_reply"][1].copy()
free[3] = -np.inf
ok(near("no_end", softmax(free)), "the probabilities without the end token")

# ---- preferences ----

h, w, p = shown["h"], shown["w"][:, 0], shown["p"][0]


def pair(w):
    r = h @ w
    return -np.log(1 / (1 + np.exp(-(r[1] - r[0]))))


ok(near("r", (h @ w)[:, None]) and abs(shown["L_pair"][1, 0] - pair(w)) < NEAR, "the pairwise loss")
slope = np.array([(pair(w + step * e) - pair(w - step * e)) / (2 * step) for e in np.eye(3)])
r = h @ (w - 2 * slope)
ok(np.abs(shown["rewards"] - [h @ w, r]).max() < 1e-8, "the rewards after a step along the gradient, by differences")
r = shown["rewards"][1]
grid = np.array([(a, b, 1000 - a - b) for a in range(1, 999) for b in range(1, 1000 - a)]) / 1000
for beta, policy in zip((4, 1, 0.25), shown["policies"]):
    def worth(q):
        return (q * r).sum(axis=-1) - beta * (q * np.log(q / p)).sum(axis=-1)
    best = grid[worth(grid).argmax()]
    ok(np.abs(best - policy).max() <= 0.002 and worth(policy) >= worth(best),
       f"of half a million distributions none is worth more than the policy of β = {beta}", f"{best} {policy}")
ok(near("p_new", [p, shown["policies"][1]]), "the new policy is that of β = 1")

# ---- DPO, by the definition; its formula is that of PyTorch's torchtune ----

q = shown["q"][0]
chosen, rejected = np.log(q[1]) - np.log(p[1]), np.log(q[0]) - np.log(p[0])
ok(near("ratios", np.log(q) - np.log(p)), "the log-ratios")
ok(near("L_DPO", -np.log(1 / (1 + np.exp(-(chosen - rejected)))))
   and near("L_DPO", np.log(1.5)), "DPO's loss: chosen × 1.5, rejected × 0.75, so −ln (2 / 3)")
ok(all(np.ptp(beta * np.log(policy / p) - r) < NEAR
       for beta, policy in zip((4, 1, 0.25), shown["policies"])),
   "β log(π / π_old) is the reward and a constant, for each of the best policies")


def dpo(z):
    ratio = np.log(softmax(z)) - np.log(p)
    return np.log(1 + np.exp(ratio[0] - ratio[1]))


slope = [(dpo(np.log(q) + step * e) - dpo(np.log(q) - step * e)) / (2 * step) for e in np.eye(3)]
ok(np.abs(np.array(slope) - [1 / 3, -1 / 3, 0]).max() < 1e-9 and abs(dpo(np.log(p)) - np.log(2)) < NEAR,
   "its gradient is 1 − σ for both logits, and it begins at ln 2")

# ---- the rest ----

z = shown["logits_made_up"][0]
y = np.eye(21)[20]
ok(near("taught", softmax(z - 8 * (softmax(z) - y))), "the step that makes “unknown” likely")
ok([int("".join(f"{x:.0f}" for x in shown[name][0])) for name in ("top", "bottom")] == [3579, 4621]
   and shown["twice"][2].tolist() == [int(c) for c in str(3579 + 4621)], "the sum after two passes")
value = 10.0 ** np.arange(3, -1, -1)
ok(all(row @ value == 3579 + 4621 for row in shown["twice"]), "a pass doesn't change what the columns are worth")
d, words = 8, len(WORDS) - 1
for turn, cost in enumerate(shown["cost_full"][0]):
    new, kept = (10, 10) if turn == 0 else (1, 10 + turn)
    products = new * (4 * d * d + 2 * d * 16) + 2 * new * kept * d
    ok(cost == products + d * words, f"the multiplications of token {turn + 1}", f"{cost}")
print(f"1..{done}")
