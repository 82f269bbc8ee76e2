#!/usr/bin/python3
"""Writes gradients.txt and gradients_model.txt: what PyTorch's autograd (float64) gives back.

    /usr/bin/python3 tests/reference/gradients.py

Debian's packages: python3-numpy python3-torch. The tests read only the files written.

gradients.txt is lines of words. A `#` begins a comment line. A case is

    case NAME OPERATION           as in kernels.txt, likewise
    option FIELD NUMBER
    input ROWS COLS
    output ROWS COLS
    gradient ROWS COLS            of the output, then ROWS lines of COLS numbers
    back INDEX ROWS COLS          what input INDEX is given back for it
    end

gradients_model.txt has models as in transformer.txt, but `output NAME` is the gradient of
PyTorch's tensor NAME (of a vector as one column). The loss is the mean cross entropy of the
logits over the rows that have a target: row i has column (5 i + 2) mod COLUMNS, and the
second row has none.
"""
import math
import pathlib

import numpy as np
import torch

from cases import kept_of, matrix, normal, seed_by, tensor_lines, turned
import transformer

INF = math.inf
lines = []


def case(name, operation, inputs, function, wanted=None, **options):
    """`wanted`: the inputs that have gradients, by number; None for all."""
    seed_by(name)
    wanted = range(len(inputs)) if wanted is None else wanted
    inputs = [x.clone().requires_grad_(i in wanted) for i, x in enumerate(inputs)]
    output = function(*inputs)
    gradient = normal(*output.shape)
    output.backward(gradient)
    lines.append(f"case {name} {operation}")
    lines.extend(f"option {field} {value!r}" for field, value in options.items())
    for x in inputs:
        lines.extend(tensor_lines("input", x))
    lines.extend(tensor_lines("output", output))
    lines.extend(tensor_lines("gradient", gradient))
    for i in wanted:
        grad = inputs[i].grad
        lines.extend(tensor_lines(f"back {i}", torch.zeros_like(inputs[i]) if grad is None else grad))
    lines.append("end")


def by(*shapes):
    return "_".join("x".join(map(str, shape)) for shape in shapes)


SHAPES = [(1, 1), (1, 5), (4, 1), (3, 4), (7, 6)]


def elementwise():
    pairs = [(s, s) for s in SHAPES] + [
        ((3, 4), (1, 4)), ((3, 4), (3, 1)), ((3, 4), (1, 1)),
        ((1, 4), (3, 4)), ((3, 1), (3, 4)), ((1, 1), (3, 4)),
        ((1, 4), (3, 1)), ((3, 1), (1, 4)), ((1, 1), (1, 4)),
    ]
    for operation, function in {"add": torch.add, "subtract": torch.sub,
                                "multiply": torch.mul, "divide": torch.div}.items():
        for shapes in pairs:
            a, b = (normal(*shape) for shape in shapes)
            if operation == "divide":
                b = b + torch.sign(b)
            case(f"{operation}_{by(*shapes)}", operation, [a, b], function)
    mask = torch.triu(torch.full((3, 3), -INF, dtype=torch.float64), 1)
    case("add_mask", "add", [normal(3, 3), mask], torch.add)
    for shape in SHAPES:
        x, name = normal(*shape), by(shape)
        case(f"negate_{name}", "negate", [x], torch.neg)
        case(f"relu_{name}", "relu", [x], torch.relu)
        case(f"exp_{name}", "exp", [x], torch.exp)
        case(f"sqrt_{name}", "sqrt", [x * x + 0.1], torch.sqrt)
        case(f"log_{name}", "log", [x * x + 0.1], torch.log)
    case("relu_at_zero", "relu", [matrix([[-1, 0, 1, -0.0, 1e-300]])], torch.relu)
    case("exp_masked", "exp", [matrix([[-INF, 0, -800, 2]])], torch.exp)


def products():
    for n, k, m in [(1, 1, 1), (1, 5, 1), (5, 1, 4), (3, 4, 2), (2, 3, 7), (1, 6, 3),
                    (8, 8, 8), (9, 4, 12), (11, 8, 23), (33, 17, 29), (16, 64, 10)]:
        case(f"matmul_{n}x{k}x{m}", "matmul", [normal(n, k), normal(k, m)], torch.matmul)


def places():
    for shape in SHAPES:
        case(f"transpose_{by(shape)}", "transpose", [normal(*shape)], torch.t)
    for r0, r1, c0, c1 in [(0, 5, 0, 6), (0, 5, 2, 4), (1, 2, 0, 6), (4, 5, 5, 6)]:
        case(f"slice_{r0}_{r1}_{c0}_{c1}", "slice", [normal(5, 6)],
             lambda x: x[r0:r1, c0:c1], row_begin=r0, row_end=r1, col_begin=c0, col_end=c1)
    for n, sizes in [(3, [2, 2]), (1, [1, 4, 2]), (4, [1]), (2, [3, 1, 1])]:
        name = f"{n}x{'_'.join(map(str, sizes))}"
        case(f"concat_{name}", "concat", [normal(n, size) for size in sizes],
             lambda *parts: torch.cat(parts, dim=1))
        case(f"stack_{name}", "stack", [normal(size, n) for size in sizes],
             lambda *parts: torch.cat(parts, dim=0))
    for name, ids in [("row", [[3, 0, 6, 3]]), ("column", [[1], [5]]), ("one", [[6]]),
                      ("same", [[2, 2, 2]])]:
        case(f"embed_{name}", "embed", [normal(7, 4), matrix(ids)],
             lambda table, ids: torch.nn.functional.embedding(ids.flatten().long(), table),
             wanted=[0])


