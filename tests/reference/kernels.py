#!/usr/bin/python3
"""Writes kernels.txt: every operation's results as PyTorch (float64) computes them.

    /usr/bin/python3 tests/reference/kernels.py

Debian's packages: python3-numpy python3-torch. The tests read only the file written.

The file is lines of words. A `#` begins a comment line. A case is

    case NAME OPERATION           NAME is for messages, OPERATION as in `show --json`
    option FIELD NUMBER           a field of OperationOptions; any number of these
    of OPERATION INPUT            of a `backward`: whose, and with respect to which input
    input ROWS COLS               then ROWS lines of COLS numbers; any number of these
    output ROWS COLS              then ROWS lines of COLS numbers
    end

Numbers have 17 significant digits; infinities are `inf` and `-inf`.
"""
import math
import pathlib

import numpy as np
import torch

import architectures
from cases import kept_of, matrix, normal, seed_by, tensor_lines, turned
import transformer

INF = math.inf
lines = []


def case(name, operation, inputs, output, **options):
    seed_by(name)
    lines.append(f"case {name} {operation}")
    lines.extend(f"option {field} {value!r}" for field, value in options.items())
    for tensor in inputs:
        lines.extend(tensor_lines("input", tensor))
    lines.extend(tensor_lines("output", output))
    lines.append("end")


SHAPES = [(1, 1), (1, 5), (4, 1), (3, 4), (7, 6)]


def gelu_tanh(x):
    return torch.nn.functional.gelu(x, approximate="tanh")


def elementwise():
    binary = {
        "add": torch.add,
        "subtract": torch.sub,
        "multiply": torch.mul,
        "divide": torch.div,
    }
    # Equal shapes, then a row, a column, a number on either side, and a row with a column.
    pairs = [(s, s) for s in SHAPES] + [
        ((3, 4), (1, 4)), ((3, 4), (3, 1)), ((3, 4), (1, 1)),
        ((1, 4), (3, 4)), ((3, 1), (3, 4)), ((1, 1), (3, 4)),
        ((1, 4), (3, 1)), ((3, 1), (1, 4)), ((1, 1), (1, 4)),
    ]
    for operation, function in binary.items():
        for a_shape, b_shape in pairs:
            a, b = normal(*a_shape), normal(*b_shape)
            if operation == "divide":
                b = b + torch.sign(b)
            name = "x".join(map(str, a_shape)) + "_" + "x".join(map(str, b_shape))
            case(f"{operation}_{name}", operation, [a, b], function(a, b))
    scores, mask = normal(3, 3), torch.triu(torch.full((3, 3), -INF), 1)
    case("add_mask", "add", [scores, mask], scores + mask.to(torch.float64))
    case("divide_by_zero", "divide", [matrix([[1, -1]]), matrix([[0]])],
         matrix([[INF, -INF]]))

    for shape in SHAPES:
        x, name = normal(*shape), "x".join(map(str, shape))
        case(f"negate_{name}", "negate", [x], -x)
        case(f"relu_{name}", "relu", [x], torch.relu(x))
        case(f"gelu_{name}", "gelu", [x], torch.nn.functional.gelu(x))
        case(f"gelu_tanh_{name}", "gelu_tanh", [x], gelu_tanh(x))
        case(f"silu_{name}", "silu", [x], torch.nn.functional.silu(x))
        case(f"exp_{name}", "exp", [x], torch.exp(x))
        case(f"sqrt_{name}", "sqrt", [x * x], torch.sqrt(x * x))
    ends = matrix([[-INF, -1e300, -0.5, 0, 0.5, INF]])
    case("relu_ends", "relu", [ends], torch.relu(ends))
    far = matrix([[-40, -8, -1e-300, 0, 1e-17, 8, 1e300, INF]])
    case("gelu_ends", "gelu", [far], torch.nn.functional.gelu(far))
    case("gelu_tanh_ends", "gelu_tanh", [far], gelu_tanh(far))
    case("silu_ends", "silu", [far], torch.nn.functional.silu(far))
    case("negate_ends", "negate", [ends], -ends)
    small = matrix([[-INF, -1e4, -745, -1e-320, 0, 1e-17, 2]])
    case("exp_ends", "exp", [small], torch.exp(small))
    roots = matrix([[0, 1e-300, 0.25, 2, INF]])
    case("sqrt_ends", "sqrt", [roots], torch.sqrt(roots))


