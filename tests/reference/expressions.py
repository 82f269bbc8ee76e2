#!/usr/bin/python3
"""Writes expressions.txt: what PyTorch and NumPy compute for expressions of lessons.

Attention with several heads and the layers come from torch.nn modules, everything else from
NumPy and torch functions, all in float64. Run it beside the file: /usr/bin/python3
expressions.py

The file has one case after another; numbers have 17 digits; `inf` and `-inf` stand for
themselves.

    case NAME
    given NAME ROWS COLS      a given tensor, its rows on the lines that follow
    do STATEMENT              one step, as in a lesson; a case may have several
    result ROWS COLS          what the last step must give
    end
"""
import os
import re

import numpy as np
import torch

import architectures
import cases
from torch import nn

torch.set_grad_enabled(False)
lines = [
    "# Made by expressions.py, which says what the lines mean. Do not edit by hand.",
    f"# PyTorch {torch.__version__}, NumPy {np.__version__}, float64.",
]


def normal(rows, cols):
    return cases.normal(rows, cols).numpy()


def number(value):
    if np.isinf(value):
        return "-inf" if value < 0 else "inf"
    return f"{value:.17g}"


def matrix(values):
    return [" ".join(number(v) for v in row) for row in values]


def case(name, given, statements, result):
    """One case; statements is a string or a list, result an array of two axes."""
    cases.seed_by(name)
    result = np.asarray(result, dtype=np.float64)
    assert result.ndim == 2, name
    lines.append(f"case {name}")
    for key, values in given.items():
        values = np.asarray(values, dtype=np.float64)
        assert values.ndim == 2, (name, key)
        lines.append(f"given {key} {values.shape[0]} {values.shape[1]}")
        lines.extend(matrix(values))
    for statement in [statements] if isinstance(statements, str) else statements:
        lines.append(f"do {statement}")
    lines.append(f"result {result.shape[0]} {result.shape[1]}")
    lines.extend(matrix(result))
    lines.append("end")


def t(x):
    return torch.from_numpy(np.ascontiguousarray(x))


def softmax(x):
    return torch.softmax(t(x), dim=-1).numpy()


class Two:
    """NumPy drops an axis that is indexed; tensors here always have two."""

    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.float64)

    T = property(lambda self: Two(self.values.T))

    def __getitem__(self, key):
        key = key if isinstance(key, tuple) else (key, slice(None))
        keys = []
        for part, size in zip(key, self.values.shape):
            if isinstance(part, slice):
                keys.append(part)
            else:
                part = part + size if part < 0 else part
                keys.append(slice(part, part + 1))
        return Two(self.values[tuple(keys)])

    def __neg__(self):
        return Two(-self.values)

    def binary(operator):
        def apply(self, other):
            other = other.values if isinstance(other, Two) else other
            return Two(getattr(self.values, operator)(other))
        return apply

    __add__, __sub__ = binary("__add__"), binary("__sub__")
    __mul__, __truediv__ = binary("__mul__"), binary("__truediv__")
    __matmul__ = binary("__matmul__")
    __radd__, __rsub__ = binary("__radd__"), binary("__rsub__")
    __rmul__, __rtruediv__ = binary("__rmul__"), binary("__rtruediv__")


# --- operators, broadcasting, precedence: NumPy is the language's model ---
A, B = normal(3, 4), normal(3, 4)
row, col, one = normal(1, 4), normal(3, 1), normal(1, 1)
W, S = normal(4, 2), normal(3, 3)
operands = {"A": A, "B": B, "row": row, "col": col, "one": one, "W": W, "S": S}

