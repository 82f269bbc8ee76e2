#!/usr/bin/env python3
"""Does a lesson's training again in PyTorch, from what lessons/README.md says and nothing
else, and compares every parameter.

    training_from_words.py LESSON.yaml TRAINED.safetensors

TRAINED.safetensors is what `glassformer train LESSON.yaml --out …` wrote."""

import json
import math
import struct
import sys

if len(sys.argv) < 3:
    sys.exit(__doc__)

import torch
import yaml

MASK = 2**64 - 1
torch.set_default_dtype(torch.float64)


class Random:
    def __init__(self, seed):
        self.state, self.spare = [], None
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            z = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
            self.state.append(z ^ z >> 31)

    def next(self):
        s = self.state
        turned = (s[1] * 5) & MASK
        result = (((turned << 7 | turned >> 57) & MASK) * 9) & MASK
        shifted = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = (s[3] << 45 | s[3] >> 19) & MASK
        return result

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53

    def normal(self):
        if self.spare is not None:
            spare, self.spare = self.spare, None
            return spare
        while True:
            u, v = 2 * self.uniform() - 1, 2 * self.uniform() - 1
            s = u * u + v * v
            if 0 < s < 1:
                break
        t = math.sqrt(-2 * math.log(s) / s)
        self.spare = round(v * t * 2**32) / 2**32
        return round(u * t * 2**32) / 2**32

    def below(self, n):
        while True:
            bits = self.next()
            if bits >= 2**64 % n:
                return bits % n


class Model(torch.nn.Transformer):
    def __init__(self, words, **sizes):
        super().__init__(batch_first=True, dropout=0, **sizes)
        self.src_embed = torch.nn.Embedding(words, self.d_model, padding_idx=0)
        self.tgt_embed = torch.nn.Embedding(words, self.d_model, padding_idx=0)
        self.generator = torch.nn.Linear(self.d_model, words)

    def start(self, random):
        """Draws the parameters as the page says."""
        def matrix(weight, first=0, outputs=None):
            rows = outputs or weight.shape[0]
            a = math.sqrt(6 / (weight.shape[1] + weight.shape[0]))
            for i in range(weight.shape[1]):
                for j in range(rows):
                    weight[first + j, i] = a * (2 * random.uniform() - 1)

        def linear(layer, first=0):
            rows = layer.weight.shape[0] - first
            matrix(layer.weight, first, rows)
            for j in range(rows):
                layer.bias[first + j] = (2 * random.uniform() - 1) / math.sqrt(layer.in_features)

        def attention(layer):
            d = layer.embed_dim
            for first in (0, d, 2 * d):
                matrix(layer.in_proj_weight, first, d)
            matrix(layer.out_proj.weight)
            layer.in_proj_bias.zero_()
            layer.out_proj.bias.zero_()

        def norm(layer):
            layer.weight.fill_(1)
            layer.bias.zero_()

        with torch.no_grad():
            for embed, tower in ((self.src_embed, self.encoder), (self.tgt_embed, self.decoder)):
                for i in range(embed.weight.shape[0]):
                    for j in range(embed.weight.shape[1]):
                        embed.weight[i, j] = random.normal()
                for layer in tower.layers:
                    attention(layer.self_attn)
                    norm(layer.norm1)
                    if tower is self.decoder:
                        attention(layer.multihead_attn)
                        norm(layer.norm2)
                    linear(layer.linear1)
                    linear(layer.linear2)
                    norm(layer.norm3 if tower is self.decoder else layer.norm2)
            linear(self.generator, 1)

    def logits(self, source, target):
        def embedded(embed, ids):
            d = self.d_model
            place = torch.tensor([[(math.sin if j % 2 == 0 else math.cos)(p / 10000 ** ((j - j % 2) / d))
                                   for j in range(d)] for p in range(len(ids))])
            return (embed(torch.tensor(ids)) + place)[None]

        causal = torch.full((len(target), len(target)), -math.inf).triu(1)
        out = self(embedded(self.src_embed, source), embedded(self.tgt_embed, target), tgt_mask=causal)
        return self.generator(out)[0, :, 1:]


def read_weights(path):
    data = open(path, "rb").read()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    kinds = {"F64": torch.float64, "F32": torch.float32}
    return {name: torch.frombuffer(bytearray(data[8 + length + e["data_offsets"][0]:8 + length + e["data_offsets"][1]]),
                                   dtype=kinds[e["dtype"]]).reshape(e["shape"])
            for name, e in header.items() if e["dtype"] in kinds}


def train(lesson):
    said = lesson["model"]
    options = said["weights"]["train"]
    words = ["<pad>"]
    for text in [text for pair in options["pairs"] for text in pair]:
        words += [word for word in dict.fromkeys(text.split()) if word not in words]
    words += ["<sos>", "<eos>"]

    def ids(text):
        return [words.index(word) for word in text.split()]

    examples = [(ids(source), ids("<sos> " + target), ids(target + " <eos>"))
                for source, target in options["pairs"]]
    d, layers = said["d_model"], said.get("layers", 1)
    model = Model(len(words), d_model=d, nhead=said.get("heads", 1), num_encoder_layers=layers,
                  num_decoder_layers=layers, dim_feedforward=said.get("d_ff", 4 * d))
    if not said.get("final_norm", False):
        model.encoder.norm = model.decoder.norm = None
    seed = options.get("seed", 0)
    model.start(Random(seed))
    random = Random(seed)
    batch = options.get("batch", "all")
    batch = len(examples) if batch == "all" else min(batch, len(examples))
    rate, warmup, clip = options.get("learning_rate", 0.01), options.get("warmup", 0), options.get("clip", 0)
    parameters = [p for p in model.parameters()]
    moments = [(torch.zeros_like(p), torch.zeros_like(p)) for p in parameters]
    t = 0
    for _ in range(options["epochs"]):
        order = list(range(len(examples)))
        if batch < len(examples):
            for i in range(len(order), 1, -1):
                j = random.below(i)
                order[i - 1], order[j] = order[j], order[i - 1]
        for first in range(0, len(order), batch):
            losses = []
            for i in order[first:first + batch]:
                source, target, expected = examples[i]
                chances = torch.log_softmax(model.logits(source, target), 1)
                losses += [-chances[row, e - 1] for row, e in enumerate(expected)]
            model.zero_grad()
            torch.stack(losses).mean().backward()
            t += 1
            with torch.no_grad():
                gradients = [p.grad if p.grad is not None else torch.zeros_like(p) for p in parameters]
                length = math.sqrt(sum(float((g * g).sum()) for g in gradients))
                factor = min(1, clip / (length + 1e-6)) if clip > 0 else 1
                now = rate * t / warmup if t < warmup else rate
                for p, g, (m, v) in zip(parameters, gradients, moments):
                    g = g * factor
                    if options.get("optimizer", "adam") == "sgd":
                        p -= now * g
                        continue
                    m.mul_(0.9).add_(g * (1 - 0.9))
                    v.mul_(0.999).add_(g * g * (1 - 0.999))
                    p -= now * m / (1 - 0.9**t) / ((v / (1 - 0.999**t)).sqrt() + 1e-8)
    return model


lesson = yaml.safe_load(open(sys.argv[1], encoding="utf-8"))
stored, worst = read_weights(sys.argv[2]), 0
for name, value in train(lesson).state_dict().items():
    other = stored[name]
    first = 1 if name.startswith("generator") else 0  # nobody says padding
    worst = max(worst, float((value[first:] - other[first:]).abs().max()))
print(f"largest difference {worst:.3g}")
sys.exit(worst > 1e-9)