def products():
    for n, k, m in [(1, 1, 1), (1, 5, 1), (5, 1, 4), (3, 4, 2), (2, 3, 7), (1, 6, 3),
                    (8, 8, 8), (33, 17, 29)]:
        a, b = normal(n, k), normal(k, m)
        case(f"matmul_{n}x{k}x{m}", "matmul", [a, b], torch.matmul(a, b))


def places():
    for shape in SHAPES:
        x = normal(*shape)
        case("transpose_" + "x".join(map(str, shape)), "transpose", [x], x.T)
    x = normal(5, 6)
    for r0, r1, c0, c1 in [(0, 5, 0, 6), (0, 5, 2, 4), (1, 2, 0, 6), (4, 5, 5, 6),
                           (2, 5, 0, 1), (0, 1, 0, 1)]:
        case(f"slice_{r0}_{r1}_{c0}_{c1}", "slice", [x], x[r0:r1, c0:c1],
             row_begin=r0, row_end=r1, col_begin=c0, col_end=c1)
    for n, widths in [(3, [2, 2]), (1, [1, 4, 2]), (4, [1]), (2, [3, 1, 1, 5])]:
        parts = [normal(n, width) for width in widths]
        name = "_".join(map(str, widths))
        case(f"concat_{n}x{name}", "concat", parts, torch.cat(parts, dim=1))
    table = normal(7, 4)
    for name, ids in [("row", [[3, 0, 6, 3]]), ("column", [[1], [5]]), ("one", [[6]])]:
        ids = matrix(ids)
        flat = ids.flatten().long()
        case(f"embed_{name}", "embed", [table, ids],
             torch.nn.functional.embedding(flat, table))
        case(f"one_hot_{name}", "one_hot", [ids],
             torch.nn.functional.one_hot(flat, 7), cols=7)
    case("one_hot_single", "one_hot", [matrix([[0, 0]])], matrix([[1], [1]]), cols=1)
    for name, ids in [("row", [[4, 2, 0, 7, 0]]), ("column", [[0], [3]]),
                      ("none", [[1, 2]]), ("all", [[0, 0, 0]])]:
        ids = matrix(ids)
        zeros = torch.zeros(1, ids.numel(), dtype=torch.float64)
        case(f"padding_mask_{name}", "padding_mask", [ids],
             zeros.masked_fill(ids.flatten() == 0, -INF))


def softmaxes():
    """A row that is −∞ throughout is NaN in PyTorch; here, by convention, it is zeros."""
    def expected(x):
        shares = torch.softmax(x, dim=1)
        return torch.where((x == -INF).all(dim=1, keepdim=True),
                           torch.zeros_like(shares), shares)

    for shape in SHAPES:
        x = normal(*shape) * 3
        case("softmax_" + "x".join(map(str, shape)), "softmax", [x], expected(x))
    cases = {
        "large": [[1e4, 1e4 - 1, -1e4], [-1e4, -1e4, -1e4 + 2], [1e308, 0, -1e308]],
        "equal": [[2, 2, 2, 2], [-1e4, -1e4, -1e4, -1e4]],
        "masked": [[0.3, -INF, -INF], [0.1, 0.7, -INF], [-0.2, 0.5, 1.1]],
        "masked_whole": [[-INF, -INF, -INF], [1, 2, -INF], [-INF, -INF, 5]],
        "masked_alone": [[-INF]],
        "minus_1e9": [[0.5, -1e9, 1.5], [-1e9, -1e9, -1e9]],
    }
    for name, rows in cases.items():
        case(f"softmax_{name}", "softmax", [matrix(rows)], expected(matrix(rows)))


def reductions():
    for shape in SHAPES:
        x, name = normal(*shape), "x".join(map(str, shape))
        case(f"sum_{name}", "sum", [x], x.sum(dim=1, keepdim=True))
        case(f"mean_{name}", "mean", [x], x.mean(dim=1, keepdim=True))
        case(f"max_{name}", "max", [x], x.max(dim=1, keepdim=True).values)
        case(f"argmax_{name}", "argmax", [x], x.argmax(dim=1, keepdim=True))
    ties = matrix([[1, 3, 3, 2], [-INF, -INF, -INF, -INF], [-5, -INF, -5, -7]])
    first = torch.from_numpy(np.argmax(ties.numpy(), axis=1))[:, None]
    case("argmax_ties", "argmax", [ties], first)
    case("max_ties", "max", [ties], ties.max(dim=1, keepdim=True).values)
    case("sum_infinite", "sum", [ties], ties.sum(dim=1, keepdim=True))