for number_of, text in enumerate([
    "A + B", "A - B", "A * B", "A / B", "-A", "A @ W", "A.T", "A.T @ B", "A @ B.T",
    "A + row", "row + A", "A - col", "col - A", "A * one", "one / A", "row * col",
    "col + row", "row - one", "A / col", "A * row + col",
    "A + 2", "2 - A", "A / 4", "1 / A", "A * -0.5", "A * 1e-3", "-A + B * 2",
    "A - B - A", "A - (B - A)", "A / B / 2", "A / (B / 2)", "A / 2 * B",
    "A * B @ W", "A @ W / 2",
    "2 * A @ W", "A @ W @ W.T", "A @ (W @ W.T)", "-A @ W", "-(A @ W)", "- -A",
    "A + B * A - B / 3", "(A + B) * (A - B)", "S @ S @ S", "S.T @ S + S", "(A + B).T @ A",
    "(A @ W).T", "A.T.T", "-A.T", "S * S.T",
    "A[0]", "A[-1]", "A[1, 2]", "A[-1, -2]", "A[:, 0]", "A[:, -1]", "A[0:2]", "A[1:]",
    "A[:2]", "A[:-1]", "A[-2:]", "A[:, 1:3]", "A[:, :2]", "A[1:, 2:]", "A[:, :]",
    "A[0:100]", "A[:, -100:2]", "A[0] + B", "A[:, 0] * B", "A[1:, 1:3] @ W[0:2]",
    "A.T[0]", "A[0].T", "(A + B)[0:2, 1:]", "A[1:][0]", "A[0:1 + 1]",
    "A[:, 0:2] @ W.T[:, 0:2].T",
]):
    used = {key: value for key, value in operands.items()
            if re.search(rf"\b{key}\b", text)}
    value = eval(text, {key: Two(item) for key, item in used.items()})
    case(f"operators_{number_of + 1}", used, f"R = {text}", value.values)

# --- numbers ---
case("numbers_fold", {"A": A}, "R = A / (sqrt(2) * 10000 - 3 / -4)",
     A / (np.sqrt(2) * 10000 - 3 / -4))
case("numbers_infinity", {"A": A}, "R = A / inf + exp(1) - relu(-3)",
     A / np.inf + np.exp(1))
case("numbers_by_name", {"A": A, "d": [[4]]}, "R = A[:, 0:d] / sqrt(d)", A / 2)

# --- functions ---
def gelu_tanh(x):
    return torch.nn.functional.gelu(t(x), approximate="tanh").numpy()


ids, table = np.array([[3, 0, 5, 3]]), normal(6, 3)
for name, x in {"normal": A, "large": A * 1e4, "row": row, "col": col}.items():
    case(f"softmax_{name}", {"x": x}, "R = softmax(x)", softmax(x))
    case(f"relu_{name}", {"x": x}, "R = relu(x)", torch.relu(t(x)).numpy())
    case(f"gelu_{name}", {"x": x}, "R = gelu(x)", torch.nn.functional.gelu(t(x)).numpy())
    case(f"gelu_tanh_{name}", {"x": x}, "R = gelu_tanh(x)", gelu_tanh(x))
    case(f"silu_{name}", {"x": x}, "R = silu(x)", torch.nn.functional.silu(t(x)).numpy())
    case(f"sum_{name}", {"x": x}, "R = sum(x)", x.sum(1, keepdims=True))
    case(f"mean_{name}", {"x": x}, "R = mean(x)", x.mean(1, keepdims=True))
    case(f"max_{name}", {"x": x}, "R = max(x)", x.max(1, keepdims=True))
    case(f"argmax_{name}", {"x": x}, "R = argmax(x)", x.argmax(1)[:, None])
case("exp", {"x": A}, "R = exp(x)", np.exp(A))
case("sqrt", {"x": A * A}, "R = sqrt(x)", np.sqrt(A * A))
case("softmax_by_hand", {"x": A}, ["E = exp(x - max(x))", "R = E / sum(E)"], softmax(A))
case("one_hot_row", {"ids": ids}, "R = one_hot(ids, 7)", np.eye(7)[ids[0]])
case("one_hot_column", {"ids": ids.T, "n": [[6]]}, "R = one_hot(ids, n)", np.eye(6)[ids[0]])
case("embed", {"E": table, "ids": ids}, "R = embed(E, ids)", table[ids[0]])
case("embed_is_one_hot_times_table", {"E": table, "ids": ids}, "R = one_hot(ids, 6) @ E",
     table[ids[0]])
case("causal_mask", {"x": S}, "R = x + causal_mask(3)",
     S + np.triu(np.full((3, 3), -np.inf), 1))
case("padding_mask", {"ids": [[5, 2, 0, 0]]}, "R = padding_mask(ids)",
     [[0, 0, -np.inf, -np.inf]])
case("concat", {"A": A, "B": B, "col": col}, "R = concat(A, B * 2, col)",
     np.concatenate([A, B * 2, col], 1))


def positional(n, d):
    position = np.arange(n)[:, None]
    pair = np.arange(d)[None, :] // 2
    angle = position / 10000 ** (2 * pair / d)
    return np.where(np.arange(d) % 2 == 0, np.sin(angle), np.cos(angle))


