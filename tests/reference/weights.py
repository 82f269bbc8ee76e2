#!/usr/bin/python3
"""Writes weights.safetensors, weights.txt and types.safetensors, with PyTorch.

    /usr/bin/python3 tests/reference/weights.py

weights.safetensors is the state dict of a small nn.Transformer with src_embed, tgt_embed
and generator beside it, as PyTorch's own initialisation draws it (float64). weights.txt is
what every sublayer gives with it, in transformer.txt's form: see transformer.py.

types.safetensors has, for each type, a tensor NAME of that type and its numbers as PyTorch
converts them to float64, NAME.as_F64.
"""
import json
import math
import pathlib
import struct
import sys

import numpy
import torch
from torch import nn

sys.dont_write_bytecode = True
import architectures
import transformer

FOLDER = pathlib.Path(__file__).parent
TYPES = {torch.float64: "F64", torch.float32: "F32", torch.float16: "F16",
         torch.bfloat16: "BF16"}


def save(tensors, path, notes=None):
    """The format by hand: what safetensors.torch.save_file does."""
    header, data = {}, b""
    if notes:
        header["__metadata__"] = notes
    for name, tensor in tensors.items():
        raw = tensor.detach().contiguous().reshape(-1).view(
            {8: torch.int64, 4: torch.int32, 2: torch.int16, 1: torch.uint8}[tensor.element_size()])
        numbers = raw.numpy().tobytes()
        header[name] = {"dtype": TYPES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [len(data), len(data) + len(numbers)]}
        data += numbers
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    path.write_bytes(struct.pack("<Q", len(head)) + head + data)


class Model(nn.Transformer):
    def __init__(self, source_words, target_words, **sizes):
        super().__init__(batch_first=True, dropout=0.0, **sizes)
        self.src_embed = nn.Embedding(source_words, self.d_model, padding_idx=0)
        self.tgt_embed = nn.Embedding(target_words, self.d_model, padding_idx=0)
        self.generator = nn.Linear(self.d_model, target_words)


class Stored(transformer.Model):
    """transformer.py's model, with weights that are there already."""

    def draw(self, name, *shape):
        tensor = self.state[name]
        assert tuple(tensor.shape) == shape, name
        return tensor


def write_model():
    torch.manual_seed(7)
    model = Model(7, 9, d_model=8, nhead=2, num_encoder_layers=2, num_decoder_layers=2,
                  dim_feedforward=16).double()
    with torch.no_grad():  # norms begin as ones and zeros, which would hide mistakes
        for name, parameter in model.named_parameters():
            if "norm" in name or name.endswith("bias"):
                parameter.add_(torch.randn_like(parameter) / 4)
    save(model.state_dict(), FOLDER / "weights.safetensors", {"format": "pt"})
    stored = Stored("weights", "encoder_decoder", 0, [3, 1, 4, 6, 0], [2, 7, 1, 8],
                    heads=2, encoder_layers=2, decoder_layers=2, source_vocabulary=7,
                    target_vocabulary=9, first_output=1, final_norm=1)
    stored.state = {name: tensor.detach() for name, tensor in model.state_dict().items()}
    stored.write()
    # The same, by nn.Transformer's own forward.
    source, target = torch.tensor([stored.source]), torch.tensor([stored.target])
    x = model.src_embed(source) + architectures.sines(5, 8)
    y = model.tgt_embed(target) + architectures.sines(4, 8)
    causal = torch.triu(torch.full((4, 4), -math.inf, dtype=torch.float64), 1)
    out = model(x, y, tgt_mask=causal, src_key_padding_mask=source == 0,
                memory_key_padding_mask=source == 0)
    transformer.lines.pop()  # the end
    transformer.write("decoder.norm", out)
    transformer.write("logits", model.generator(out)[..., 1:])
    transformer.lines.append("end")
    lines = ["# Made by weights.py. Do not edit by hand.",
             f"# PyTorch {torch.__version__}, float64."] + transformer.lines
    (FOLDER / "weights.txt").write_text("\n".join(lines) + "\n")


def patterns(bits, exponent_bits):
    """Numbers of every kind: signs, zeros, the smallest, the largest, and many between."""
    fraction_bits = bits - 1 - exponent_bits
    largest = (1 << bits - 1) - (1 << fraction_bits) - 1
    chosen = {0, 1, 2, (1 << fraction_bits) - 1, 1 << fraction_bits, largest, largest - 1}
    random = numpy.random.RandomState(bits * 100 + exponent_bits)
    chosen.update(int(random.randint(0, 1 << 62)) % (largest + 1) for _ in range(120))
    chosen |= {pattern | 1 << bits - 1 for pattern in chosen}
    return sorted(chosen)


def write_types():
    tensors = {}
    for kind, bits, exponent_bits, whole in [
            (torch.float64, 64, 11, numpy.uint64), (torch.float32, 32, 8, numpy.uint32),
            (torch.float16, 16, 5, numpy.uint16), (torch.bfloat16, 16, 8, numpy.uint16)]:
        signed = {64: numpy.int64, 32: numpy.int32, 16: numpy.int16}[bits]
        raw = numpy.array(patterns(bits, exponent_bits), dtype=whole).view(signed)
        tensor = torch.from_numpy(raw).view(kind)
        assert torch.isfinite(tensor).all()
        tensors[TYPES[kind]] = tensor
        tensors[TYPES[kind] + ".as_F64"] = tensor.double()
    save(tensors, FOLDER / "types.safetensors")


if __name__ == "__main__":
    write_model()
    write_types()
    for name in ["weights.safetensors", "weights.txt", "types.safetensors"]:
        print(name, (FOLDER / name).stat().st_size, "bytes")
