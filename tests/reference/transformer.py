#!/usr/bin/python3
"""Writes transformer.txt: what every sublayer of PyTorch's transformer (float64) gives, and
of architectures that PyTorch has no module of (architectures.py).

    /usr/bin/python3 tests/reference/transformer.py

Debian's package: python3-torch. The tests read only the file written.

The file is lines of words. A `#` begins a comment line. A model is

    model NAME KIND               encoder_decoder, encoder or decoder
    shape FIELD VALUE             a field of TransformerShape; any number of these
    seed NUMBER
    source ID ID …                likewise target; where the kind has it
    output NAME ROWS COLS         then ROWS lines of COLS numbers; NAME is a node's
    end

Weights are not written but drawn here and in the test alike: tensor NAME (as PyTorch calls
it) from xoshiro256** seeded with the 64-bit FNV-1a hash of NAME, xor the model's seed; each
cell in turn is a number u from [-1, 1), and becomes
    a matrix        u sqrt(6 / (rows + columns)); a table of embeddings or positions u
    a norm's weight 1 + u / 2
    another vector  u / 2, or 0 where the model has no biases (a norm's bias stays)
"""
import math
import pathlib

import torch
from torch import nn

import architectures

MASK = (1 << 64) - 1


class Random:
    """core/base/random.h: xoshiro256** seeded by splitmix64."""

    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed = (seed + 0x9E3779B97F4A7C15) & MASK
            z = seed
            z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
            self.state.append(z ^ z >> 31)

    @staticmethod
    def rotate(x, bits):
        return (x << bits | x >> (64 - bits)) & MASK

    def next(self):
        s = self.state
        result = self.rotate(s[1] * 5 & MASK, 7) * 9 & MASK
        shifted = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = self.rotate(s[3], 45)
        return result

    def signed(self):
        return 2 * ((self.next() >> 11) * 2.0**-53) - 1


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def draw(name, shape, seed, biases):
    random = Random(fnv1a(name) ^ seed)
    u = torch.tensor([random.signed() for _ in range(math.prod(shape))],
                     dtype=torch.float64).reshape(shape)
    if len(shape) == 2:
        table = "embed" in name or "position" in name
        return u if table else u * math.sqrt(6 / (shape[0] + shape[1]))
    if ".norm" in name:
        return u / 2 if name.endswith("bias") else 1 + u / 2
    return u / 2 if biases else torch.zeros_like(u)


lines = []


def write(name, tensor):
    tensor = tensor.detach()
    tensor = tensor.reshape(-1, tensor.shape[-1])
    assert not torch.isnan(tensor).any(), name
    lines.append(f"output {name} {tensor.shape[0]} {tensor.shape[1]}")
    lines.extend(" ".join(f"{value:.13g}" for value in row) for row in tensor.tolist())


EMBEDDINGS = {"source": "src_embed.weight", "target": "tgt_embed.weight"}