case("positional_encoding", {}, "R = positional_encoding(6, 8)", positional(6, 8))
case("positional_encoding_odd", {"d": [[5]]}, "R = positional_encoding(3, d)",
     positional(3, 5))

# --- layer norm ---
gamma, beta = normal(1, 4), normal(1, 4)
norm = nn.LayerNorm(4, dtype=torch.float64)
case("layer_norm_plain", {"x": A}, "R = layer_norm(x)", norm(t(A)).numpy())
norm.weight.copy_(t(gamma[0]))
norm.bias.copy_(t(beta[0]))
case("layer_norm", {"x": A, "gamma": gamma, "beta": beta},
     "R = layer_norm(x, gamma, beta)", norm(t(A)).numpy())
case("layer_norm_epsilon", {"x": A, "gamma": gamma, "beta": beta},
     "R = layer_norm(x, gamma, beta, 1e-2)",
     nn.functional.layer_norm(t(A), [4], t(gamma[0]), t(beta[0]), 1e-2).numpy())

case("rms_norm_plain", {"x": A}, "R = rms_norm(x)",
     A / np.sqrt((A * A).mean(1, keepdims=True) + np.finfo(np.float64).eps))
case("rms_norm_epsilon", {"x": A, "gamma": gamma}, "R = rms_norm(x, gamma, 1e-2)",
     A / np.sqrt((A * A).mean(1, keepdims=True) + 1e-2) * gamma)


# --- attention ---
def attention(q, k, v, mask=0):
    return softmax(q @ k.T / np.sqrt(q.shape[1]) + mask) @ v


Q, K, V, M = normal(3, 4), normal(5, 4), normal(5, 2), normal(3, 5)
heads_given = {"Q": Q, "K": K, "V": V}
case("attention", heads_given, "R = attention(Q, K, V)", attention(Q, K, V))
case("attention_masked", {**heads_given, "M": M}, "R = attention(Q, K, V, M)",
     attention(Q, K, V, M))
case("attention_row_mask", {**heads_given, "ids": [[4, 4, 1, 0, 0]]},
     "R = attention(Q, K, V, padding_mask(ids))",
     attention(Q, K, V, np.array([[0, 0, 0, -np.inf, -np.inf]])))
case("attention_within", heads_given, "R = relu(attention(Q, K, V)) * 2 - attention(Q, K, V)",
     np.maximum(attention(Q, K, V), 0) * 2 - attention(Q, K, V))
case("attention_weights", heads_given, ["B = attention(Q, K, V)", "R = B.weights * 1"],
     softmax(Q @ K.T / 2))
case("attention_written_out", heads_given, "R = softmax(Q @ K.T / sqrt(4)) @ V",
     attention(Q, K, V))


def causal(n):
    return np.triu(np.full((n, n), -np.inf), 1)


def module_weights(module):
    """The projections of a torch attention, as this project writes them: X @ W."""
    d = module.embed_dim
    inward = module.in_proj_weight.numpy()
    return [inward[i * d:(i + 1) * d].T for i in range(3)] + [module.out_proj.weight.numpy().T]


def fill(module):
    """Random weights everywhere, no biases in attentions."""
    for name, parameter in module.named_parameters():
        zero = "attn" in name and "bias" in name
        values = np.zeros(tuple(parameter.shape)) if zero else 0.5 * cases.numbers.standard_normal(
            tuple(parameter.shape))
        parameter.copy_(t(values))
    return module.eval()


for heads in (1, 2, 4):
    module = fill(nn.MultiheadAttention(8, heads, bias=False, batch_first=True,
                                        dtype=torch.float64))
    X, memory = normal(3, 8), normal(5, 8)
    w_q, w_k, w_v, w_o = module_weights(module)
    weights = {"W_Q": w_q, "W_K": w_k, "W_V": w_v, "W_O": w_o}
    out, _ = module(t(X)[None], t(X)[None], t(X)[None])
    case(f"multi_head_self_{heads}", {"X": X, **weights},
         f"R = multi_head_attention(X, X, W_Q, W_K, W_V, W_O, {heads})", out[0].numpy())
    out, _ = module(t(X)[None], t(X)[None], t(X)[None], attn_mask=t(causal(3)))
    case(f"multi_head_causal_{heads}", {"X": X, **weights, "heads": [[heads]]},
         "R = multi_head_attention(X, X, W_Q, W_K, W_V, W_O, heads, causal_mask(3))",
         out[0].numpy())
    out, _ = module(t(X)[None], t(memory)[None], t(memory)[None])
    case(f"multi_head_cross_{heads}", {"X": X, "memory": memory, **weights},
         f"R = multi_head_attention(X, memory, W_Q, W_K, W_V, W_O, {heads})",
         out[0].numpy())

