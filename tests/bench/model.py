#!/usr/bin/python3
"""Times the whole transformer's forward pass against PyTorch's: model.py PROGRAM [ROUNDS]

PROGRAM is the build's tests/bench/model. One thread, float64, eager, no gradients; each
line is measured in this run, the two by turns, and shows medians in milliseconds. Ours is
the tape replayed in place, with every tensor kept; `first` is laying it in fresh memory,
with names, labels and groups, as when a lesson is loaded. 26 is the course's vocabulary.
"""
import statistics
import subprocess
import sys
import time

if len(sys.argv) < 2:
    sys.exit(__doc__)

import torch
from torch import nn

program = sys.argv[1]
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
torch.set_num_threads(1)

class Model(nn.Module):
    def __init__(self, d, heads, d_ff, layers, vocabulary):
        super().__init__()
        self.source, self.target = (nn.Embedding(vocabulary, d) for _ in range(2))
        self.body = nn.Transformer(d, heads, layers, layers, d_ff, dropout=0.0,
                                   batch_first=True)
        self.generator = nn.Linear(d, vocabulary)

    def forward(self, ids, place, mask):
        out = self.body(self.source(ids) + place, self.target(ids) + place, tgt_mask=mask)
        return torch.softmax(self.generator(out), dim=-1)


def torch_forward(d, heads, d_ff, layers, words, vocabulary):
    model = Model(d, heads, d_ff, layers, vocabulary).double().eval()
    ids = torch.arange(1, words + 1)[None]
    place = torch.randn(words, d, dtype=torch.float64)
    mask = torch.triu(torch.full((words, words), -torch.inf, dtype=torch.float64), 1)

    def run():
        with torch.no_grad():
            began = time.perf_counter()
            model(ids, place, mask)
            return (time.perf_counter() - began) * 1e3
    return run


print(f"forward pass, one thread, medians of {rounds} rounds by turns, milliseconds")
print(f"{'d_model heads d_ff layers words vocabulary':<42} {'first':>10} {'ours':>10} {'PyTorch':>10}"
      f" {'ratio':>8} {'memory':>10}")
for shape in [(8, 2, 24, 1, 6, 26), (8, 2, 24, 1, 6, 1000), (64, 4, 256, 2, 32, 1000),
              (512, 8, 2048, 6, 64, 1000)]:
    run = torch_forward(*shape)
    run()
    inner = 3 if shape[0] > 100 else 50
    first, ours, theirs, memory = [], [], [], 0
    for _ in range(rounds):
        out = subprocess.run([program, *map(str, shape), str(inner)], check=True,
                             capture_output=True, text=True).stdout.split()
        first.append(float(out[0]))
        ours.append(float(out[1]))
        memory = float(out[2])
        theirs.append(statistics.median(run() for _ in range(inner)))
    cold = statistics.median(first)
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"{' '.join(map(str, shape)):<42} {cold:>10.3f} {a:>10.3f} {b:>10.3f}"
          f" {b / a:>7.1f}× {memory:>7.0f} MB", flush=True)