class Model:
    def __init__(self, name, kind, seed, source=None, target=None, **shape):
        self.name, self.kind, self.seed = name, kind, seed
        self.source, self.target = source, target
        self.shape = dict(d_model=8, heads=2, d_ff=16, encoder_layers=0, decoder_layers=0,
                          source_vocabulary=0, target_vocabulary=0, first_output=0,
                          epsilon=1e-5, pre_norm=0, final_norm=0, scale_embedding=0,
                          biases=1)
        self.shape.update(shape)
        self.details = self.shape["d_model"] <= 16
        self.tensors = {}

    def draw(self, name, *shape):
        return draw(name, shape, self.seed, self.shape["biases"])

    def fill(self, module, prefix):
        with torch.no_grad():
            for name, parameter in module.named_parameters():
                parameter.copy_(self.draw(f"{prefix}.{name}", *parameter.shape))

    def embed(self, side, tower, ids, words):
        d = self.shape["d_model"]
        table = self.draw(EMBEDDINGS[side], words, d)
        rows = nn.functional.embedding(torch.tensor(ids), table)
        if self.shape["scale_embedding"]:
            rows = rows * math.sqrt(d)
        x = rows + architectures.sines(len(ids), d)
        write(f"{tower}.input", x)
        return x[None]

    def hook(self, layer, path, sublayers):
        """Captures what goes into every norm and comes out of every module."""
        pre, last = self.shape["pre_norm"], len(sublayers)
        for i, (name, torch_name) in enumerate(sublayers, 1):
            def norm(module, inputs, output, i=i):
                write(f"{path}.norm_{i}", output)
                if not pre:
                    write(f"{path}.residual_{i}", inputs[0])
                elif i > 1:
                    write(f"{path}.residual_{i - 1}", inputs[0])
            getattr(layer, f"norm{i}").register_forward_hook(norm)
            if name == "feed_forward":
                def first(module, inputs, output):
                    if self.details:
                        write(f"{path}.feed_forward.linear_1", output)
                layer.linear1.register_forward_hook(first)
                layer.linear2.register_forward_hook(
                    lambda module, inputs, output:
                    write(f"{path}.feed_forward.linear_2", output))
                continue
            self.hook_attention(getattr(layer, torch_name), f"{path}.{name}")
        if pre:
            layer.register_forward_hook(
                lambda module, inputs, output: write(f"{path}.residual_{last}", output))

    def hook_attention(self, attention, path):
        """A layer does not ask for the heads' shares, so they are asked for here."""
        ordinary = attention.forward

        def forward(query, key, value, **options):
            options.update(need_weights=True, average_attn_weights=False)
            output, weights = ordinary(query, key, value, **options)
            for head in range(self.shape["heads"]):
                if self.details:
                    write(f"{path}.head.{head}.weights", weights[0, head])
            write(f"{path}.projected", output)
            return output, None
        attention.forward = forward

    def norm(self):
        return (nn.LayerNorm(self.shape["d_model"], eps=self.shape["epsilon"])
                if self.shape["final_norm"] else None)

    def stack(self, tower, layers, cross):
        shape = self.shape
        options = dict(d_model=shape["d_model"], nhead=shape["heads"],
                       dim_feedforward=shape["d_ff"], dropout=0.0,
                       layer_norm_eps=shape["epsilon"], batch_first=True,
                       norm_first=bool(shape["pre_norm"]), dtype=torch.float64)
        if cross:
            stack = nn.TransformerDecoder(nn.TransformerDecoderLayer(**options), layers,
                                          self.norm())
            sublayers = [("self_attention", "self_attn"),
                         ("cross_attention", "multihead_attn"), ("feed_forward", "")]
        else:
            stack = nn.TransformerEncoder(nn.TransformerEncoderLayer(**options), layers,
                                          self.norm())
            sublayers = [("self_attention", "self_attn"), ("feed_forward", "")]
        stack = stack.double().train()  # in train mode no layer takes a shortcut
        self.fill(stack, tower)
        for i, layer in enumerate(stack.layers):
            self.hook(layer, f"{tower}.{i}", sublayers)
        if self.shape["final_norm"]:
            stack.norm.register_forward_hook(
                lambda module, inputs, output: write(f"{tower}.norm", output))
        return stack

    def padding(self, ids):
        mask = torch.tensor([ids]) == 0
        return mask if mask.any() else None

    def begin(self):
        lines.append(f"model {self.name} {self.kind}")
        lines.extend(f"shape {field} {value}" for field, value in self.shape.items())
        lines.append(f"seed {self.seed}")
        for side, ids in [("source", self.source), ("target", self.target)]:
            if ids:
                lines.append(" ".join([side, str(len(ids))] + [str(i) for i in ids]))

    def write(self):
        shape = self.shape
        self.begin()
        memory = memory_padding = None
        if self.source:
            x = self.embed("source", "encoder", self.source, shape["source_vocabulary"])
            memory_padding = self.padding(self.source)
            encoder = self.stack("encoder", shape["encoder_layers"], cross=False)
            memory = encoder(x, src_key_padding_mask=memory_padding)
        if self.target:
            n = len(self.target)
            x = self.embed("target", "decoder", self.target, shape["target_vocabulary"])
            causal = torch.triu(torch.full((n, n), -math.inf, dtype=torch.float64), 1)
            padding = self.padding(self.target)
            decoder = self.stack("decoder", shape["decoder_layers"], cross=memory is not None)
            if memory is None:
                x = decoder(x, mask=causal, src_key_padding_mask=padding)
            else:
                write("memory", memory)
                x = decoder(x, memory, tgt_mask=causal, tgt_key_padding_mask=padding,
                            memory_key_padding_mask=memory_padding)
            first, words = shape["first_output"], shape["target_vocabulary"]
            weight = self.draw("generator.weight", words, shape["d_model"])[first:]
            bias = self.draw("generator.bias", words)[first:]
            logits = x @ weight.T + bias
            write("logits", logits)
            write("probabilities", torch.softmax(logits, dim=-1))
        lines.append("end")