w_1, b_1, w_2, b_2 = normal(4, 6), normal(1, 6), normal(6, 4), normal(1, 4)
feed_forward = nn.Sequential(nn.Linear(4, 6, dtype=torch.float64), nn.ReLU(),
                             nn.Linear(6, 4, dtype=torch.float64))
feed_forward[0].weight.copy_(t(w_1.T))
feed_forward[0].bias.copy_(t(b_1[0]))
feed_forward[2].weight.copy_(t(w_2.T))
feed_forward[2].bias.copy_(t(b_2[0]))
case("feed_forward", {"X": A, "W_1": w_1, "b_1": b_1, "W_2": w_2, "b_2": b_2},
     "R = feed_forward(X, W_1, b_1, W_2, b_2)", feed_forward(t(A)).numpy())


def linear_weights(layer):
    return {"W_1": layer.linear1.weight.numpy().T, "b_1": layer.linear1.bias.numpy()[None],
            "W_2": layer.linear2.weight.numpy().T, "b_2": layer.linear2.bias.numpy()[None]}


def norm_weights(layer, number_of):
    given = {}
    for i in range(1, number_of + 1):
        module = getattr(layer, f"norm{i}")
        given[f"gamma_{i}"] = module.weight.numpy()[None]
        given[f"beta_{i}"] = module.bias.numpy()[None]
    return given


for heads in (1, 2):
    layer = fill(nn.TransformerEncoderLayer(8, heads, 16, dropout=0, batch_first=True,
                                            dtype=torch.float64))
    X = normal(4, 8)
    given = {"X": X, **dict(zip(["W_Q", "W_K", "W_V", "W_O"], module_weights(layer.self_attn))),
             **linear_weights(layer), **norm_weights(layer, 2)}
    call = (f"encoder_layer(X, W_Q, W_K, W_V, W_O, {heads}, gamma_1, beta_1, W_1, b_1, W_2, "
            "b_2, gamma_2, beta_2%s)")
    case(f"encoder_layer_{heads}", given, "R = " + call % "", layer(t(X)[None])[0].numpy())
    case(f"encoder_layer_masked_{heads}", given, "R = " + call % ", causal_mask(4)",
         layer(t(X)[None], src_mask=t(causal(4)))[0].numpy())

    layer = fill(nn.TransformerDecoderLayer(8, heads, 16, dropout=0, batch_first=True,
                                            dtype=torch.float64))
    X, memory = normal(4, 8), normal(5, 8)
    given = {"X": X, "memory": memory,
             **dict(zip(["W_Q", "W_K", "W_V", "W_O"], module_weights(layer.self_attn))),
             **dict(zip(["C_Q", "C_K", "C_V", "C_O"], module_weights(layer.multihead_attn))),
             **linear_weights(layer), **norm_weights(layer, 3)}
    call = (f"decoder_layer(X, memory, W_Q, W_K, W_V, W_O, C_Q, C_K, C_V, C_O, {heads}, "
            "gamma_1, beta_1, gamma_2, beta_2, W_1, b_1, W_2, b_2, gamma_3, beta_3%s)")
    case(f"decoder_layer_{heads}", given, "R = " + call % "",
         layer(t(X)[None], t(memory)[None])[0].numpy())
    case(f"decoder_layer_masked_{heads}", given, "R = " + call % ", causal_mask(4)",
         layer(t(X)[None], t(memory)[None], tgt_mask=t(causal(4)))[0].numpy())

x, places = normal(4, 8), np.array([[2.0, 0, 9, -1]])
turned = [architectures.rotary(t(part), t(places[0])).numpy() for part in (x[:, :4], x[:, 4:])]
case("rotary", {"x": x}, "R = rotary(x)", architectures.rotary(t(x)).numpy())
case("rotary_places", {"x": x, "p": places}, "R = rotary(x, p)",
     architectures.rotary(t(x), t(places[0])).numpy())
case("rotary_heads", {"x": x, "p": places}, "R = rotary(x, p.T, 2)", np.concatenate(turned, 1))

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "expressions.txt")
with open(path, "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