def rows():
    for shape in SHAPES:
        x, name = normal(*shape) * 2, by(shape)
        case(f"softmax_{name}", "softmax", [x], lambda x: torch.softmax(x, dim=1))
        case(f"sum_{name}", "sum", [x], lambda x: x.sum(dim=1, keepdim=True))
        case(f"mean_{name}", "mean", [x], lambda x: x.mean(dim=1, keepdim=True))
        case(f"max_{name}", "max", [x], lambda x: x.max(dim=1, keepdim=True).values)

    def softmax(x):
        """A row masked whole gives zeros here, where PyTorch has no number."""
        whole = (x == -INF).all(dim=1, keepdim=True)
        return torch.softmax(x.masked_fill(whole, 0), dim=1).masked_fill(whole, 0)

    for name, cells in {
        "causal": [[0.3, -INF, -INF], [0.1, 0.7, -INF], [-0.2, 0.5, 1.1]],
        "whole": [[-INF, -INF, -INF], [1, 2, -INF], [-INF, -INF, 5]],
        "large": [[1e4, 1e4 - 1, -1e4], [-1e4, -1e4, -1e4 + 2]],
        "minus_1e9": [[0.5, -1e9, 1.5], [-1e9, -1e9, -1e9]],
    }.items():
        case(f"softmax_{name}", "softmax", [matrix(cells)], softmax)
    case("max_ties", "max", [matrix([[1, 3, 3, 2], [-5, -INF, -5, -7]])],
         lambda x: torch.gather(x, 1, torch.tensor([[1], [0]])))


