#!/usr/bin/python3
"""Times updates of training: train.py PROGRAM [ROUNDS]

PROGRAM is the build's tests/bench/train. The peer is PyTorch, eager, with the reference BLAS
and with OpenBLAS, of those that are installed: one thread, float64; encoder and decoder of
one layer, the course's 23 words, Adam. Both get the same IDs in the same batch.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure

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
    return [[row + [0] * (longest[key] - len(row)) for row in value]
            for key, value in rows.items()]


class Training:
    def __init__(self, batch, d, heads, d_ff):
        import torch
        from torch import nn

        torch.set_num_threads(1)
        batch = map(torch.tensor, batch)
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


def serve(lesson_lines, *sizes):
    import torch

    training = Training(read_batch(pathlib.Path(lesson_lines).read_text().splitlines()),
                        *map(int, sizes))
    measure.serve(f"PyTorch {torch.__version__}", training.update, UPDATES)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "peer":
        serve(*sys.argv[2:])
        return
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        lesson, batch = pathlib.Path(folder) / "lesson.yaml", pathlib.Path(folder) / "batch"
        for d, heads, d_ff, count in [(8, 2, 24, 1), (8, 2, 24, 4), (64, 4, 256, 4)]:
            write_lesson(lesson, PAIRS[:count], d, heads, d_ff)

            def run():
                return subprocess.run([program, str(lesson), "20" if d < 64 else "2"],
                                      check=True, capture_output=True,
                                      text=True).stdout.splitlines()

            batch.write_text("\n".join(run()[:-1]))
            peers = [measure.Peer(__file__, place, batch, d, heads, d_ff)
                     for place in measure.blas_folders() if measure.is_installed("torch")]
            measure.print_compared(f"an update, d {d}, {count} sentences", rounds,
                                   lambda: measure.Cost(*map(float, run()[-1].split())), peers)


main()