class Published(Model):
    """A model of architectures.py; its parameters are drawn by their names in PyTorch, which
    are nn.Transformer's where that has such."""

    def matrix(self, name, torch_name, inputs, outputs, of=None, first=0):
        of = of or outputs
        self.parameters[name] = self.draw(torch_name, of, inputs)[first:first + outputs].T

    def vector(self, name, torch_name, size, of=None, first=0):
        self.parameters[name] = self.draw(torch_name, of or size)[None, first:first + size]

    def linear(self, names, torch_name, inputs, outputs):
        self.matrix(names[0], f"{torch_name}.weight", inputs, outputs)
        if self.shape["biases"]:
            self.vector(names[1], f"{torch_name}.bias", outputs)

    def attention(self, path, torch_path):
        d, heads = self.shape["d_model"], self.shape["heads"]
        shared = self.shape.get("kv_heads", heads) * d // heads
        first = 0
        for letter, cols in [("Q", d), ("K", shared), ("V", shared)]:
            self.matrix(f"{path}.W_{letter}", f"{torch_path}.in_proj_weight", d, cols,
                        d + 2 * shared, first)
            if self.shape["biases"]:
                self.vector(f"{path}.b_{letter}", f"{torch_path}.in_proj_bias", cols,
                            d + 2 * shared, first)
            first += cols
        self.linear((f"{path}.W_O", f"{path}.b_O"), f"{torch_path}.out_proj", d, d)

    def feed_forward(self, path, layer):
        d, d_ff = self.shape["d_model"], self.shape["d_ff"]
        maps = [("1", "linear1", d, d_ff), ("2", "linear2", d_ff, d)]
        if self.shape.get("activation") == "swiglu":
            maps = [("gate", "gate_proj", d, d_ff), ("up", "up_proj", d, d_ff),
                    ("down", "down_proj", d_ff, d)]
        for end, torch_name, inputs, outputs in maps:
            self.linear((f"{path}.W_{end}", f"{path}.b_{end}"), f"{layer}.{torch_name}", inputs,
                        outputs)

    def norm(self, path, torch_path):
        self.vector(f"{path}.gamma", f"{torch_path}.weight", self.shape["d_model"])
        if not self.shape.get("rms"):
            self.vector(f"{path}.beta", f"{torch_path}.bias", self.shape["d_model"])

    def tower(self, tower, side, words, layers, cross):
        d, short = self.shape["d_model"], side[:1].replace("s", "src").replace("t", "tgt")
        self.parameters[f"{tower}.embedding.table"] = self.draw(EMBEDDINGS[side], words, d)
        if self.shape.get("positions") == "learned":
            self.parameters[f"{tower}.position.table"] = self.draw(
                f"{short}_position.weight", self.shape["context"], d)
        for i in range(layers):
            path, layer = f"{tower}.{i}", f"{tower}.layers.{i}"
            self.attention(f"{path}.self_attention", f"{layer}.self_attn")
            if cross:
                self.attention(f"{path}.cross_attention", f"{layer}.multihead_attn")
            self.feed_forward(f"{path}.feed_forward", layer)
            for norm in range(1, 4 if cross else 3):
                self.norm(f"{path}.norm_{norm}", f"{layer}.norm{norm}")
        if self.shape["final_norm"]:
            self.norm(f"{tower}.norm", f"{tower}.norm")

    def write(self):
        shape, self.parameters = self.shape, {}
        self.begin()
        if self.source:
            self.tower("encoder", "source", shape["source_vocabulary"],
                       shape["encoder_layers"], False)
        if self.target:
            self.tower("decoder", "target", shape["target_vocabulary"],
                       shape["decoder_layers"], bool(self.source))
            if not shape.get("tied"):
                first, d = shape["first_output"], shape["d_model"]
                words = shape["target_vocabulary"]
                self.matrix("logits.W", "generator.weight", d, words - first, words, first)
                if shape["biases"]:
                    self.vector("logits.b", "generator.bias", words - first, words, first)
        made = architectures.run(shape, self.parameters, self.source, self.target)
        kept = (".input", ".weights", ".projected", ".linear_2", ".down", ".gated", "logits",
                "probabilities", ".query", ".key", "_rotated")
        for name, tensor in made.items():
            if name.endswith(kept) or ".norm" in name or ".residual" in name:
                if not name.endswith((".query", ".key")) or ".head." not in name:
                    write(name, tensor)
        lines.append("end")


