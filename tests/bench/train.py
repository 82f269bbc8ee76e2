#!/usr/bin/python3
"""Times updates of training against PyTorch's: train.py PROGRAM [ROUNDS]

PROGRAM is the build's tests/bench/train. One thread, float64, eager; encoder and decoder of
one layer, the course's 23 words, Adam. Both get the same IDs in the same batch; each line is
measured in this run, the two by turns, and shows medians.
"""
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

if len(sys.argv) < 2:
    sys.exit(__doc__)

import torch
from torch import nn

program = sys.argv[1]
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
torch.set_num_threads(1)
PAIRS = [("when you play the game of thrones", "you win or you die"),
         ("true enemy won't wait out the storm", "he brings the storm"),
         ("I drink", "and I know things"),
         ("he brings the storm", "you die")]
WORDS = 1 + 23 + 2  # padding, the corpus, start and end
UPDATES = 100


def write_lesson(path, pairs, d, heads, d_ff):
    corpus = [text for pair in PAIRS for text in pair]
    path.write_text(
        f"title: t\nmodel:\n  d_model: {d}\n  heads: {heads}\n  d_ff: {d_ff}\n"
        f"  final_norm: true\n  corpus: {corpus!r}\n"
        f"  source: {pairs[0][0]!r}\n  expected: {pairs[0][1]!r}\n"
        f"  weights: {{train: {{pairs: {[list(pair) for pair in pairs]!r}}}}}\n"
        .replace("won't", "won''t").replace('"', "'"))


def read_batch(lines):
    rows = {"source": [], "target": [], "expected": []}
    for line in lines:
        for word in line.split():
            if word in rows:
                rows[word].append([])
                current = rows[word][-1]
            else:
                current.append(int(word))
    longest = {key: max(map(len, value)) for key, value in rows.items()}
    return [torch.tensor([row + [0] * (longest[key] - len(row)) for row in value])
            for key, value in rows.items()]


class Training:
    def __init__(self, batch, d, heads, d_ff):
        self.source, self.target, self.expected = batch
        self.tables = [nn.Embedding(WORDS, d).double() for _ in range(2)]
        self.body = nn.Transformer(d, heads, 1, 1, d_ff, dropout=0.0,
                                   batch_first=True).double()
        self.generator = nn.Linear(d, WORDS).double()
        modules = [*self.tables, self.body, self.generator]
        self.optimizer = torch.optim.Adam([p for m in modules for p in m.parameters()],
                                          lr=0.01)
        self.criterion = nn.CrossEntropyLoss(ignore_index=0)
        n, m = self.source.shape[1], self.target.shape[1]
        self.places = [torch.randn(k, d, dtype=torch.float64) for k in (n, m)]
        self.causal = torch.triu(torch.ones(m, m, dtype=torch.bool), 1)
        padded = len(self.source) > 1
        self.masks = {"tgt_mask": self.causal}
        if padded:
            self.masks.update(src_key_padding_mask=self.source == 0,
                              memory_key_padding_mask=self.source == 0,
                              tgt_key_padding_mask=self.target == 0)

    def update(self):
        self.optimizer.zero_grad()
        out = self.body(self.tables[0](self.source) + self.places[0],
                        self.tables[1](self.target) + self.places[1], **self.masks)
        loss = self.criterion(self.generator(out).flatten(0, 1), self.expected.flatten())
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def measure(self):
        began = time.perf_counter()
        for _ in range(UPDATES):
            self.update()
        return (time.perf_counter() - began) / UPDATES * 1e6


print(f"training, one thread, medians of {rounds} rounds by turns")
print(f"{'d_model heads d_ff, sentences in a batch':<42} {'updates a second':>22}"
      f" {'microseconds':>24} {'ratio':>8}")
print(f"{'':<42} {'ours':>11} {'PyTorch':>10} {'ours':>13} {'PyTorch':>10}")
with tempfile.TemporaryDirectory() as folder:
    lesson = pathlib.Path(folder) / "lesson.yaml"
    for d, heads, d_ff, count in [(8, 2, 24, 1), (8, 2, 24, 4), (64, 4, 256, 4)]:
        write_lesson(lesson, PAIRS[:count], d, heads, d_ff)

        def run():
            return subprocess.run([program, str(lesson), "50" if d < 64 else "5"],
                                  check=True, capture_output=True,
                                  text=True).stdout.splitlines()
        training = Training(read_batch(run()[:-1]), d, heads, d_ff)
        training.measure()
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(float(run()[-1]))
            theirs.append(training.measure())
        a, b = statistics.median(ours), statistics.median(theirs)
        print(f"{f'{d} {heads} {d_ff}, {count}':<42} {1e6 / a:>11.0f} {1e6 / b:>10.0f}"
              f" {a:>13.1f} {b:>10.1f} {b / a:>7.1f}×", flush=True)
