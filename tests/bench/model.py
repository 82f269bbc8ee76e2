#!/usr/bin/python3
"""Times the whole transformer's forward pass: model.py PROGRAM [ROUNDS [D_MODEL]]

PROGRAM is the build's tests/bench/model. Peers are PyTorch, eager, and NumPy, each with the
reference BLAS and with OpenBLAS, of those that are installed: one thread, float64, no
gradients. Ours is the tape replayed in place, with every tensor kept. D_MODEL: only the shapes of
this size. Then NumPy with OpenBLAS on two threads, beside itself on one and beside ours, which has
one: the clock's ratios say what the second is worth.
"""
import math
import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
import measure

# d_model, heads, d_ff, layers, words, vocabulary
SHAPES = [(8, 2, 24, 1, 6, 26), (8, 2, 24, 1, 6, 1000), (64, 4, 256, 2, 32, 1000),
          (512, 8, 2048, 6, 64, 1000), (768, 12, 3072, 4, 64, 1000)]

THREADED_D = 512  # of the shape that is computed on two threads, too


def computations(d):
    """Forward passes for a median."""
    return 1 if d > 100 else 50


# ---- peers ----

def torch_forward(d, heads, d_ff, layers, words, vocabulary):
    import torch
    from torch import nn

    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.source, self.target = (nn.Embedding(vocabulary, d) for _ in range(2))
            self.body = nn.Transformer(d, heads, layers, layers, d_ff, dropout=0.0,
                                       batch_first=True)
            self.generator = nn.Linear(d, vocabulary)

        def forward(self, ids, place, mask):
            out = self.body(self.source(ids) + place, self.target(ids) + place, tgt_mask=mask)
            return torch.softmax(self.generator(out), dim=-1)

    model = Model().double().eval()
    ids = torch.arange(1, words + 1)[None]
    place = torch.randn(words, d, dtype=torch.float64)
    mask = torch.triu(torch.full((words, words), -torch.inf, dtype=torch.float64), 1)

    def compute():
        with torch.no_grad():
            return model(ids, place, mask)
    return f"PyTorch {torch.__version__}", compute