# What torch.nn.functional.rms_norm, which PyTorch has from 2.4 on, is made of.
def rms_norm(x, gamma=1, epsilon=torch.finfo(torch.float64).eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * gamma


def norms():
    norm = torch.nn.functional.layer_norm
    for n, d in [(1, 1), (1, 5), (4, 1), (3, 4), (7, 6)]:
        x, gamma, beta = normal(n, d) * 2 + 1, normal(1, d), normal(1, d)
        case(f"layer_norm_plain_{n}x{d}", "layer_norm", [x],
             norm(x, [d], eps=1e-5), epsilon=1e-5)
        case(f"layer_norm_{n}x{d}", "layer_norm", [x, gamma, beta],
             norm(x, [d], gamma[0], beta[0], eps=1e-5), epsilon=1e-5)
        case(f"layer_norm_epsilon_{n}x{d}", "layer_norm", [x, gamma, beta],
             norm(x, [d], gamma[0], beta[0], eps=0.25), epsilon=0.25)
        case(f"rms_norm_plain_{n}x{d}", "rms_norm", [x], rms_norm(x), epsilon=2**-52)
        case(f"rms_norm_epsilon_{n}x{d}", "rms_norm", [x, gamma],
             rms_norm(x, gamma, 0.25), epsilon=0.25)
    same = matrix([[3, 3, 3], [0, 0, 0]])
    case("rms_norm_constant_rows", "rms_norm", [same], rms_norm(same), epsilon=2**-52)
    case("layer_norm_constant_rows", "layer_norm", [same],
         norm(same, [3], eps=1e-5), epsilon=1e-5)


def without_inputs():
    for n, d in [(1, 1), (1, 4), (5, 1), (6, 8), (12, 5), (50, 16)]:
        case(f"positional_encoding_{n}x{d}", "positional_encoding", [],
             architectures.sines(n, d), rows=n, cols=d)
    for n in [1, 2, 5]:
        mask = torch.triu(torch.full((n, n), -INF, dtype=torch.float64), 1)
        case(f"causal_mask_{n}", "causal_mask", [], mask, rows=n, cols=n)


def losses():
    for shape in SHAPES:
        x = normal(*shape)
        case("log_" + "x".join(map(str, shape)), "log", [x * x], torch.log(x * x))
    ends = matrix([[0, 1e-320, 1e-17, 1, 1e300, INF]])
    case("log_ends", "log", [ends], torch.log(ends))
    cross_entropy = torch.nn.functional.cross_entropy
    for name, x, targets in [
        ("one", normal(1, 1), [[0]]), ("row", normal(4, 5), [[0, 4, 2, 2]]),
        ("column", normal(3, 7), [[6], [0], [3]]),
        ("ignored", normal(5, 4), [[1, -1, 3, -1, 0]]),
        ("large", matrix([[1e4, 1e4 - 1, -1e4], [1e308, 0, -1e308]]), [[1, 0]]),
        ("masked", matrix([[0.5, -INF, 2], [0.5, -INF, 2]]), [[2, 1]]),
    ]:
        targets = matrix(targets)
        case(f"cross_entropy_{name}", "cross_entropy", [x, targets],
             cross_entropy(x, targets.flatten().long(), reduction="none",
                           ignore_index=-1)[:, None])


def choices():
    """Sorted by NumPy, stably: of equals the leftmost comes first."""
    def keep(x, counts):
        order = np.argsort(-x.numpy(), axis=1, kind="stable")
        out = np.full(x.shape, -INF)
        for i, count in enumerate(counts):
            out[i, order[i, :count]] = x.numpy()[i, order[i, :count]]
        return torch.from_numpy(out)

    ties = matrix([[1, 3, 3, 2, 3], [-INF, 0, -INF, 0, 0], [2, 2, 2, 2, 2]])
    for x, name in [(normal(1, 1), "1x1"), (normal(3, 4), "3x4"), (normal(7, 6), "7x6"),
                    (ties, "ties")]:
        for k in [1, 2, 4, 9]:
            case(f"top_k_{name}_{k}", "top_k", [x], keep(x, [k] * len(x)), keep=k)
        for p in [1e-9, 0.3, 0.75, 0.97]:
            shares = np.sort(torch.softmax(x, dim=1).numpy(), axis=1)[:, ::-1]
            before = np.cumsum(shares, axis=1) - shares
            case(f"top_p_{name}_{p}", "top_p", [x], keep(x, (before < p).sum(axis=1)),
                 share=p)
    for n, sizes in [(3, [2, 2]), (1, [1, 4, 2]), (4, [1]), (2, [3, 1, 1, 5])]:
        parts = [normal(size, n) for size in sizes]
        case(f"stack_{n}x{'_'.join(map(str, sizes))}", "stack", parts, torch.cat(parts))


def backwards():
    def back(name, of, inputs, function, input_number):
        inputs = [x.clone().requires_grad_() for x in inputs]
        output = function(*inputs)
        gradient = normal(*output.shape)
        output.backward(gradient)
        case(f"backward_{of}_{name}", "backward",
             [x.detach() for x in inputs] + [output.detach(), gradient],
             inputs[input_number].grad)
        lines.insert(-1, f"of {of} {input_number}")

    a, b, row = normal(3, 4), normal(4, 2), normal(1, 4)
    back("left", "matmul", [a, b], torch.matmul, 0)
    back("right", "matmul", [a, b], torch.matmul, 1)
    back("same", "add", [a, row], torch.add, 0)
    back("row", "add", [a, row], torch.add, 1)
    back("row", "multiply", [a, row], torch.mul, 1)
    back("3x4", "relu", [a], torch.relu, 0)
    back("3x4", "exp", [a], torch.exp, 0)
    back("3x4", "softmax", [a], lambda x: torch.softmax(x, dim=1), 0)
    back("3x4", "mean", [a], lambda x: x.mean(dim=1, keepdim=True), 0)
    back("3x4", "transpose", [a], torch.t, 0)
    back("3x4", "gelu", [a], torch.nn.functional.gelu, 0)
    back("3x4", "gelu_tanh", [a], gelu_tanh, 0)
    back("3x4", "silu", [a], torch.nn.functional.silu, 0)
    back("3x4", "rms_norm", [a], rms_norm, 0)
    lines.insert(-1, f"option epsilon {2**-52}")


def rotaries():
    for heads, n, d in [(1, 1, 2), (1, 4, 2), (1, 5, 8), (2, 3, 8), (3, 4, 6)]:
        x = normal(n, d)
        places = matrix([[3, 700, 0, -2, 5][:n]])
        case(f"rotary_{heads}_{n}x{d}", "rotary", [x], turned(x, heads), heads=heads)
        case(f"rotary_places_{heads}_{n}x{d}", "rotary", [x, places],
             turned(x, heads, places[0]), heads=heads)


def rotary_bases():
    for base, heads, n, d in [(500000, 2, 4, 8), (1e6, 1, 3, 6)]:
        x = normal(n, d)
        case(f"rotary_base_{base:g}", "rotary", [x], turned(x, heads, base=base),
             heads=heads, base=base)


def dropouts():
    for p, seed, n, d in [(0.5, 1, 4, 5), (0.1, 7, 3, 8), (0.9, 3, 2, 6), (0.0, 2, 1, 3)]:
        x = normal(n, d)
        case(f"dropout_{p}_{seed}", "dropout", [x], kept_of(x, p, seed), share=p, seed=seed)


for section in [elementwise, products, places, softmaxes, reductions, norms,
                without_inputs, losses, choices, backwards, rotaries, dropouts, rotary_bases]:
    section()

path = pathlib.Path(__file__).with_name("kernels.txt")
header = [
    "# Made by kernels.py, which says what the lines mean. Do not edit by hand.",
    f"# PyTorch {torch.__version__}, NumPy {np.__version__}, float64.",
]
path.write_text("\n".join(header + lines) + "\n")
print(f"{path.name}: {sum(line.startswith('case ') for line in lines)} cases")
