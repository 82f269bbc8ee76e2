#!/usr/bin/python3
"""Writes training.txt: what PyTorch's training (float64) makes of small transformers.

    /usr/bin/python3 tests/reference/training.py

Debian's package: python3-torch. The tests read only the file written.

The file is lines of words. A `#` begins a comment line. A training is

    training NAME KIND            encoder_decoder or decoder
    shape FIELD NUMBER            a field of TransformerShape; any number of these
    seed NUMBER                   of the parameters, drawn as transformer.py says
    option FIELD NUMBER           a field of TrainOptions or OptimizerOptions
    optimizer adam|sgd
    example                       then `source ID …` (where the kind has one), `target ID …`
                                  and `expected ID …`, padded as they were in the batch
    losses NUMBER …               of every update, before it; likewise norms and right
    gradient NAME NUMBER …        of the first update, for PyTorch's tensor NAME
    parameter NAME NUMBER …       behind the last update
    end

Examples are shuffled before each epoch by Fisher and Yates with core/base/random.h, where
there are several batches.
"""
import math
import pathlib

import torch
from torch import nn

from architectures import sines
from transformer import Random, draw

lines = []


def below(random, count):
    bits = random.next()
    while bits < (1 << 64) % count:
        bits = random.next()
    return bits % count


def shuffled(random, count):
    order = list(range(count))
    for i in range(count, 1, -1):
        other = below(random, i)
        order[i - 1], order[other] = order[other], order[i - 1]
    return order


class Model(nn.Module):
    """An nn.Transformer's two halves under their names, with embeddings and generator."""

    def __init__(self, decodes_alone, shape):
        super().__init__()
        self.shape = shape
        d = shape["d_model"]
        options = dict(d_model=d, nhead=shape["heads"], dim_feedforward=shape["d_ff"],
                       dropout=0.0, layer_norm_eps=shape["epsilon"], batch_first=True,
                       norm_first=bool(shape["pre_norm"]), dtype=torch.float64)

        def norm():
            return nn.LayerNorm(d, eps=shape["epsilon"]) if shape["final_norm"] else None

        self.encoder = None
        if decodes_alone:
            self.decoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**options),
                                                 shape["decoder_layers"], norm())
        else:
            self.src_embed = nn.Embedding(shape["source_vocabulary"], d)
            self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**options),
                                                 shape["encoder_layers"], norm())
            self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**options),
                                                 shape["decoder_layers"], norm())
        self.tgt_embed = nn.Embedding(shape["target_vocabulary"], d)
        self.generator = nn.Linear(d, shape["target_vocabulary"])
        self.double().train()

    def embed(self, table, ids):
        d = self.shape["d_model"]
        scale = math.sqrt(d) if self.shape["scale_embedding"] else 1
        return table(ids) * scale + sines(ids.shape[1], d)

    def forward(self, source, target):
        n = target.shape[1]
        causal = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
        x = self.embed(self.tgt_embed, target)
        if self.encoder is None:
            x = self.decoder(x, mask=causal, src_key_padding_mask=target == 0)
        else:
            memory = self.encoder(self.embed(self.src_embed, source),
                                  src_key_padding_mask=source == 0)
            x = self.decoder(x, memory, tgt_mask=causal, tgt_key_padding_mask=target == 0,
                             memory_key_padding_mask=source == 0)
        return self.generator(x)[..., self.shape["first_output"]:]


def pad(rows):
    longest = max(map(len, rows))
    return torch.tensor([row + [0] * (longest - len(row)) for row in rows])


def numbers(values):
    return " ".join(f"{value:.16g}" for value in values)


def write_tensors(word, named):
    for name, tensor in named:
        lines.append(f"{word} {name} {tensor.numel()} {numbers(tensor.flatten().tolist())}")