MODELS = [
    Model("smallest", "encoder_decoder", 1, [1, 2], [1], d_model=4, heads=1, d_ff=8,
          encoder_layers=1, decoder_layers=1, source_vocabulary=3, target_vocabulary=2),
    Model("post_norm", "encoder_decoder", 2, [3, 1, 4, 1, 5], [2, 7, 1, 8], heads=2,
          encoder_layers=2, decoder_layers=2, source_vocabulary=6, target_vocabulary=9,
          first_output=1),
    Model("pre_norm", "encoder_decoder", 3, [3, 1, 4], [2, 7, 1, 8, 2], heads=4, pre_norm=1,
          final_norm=1, encoder_layers=2, decoder_layers=3, source_vocabulary=5,
          target_vocabulary=9, scale_embedding=1),
    Model("padded_source", "encoder_decoder", 4, [3, 1, 4, 0, 0], [2, 7, 1], heads=8,
          encoder_layers=2, decoder_layers=1, source_vocabulary=5, target_vocabulary=9,
          final_norm=1),
    Model("padded_both", "encoder_decoder", 5, [3, 1, 4, 2, 0], [2, 7, 1, 5, 0, 0],
          d_model=12, heads=3, d_ff=20, pre_norm=1, encoder_layers=1, decoder_layers=2,
          source_vocabulary=5, target_vocabulary=9, final_norm=1, epsilon=1e-3),
    Model("padded_target", "encoder_decoder", 6, [1, 2], [2, 7, 0, 5, 0, 3], heads=2,
          encoder_layers=1, decoder_layers=1, source_vocabulary=5, target_vocabulary=9,
          biases=0),
    Model("encoder_only", "encoder", 7, [4, 0, 2, 3, 0, 1, 1], d_model=16, heads=4, d_ff=32,
          encoder_layers=3, source_vocabulary=5, scale_embedding=1),
    Model("encoder_pre_norm", "encoder", 8, [4, 2, 3], d_model=6, heads=3, d_ff=5,
          encoder_layers=2, source_vocabulary=5, pre_norm=1, biases=0),
    Model("decoder_only", "decoder", 9, [], [4, 2, 3, 1, 1, 6], d_model=10, heads=5, d_ff=40,
          decoder_layers=2, target_vocabulary=7, pre_norm=1, final_norm=1, first_output=1),
    Model("decoder_padded", "decoder", 10, [], [4, 2, 3, 0, 0], d_model=8, heads=1, d_ff=8,
          decoder_layers=1, target_vocabulary=7),
    Model("six_layers", "encoder_decoder", 11, [1, 9, 4, 2, 0], [3, 8, 5, 0], d_model=32,
          heads=4, d_ff=64, encoder_layers=6, decoder_layers=6, source_vocabulary=11,
          target_vocabulary=10, final_norm=1, scale_embedding=1),
    Model("wide", "encoder_decoder", 12, [1, 9, 4], [3, 8, 5, 2], d_model=64, heads=8,
          d_ff=128, encoder_layers=4, decoder_layers=4, source_vocabulary=11,
          target_vocabulary=13, pre_norm=1, final_norm=1),
    Published("like_gpt_2", "decoder", 13, [], [4, 2, 3, 1, 1, 6], d_model=12, heads=3, d_ff=48,
              decoder_layers=2, target_vocabulary=7, pre_norm=1, final_norm=1, positions="learned",
              context=8, activation="gelu_tanh", tied=1),
    Published("like_bert", "encoder", 14, [4, 2, 3, 1, 0, 0], [], d_model=8, heads=2, d_ff=32,
              encoder_layers=2, source_vocabulary=5, positions="learned", context=6,
              activation="gelu"),
    Published("gated", "encoder_decoder", 15, [3, 1, 4, 0], [2, 7, 1, 5, 2], d_model=8, heads=2,
              d_ff=10, encoder_layers=1, decoder_layers=2, source_vocabulary=5,
              target_vocabulary=9, first_output=1, positions="none", activation="swiglu", tied=1),
    Published("grouped", "decoder", 17, [], [4, 2, 3, 0, 1], d_model=16, heads=4, kv_heads=2,
              d_ff=9, decoder_layers=2, target_vocabulary=7, pre_norm=1, rms=1, final_norm=1,
              activation="swiglu"),
    Published("multi_query", "encoder_decoder", 18, [3, 1, 4], [2, 7, 1, 5], d_model=12, heads=3,
              kv_heads=1, d_ff=7, encoder_layers=1, decoder_layers=1, source_vocabulary=5,
              target_vocabulary=9, rms=1, biases=0),
    Published("like_llama", "decoder", 19, [], [4, 2, 3, 1, 5], d_model=16, heads=4, kv_heads=2,
              d_ff=9, decoder_layers=2, target_vocabulary=7, pre_norm=1, rms=1, final_norm=1,
              activation="swiglu", biases=0, positions="rotary", first_output=1),
    Published("rotary_both", "encoder_decoder", 20, [3, 1, 4, 0], [2, 7, 1, 5], d_model=12,
              heads=3, d_ff=7, encoder_layers=1, decoder_layers=1, source_vocabulary=5,
              target_vocabulary=9, positions="rotary"),
    Published("silu", "decoder", 16, [], [4, 2, 3], d_model=6, heads=1, d_ff=5, decoder_layers=1,
              target_vocabulary=7, biases=0, activation="silu"),
]


def main():
    for model in MODELS:
        model.write()
    path = pathlib.Path(__file__).with_name("transformer.txt")
    header = [
        "# Made by transformer.py, which says what the lines mean. Do not edit by hand.",
        f"# PyTorch {torch.__version__}, float64.",
    ]
    path.write_text("\n".join(header + lines) + "\n")
    print(f"{path.name}: {len(MODELS)} models, "
          f"{sum(line.startswith('output ') for line in lines)} outputs")


if __name__ == "__main__":
    main()