# What torch.nn.functional.rms_norm, which PyTorch has from 2.4 on, is made of.
def rms_norm(x, gamma=1, epsilon=torch.finfo(torch.float64).eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * gamma


def norms():
    norm = torch.nn.functional.layer_norm
    for n, d in SHAPES + [(3, 12)]:
        x, gamma, beta = normal(n, d) * 2 + 1, normal(1, d), normal(1, d)
        for epsilon in [1e-5, 0.25]:
            case(f"layer_norm_plain_{n}x{d}_{epsilon}", "layer_norm", [x],
                 lambda x: norm(x, [d], eps=epsilon), epsilon=epsilon)
            case(f"layer_norm_{n}x{d}_{epsilon}", "layer_norm", [x, gamma, beta],
                 lambda x, g, b: norm(x, [d], g[0], b[0], eps=epsilon), epsilon=epsilon)
            case(f"rms_norm_plain_{n}x{d}_{epsilon}", "rms_norm", [x],
                 lambda x: rms_norm(x, epsilon=epsilon), epsilon=epsilon)
            case(f"rms_norm_{n}x{d}_{epsilon}", "rms_norm", [x, gamma],
                 lambda x, g: rms_norm(x, g, epsilon), epsilon=epsilon)
    case("rms_norm_constant_rows", "rms_norm", [matrix([[3, 3, 3], [0, 0, 0]])],
         lambda x: rms_norm(x, epsilon=1e-5), epsilon=1e-5)
    case("layer_norm_constant_rows", "layer_norm", [matrix([[3, 3, 3], [0, 0, 0]])],
         lambda x: norm(x, [3], eps=1e-5), epsilon=1e-5)


def losses():
    def loss(logits, targets):
        return torch.nn.functional.cross_entropy(
            logits, targets.flatten().long(), reduction="none", ignore_index=-1)[:, None]

    for name, x, targets in [
        ("one", normal(1, 1), [[0]]),
        ("row", normal(4, 5), [[0, 4, 2, 2]]),
        ("column", normal(3, 7), [[6], [0], [3]]),
        ("ignored", normal(5, 4), [[1, -1, 3, -1, 0]]),
        ("all_ignored", normal(2, 3), [[-1, -1]]),
        ("large", normal(3, 6) * 1e4, [[1, 2, 3]]),
        ("masked", matrix([[0.5, -INF, 2], [-INF, -INF, 1]]), [[2, 2]]),
        ("words", normal(6, 23) * 3, [[22, 0, 5, -1, 7, 7]]),
    ]:
        case(f"cross_entropy_{name}", "cross_entropy", [x, matrix(targets)], loss,
             wanted=[0])


def choices():
    for shape, k in [((1, 1), 1), ((3, 4), 1), ((3, 4), 2), ((7, 6), 5), ((3, 4), 4)]:
        def top_k(x):
            least = x.topk(k, dim=1).values[:, -1:]
            return x.masked_fill(x < least, -INF)
        case(f"top_k_{by(shape)}_{k}", "top_k", [normal(*shape)], top_k, keep=k)
    for shape, p in [((1, 1), 0.5), ((3, 4), 0.3), ((3, 4), 0.8), ((7, 6), 0.9),
                     ((5, 8), 0.999)]:
        def top_p(x):
            shares, order = torch.softmax(x, dim=1).sort(dim=1, descending=True)
            cut = shares.cumsum(dim=1) - shares >= p
            return x.masked_fill(torch.zeros_like(cut).scatter(1, order, cut), -INF)
        case(f"top_p_{by(shape)}_{p}", "top_p", [normal(*shape) * 2], top_p, share=p)


def write_file(name, what):
    path = pathlib.Path(__file__).with_name(name)
    header = [
        "# Made by gradients.py, which says what the lines mean. Do not edit by hand.",
        f"# PyTorch {torch.__version__}, NumPy {np.__version__}, float64.",
    ]
    path.write_text("\n".join(header + lines) + "\n")
    print(f"{path.name}: {sum(line.startswith(what) for line in lines)} of {what}")
    lines.clear()


class Model(transformer.Model):
    """Keeps every tensor it draws, and its logits."""

    def draw(self, name, *shape):
        if name not in self.tensors:
            self.tensors[name] = super().draw(name, *shape).requires_grad_()
        return self.tensors[name]

    def fill(self, module, prefix):
        super().fill(module, prefix)
        for name, parameter in module.named_parameters():
            self.tensors[f"{prefix}.{name}"] = parameter

    def write_gradients(self):
        kept = {}
        transformer.lines.clear()
        transformer.write = lambda name, tensor: kept.update({name: tensor})
        self.write()
        lines.extend(transformer.lines[:-1])  # all but `end`
        logits = kept["logits"].reshape(-1, kept["logits"].shape[-1])
        targets = torch.tensor([(5 * i + 2) % logits.shape[1] for i in range(len(logits))])
        targets[1] = -1
        torch.nn.functional.cross_entropy(logits, targets, ignore_index=-1).backward()
        for name, tensor in self.tensors.items():
            grad = tensor.grad if tensor.grad.dim() == 2 else tensor.grad[:, None]
            lines.extend(tensor_lines(f"output {name}", grad))
        lines.append("end")


def models():
    Model("post_norm", "encoder_decoder", 21, [3, 1, 4, 1, 5], [2, 7, 1, 8], heads=2,
          encoder_layers=2, decoder_layers=2, source_vocabulary=6, target_vocabulary=9,
          first_output=1, final_norm=1).write_gradients()
    Model("pre_norm_padded", "encoder_decoder", 22, [3, 1, 4, 0], [2, 7, 1, 0, 0], heads=4,
          pre_norm=1, final_norm=1, encoder_layers=2, decoder_layers=2,
          source_vocabulary=5, target_vocabulary=9, scale_embedding=1).write_gradients()
    Model("decoder_only", "decoder", 23, [], [4, 2, 3, 1, 1, 6], d_model=10, heads=5,
          d_ff=40, decoder_layers=2, target_vocabulary=7, biases=0).write_gradients()


def gelu_tanh(x):
    return torch.nn.functional.gelu(x, approximate="tanh")


def gates():
    far = matrix([[-800, -40, -8, -1e-300, 0, 1e-17, 8, 40]])
    for name, x in {"3x4": normal(3, 4), "1x1": normal(1, 1), "5x2": normal(5, 2),
                    "far": far}.items():
        case(f"gelu_{name}", "gelu", [x], torch.nn.functional.gelu)
        case(f"gelu_tanh_{name}", "gelu_tanh", [x], gelu_tanh)
        case(f"silu_{name}", "silu", [x], torch.nn.functional.silu)


def rotaries():
    for heads, n, d in [(1, 1, 2), (1, 5, 8), (2, 3, 8)]:
        x = normal(n, d)
        places = matrix([[3, 700, 0, -2, 5][:n]])
        case(f"rotary_{heads}_{n}x{d}", "rotary", [x], lambda x: turned(x, heads), heads=heads)
        case(f"rotary_places_{heads}_{n}x{d}", "rotary", [x, places],
             lambda x, places: turned(x, heads, places[0]), [0], heads=heads)


def dropouts():
    for p, seed, n, d in [(0.5, 1, 4, 5), (0.1, 7, 3, 8), (0.9, 3, 2, 6), (0.0, 2, 1, 3)]:
        x = normal(n, d)
        case(f"dropout_{p}_{seed}", "dropout", [x], lambda x: kept_of(x, p, seed), share=p, seed=seed)


for section in [elementwise, products, places, rows, norms, losses, choices, gates, rotaries, dropouts]:
    section()
write_file("gradients.txt", "case ")
models()
write_file("gradients_model.txt", "model ")
