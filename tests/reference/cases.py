"""Random numbers and output lines, shared by the scripts that write cases."""
import zlib

import numpy as np
import torch

import architectures
import transformer


numbers = np.random.default_rng(20170612)


def seed_by(name):
    """Seeds the random numbers by a case's name. Each case calls it, so that adding a case
    changes only its own numbers and those of the case after it."""
    global numbers
    numbers = np.random.default_rng(zlib.crc32(name.encode()))


def normal(*shape):
    return torch.from_numpy(numbers.standard_normal(shape))


def matrix(rows):
    return torch.tensor(rows, dtype=torch.float64)


def tensor_lines(kind, tensor):
    tensor = tensor.detach().to(torch.float64)
    assert tensor.dim() == 2 and not torch.isnan(tensor).any(), (kind, tensor)
    rows = [" ".join(f"{value:.17g}" for value in row) for row in tensor.tolist()]
    return [f"{kind} {tensor.shape[0]} {tensor.shape[1]}"] + rows


def turned(x, heads, places=None, base=10000):
    """Each head's columns by themselves, as a model has them."""
    x = x.view(x.shape[0], heads, -1).transpose(0, 1)
    x = architectures.rotary(x, places, base)
    return x.transpose(0, 1).reshape(x.shape[1], -1)


def kept_of(x, p, seed):
    """Dropout with the cells that the program draws: nn.Dropout's scaling, its mask ours."""
    random = transformer.Random(seed)
    kept = [(random.next() >> 11) * 2.0**-53 >= p for _ in range(x.numel())]
    return x * torch.tensor(kept).reshape(x.shape) / (1 - p)