def train(name, kind, seed, examples, epochs, optimizer="adam", batch=0, warmup=0, clip=0.0,
          gradients=False, **changes):
    shape = dict(d_model=8, heads=2, d_ff=12, encoder_layers=1, decoder_layers=1,
                 source_vocabulary=9, target_vocabulary=9, first_output=1, epsilon=1e-5,
                 pre_norm=0, final_norm=0, scale_embedding=0, biases=1)
    options = dict(learning_rate=0.01, beta_1=0.9, beta_2=0.999, epsilon=1e-8)
    for key, value in changes.items():
        (shape if key in shape else options)[key] = value
    alone = kind == "decoder"
    if alone:
        shape["encoder_layers"] = shape["source_vocabulary"] = 0
    model = Model(alone, shape)
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            parameter.copy_(draw(key, parameter.shape, seed, True))
    rate = options["learning_rate"]
    step = (torch.optim.Adam(model.parameters(), rate,
                             (options["beta_1"], options["beta_2"]), options["epsilon"])
            if optimizer == "adam" else torch.optim.SGD(model.parameters(), rate))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        step, lambda update: min(1, (update + 1) / warmup) if warmup else 1)
    criterion = nn.CrossEntropyLoss(ignore_index=0)
    random = Random(seed)
    losses, norms, rights = [], [], []
    size = batch or len(examples)
    for epoch in range(epochs):
        order = list(range(len(examples)))
        if size < len(examples):
            order = shuffled(random, len(examples))
        for start in range(0, len(order), size):
            chosen = [examples[i] for i in order[start:start + size]]
            source, target, expected = (pad([row[i] for row in chosen]) for i in range(3))
            step.zero_grad()
            logits = model(source, target).flatten(0, 1)
            said = expected.flatten()
            # A logit in front, of padding, that takes no part
            if shape["first_output"]:
                logits = torch.cat([torch.full((len(logits), shape["first_output"]),
                                               -math.inf, dtype=torch.float64), logits], 1)
            loss = criterion(logits, said)
            loss.backward()
            if gradients and not losses:
                found = [(key, parameter.grad.clone())
                         for key, parameter in model.named_parameters()]
            norms.append(nn.utils.clip_grad_norm_(model.parameters(),
                                                  clip or math.inf).item())
            losses.append(loss.item())
            rights.append(((logits.argmax(1) == said) & (said != 0)).sum().item())
            step.step()
            schedule.step()
    lines.append(f"training {name} {kind}")
    lines.extend(f"shape {field} {value!r}" for field, value in shape.items())
    lines.append(f"seed {seed}")
    lines.append(f"optimizer {optimizer}")
    options.update(batch=batch, warmup=warmup, clip=clip, epochs=epochs)
    lines.extend(f"option {field} {value!r}" for field, value in options.items())
    for example in examples:
        lines.append("example")
        for word, row in zip(("source", "target", "expected"), example):
            if row and not (alone and word == "source"):
                lines.append(f"{word} {len(row)} {numbers(row)}")
    lines.append(f"losses {len(losses)} {numbers(losses)}")
    lines.append(f"norms {len(norms)} {numbers(norms)}")
    lines.append(f"right {len(rights)} {numbers(rights)}")
    if gradients:
        write_tensors("gradient", found)
    write_tensors("parameter", model.named_parameters())
    lines.append("end")
    assert not math.isnan(losses[-1]), name
    print(f"{name}: loss {losses[0]:.3f} to {losses[-1]:.6f}, {len(losses)} updates, "
          f"{rights[-1]} words right at the end")


PAIRS = [([1, 2, 3, 4, 5], [7, 2, 4, 1], [2, 4, 1, 8]),
         ([3, 1], [7, 5, 6], [5, 6, 8]),
         ([6, 4, 2, 1, 3, 5], [7, 3, 3, 1, 2], [3, 3, 1, 2, 8]),
         ([2], [7], [8]),
         ([5, 5, 1], [7, 1, 2, 3], [1, 2, 3, 8])]
# Words in the middle and at the end that don't count, and texts already padded.
PADDED = [([1, 2, 0, 4, 0, 0], [7, 2, 4, 1], [2, 0, 1, 8]),
          ([3, 1, 0], [7, 5, 6, 0, 0], [5, 6, 8, 0, 0]),
          ([4, 4, 4], [7, 6, 2], [0, 2, 0])]

train("adam", "encoder_decoder", 1, PAIRS, 100, final_norm=1)
train("adam_batches", "encoder_decoder", 2, PAIRS, 34, batch=2, warmup=20, clip=0.5,
      d_model=6, heads=2, d_ff=7)
train("sgd", "encoder_decoder", 3, PAIRS, 100, optimizer="sgd", learning_rate=0.02, d_model=4,
      heads=1, d_ff=8)
train("sgd_pre_norm", "encoder_decoder", 4, PAIRS, 50, optimizer="sgd", batch=3, clip=1.0,
      learning_rate=0.05, pre_norm=1, final_norm=1, scale_embedding=1, d_model=6, heads=3)
train("padded", "encoder_decoder", 5, PADDED, 100, d_model=4, heads=2, beta_1=0.8,
      beta_2=0.99, epsilon=1e-6, first_output=0)
train("decoder_alone", "decoder", 6, PAIRS, 50, batch=2, warmup=5, pre_norm=1, final_norm=1,
      d_model=5, heads=1, d_ff=9)
train("gradients", "encoder_decoder", 7, PAIRS, 1, gradients=True, encoder_layers=2,
      decoder_layers=2, final_norm=1)
train("gradients_pre_norm", "encoder_decoder", 8, PADDED, 1, gradients=True, encoder_layers=2,
      decoder_layers=2, pre_norm=1, heads=4, scale_embedding=1)

path = pathlib.Path(__file__).with_name("training.txt")
header = [
    "# Made by training.py, which says what the lines mean. Do not edit by hand.",
    f"# PyTorch {torch.__version__}, float64.",
]
path.write_text("\n".join(header + lines) + "\n")