class NumpyModel:
    """The same model, its parameters named as PyTorch names them."""

    def __init__(self, numpy, d, heads, d_ff, layers, words, vocabulary):
        self.numpy, self.d, self.heads, self.layers = numpy, d, heads, layers
        draw = numpy.random.default_rng(1).standard_normal
        self.parameters = parameters = {"source.weight": draw((vocabulary, d)),
                                        "target.weight": draw((vocabulary, d))}

        def linear(name, rows, cols, weight="weight", bias="bias"):
            parameters[name + weight] = draw((rows, cols)) / math.sqrt(cols)
            parameters[name + bias] = draw(rows)

        for stack, attentions in (("encoder", ["self_attn"]),
                                  ("decoder", ["self_attn", "multihead_attn"])):
            for layer in range(layers):
                at = f"body.{stack}.layers.{layer}."
                for attention in attentions:
                    linear(f"{at}{attention}.in_proj_", 3 * d, d)
                    linear(f"{at}{attention}.out_proj.", d, d)
                linear(at + "linear1.", d_ff, d)
                linear(at + "linear2.", d, d_ff)
                for norm in range(len(attentions) + 1):
                    parameters[f"{at}norm{norm + 1}.weight"] = numpy.ones(d)
                    parameters[f"{at}norm{norm + 1}.bias"] = numpy.zeros(d)
            parameters[f"body.{stack}.norm.weight"] = numpy.ones(d)
            parameters[f"body.{stack}.norm.bias"] = numpy.zeros(d)
        linear("generator.", vocabulary, d)

    def linear(self, x, name):
        return x @ self.parameters[name + "weight"].T + self.parameters[name + "bias"]

    def norm(self, x, name):
        centred = x - x.mean(axis=-1, keepdims=True)
        deviation = self.numpy.sqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-5)
        return (centred / deviation * self.parameters[name + "weight"] +
                self.parameters[name + "bias"])

    def softmax(self, x):
        e = self.numpy.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    def attend(self, x, memory, name, mask):
        weight = self.parameters[name + "in_proj_weight"]
        bias = self.parameters[name + "in_proj_bias"]
        parts = []
        for i, given in enumerate((x, memory, memory)):
            part = slice(i * self.d, (i + 1) * self.d)
            projected = given @ weight[part].T + bias[part]
            parts.append(projected.reshape(len(given), self.heads, -1).swapaxes(0, 1))
        q, k, v = parts
        scores = q @ k.swapaxes(1, 2) / math.sqrt(self.d // self.heads) + mask
        out = (self.softmax(scores) @ v).swapaxes(0, 1).reshape(len(x), self.d)
        return self.linear(out, name + "out_proj.")

    def feed_forward(self, x, at):
        return self.linear(self.numpy.maximum(self.linear(x, at + "linear1."), 0), at + "linear2.")

    def forward(self, ids, place, mask):
        x = self.parameters["source.weight"][ids] + place
        for layer in range(self.layers):
            at = f"body.encoder.layers.{layer}."
            x = self.norm(x + self.attend(x, x, at + "self_attn.", 0), at + "norm1.")
            x = self.norm(x + self.feed_forward(x, at), at + "norm2.")
        memory = self.norm(x, "body.encoder.norm.")
        x = self.parameters["target.weight"][ids] + place
        for layer in range(self.layers):
            at = f"body.decoder.layers.{layer}."
            x = self.norm(x + self.attend(x, x, at + "self_attn.", mask), at + "norm1.")
            x = self.norm(x + self.attend(x, memory, at + "multihead_attn.", 0), at + "norm2.")
            x = self.norm(x + self.feed_forward(x, at), at + "norm3.")
        out = self.norm(x, "body.decoder.norm.")
        return self.softmax(self.linear(out, "generator."))


def numpy_forward(*shape):
    import numpy

    d, *_, words, _ = shape
    model = NumpyModel(numpy, *shape)
    ids = numpy.arange(1, words + 1)
    place = numpy.random.default_rng(2).standard_normal((words, d))
    mask = numpy.triu(numpy.full((words, words), -numpy.inf), 1)
    return f"NumPy {numpy.__version__}", lambda: model.forward(ids, place, mask)


def compare_threads(what, rounds, shape, ours):
    """Rows of the peer on two threads beside ours on one, and beside its own one."""
    folders = [folder for folder in measure.blas_folders() if "openblas" in folder]
    if not folders or not measure.is_installed("numpy") or len(os.sched_getaffinity(0)) < 2:
        return
    one, two = (measure.Peer(__file__, folders[0], "numpy", *shape, threads=threads)
                for threads in (1, 2))
    costs = measure.by_turns(rounds, ours, one.ask, two.ask)
    measure.print_row(f"{what}, ours on one thread", costs[0], two.name, costs[2])
    measure.print_row(f"{what}, two threads (as ours) over one (as peer)", costs[2], one.name,
                      costs[1])
    one.end()
    two.end()


LIBRARIES = {"torch": torch_forward, "numpy": numpy_forward}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "peer":
        shape = tuple(map(int, sys.argv[3:]))
        measure.serve(*LIBRARIES[sys.argv[2]](*shape), computations(shape[0]))
        return
    program, rounds, *sizes = sys.argv[1], *map(int, sys.argv[2:] or [5])
    libraries = [library for library in LIBRARIES if measure.is_installed(library)]
    for shape in SHAPES:
        if sizes and shape[0] not in sizes:
            continue

        def ours():
            out = subprocess.run([program, *map(str, shape), str(computations(shape[0]))],
                                 check=True, capture_output=True, text=True).stdout.split()
            return measure.Cost(*(float(number) for number in out[1:]))

        peers = [measure.Peer(__file__, folder, library, *shape)
                 for library in libraries for folder in measure.blas_folders()]
        d, heads, d_ff, layers, words, vocabulary = shape
        what = f"forward, d {d}, {layers} + {layers} layers, {words} words, vocabulary {vocabulary}"
        measure.print_compared(what, rounds, ours, peers)
        if d == THREADED_D:
            compare_threads(what, rounds, shape, ours)


main()
