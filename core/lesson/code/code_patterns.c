#include "lesson/code/code_patterns.h"

#include <assert.h>

static const CodePattern table[OPERATION_COUNT] = {
    [OPERATION_ADD] = {"#1 + #2", "#1 + #2", {"sum_to(#g, #x)"}},
    [OPERATION_SUBTRACT] = {"#1 - #2", "#1 - #2", {"sum_to(#g, #x)", "sum_to(-#g, #x)"}},
    [OPERATION_MULTIPLY] = {"#1 * #2",
                            "#1 * #2",
                            {"sum_to(#g * #2, #x)", "sum_to(#g * #1, #x)"}},
    [OPERATION_DIVIDE] = {"#1 / #2",
                          "#1 / #2",
                          {"sum_to(#g / #2, #x)", "sum_to(-#g * #1 / (#2 * #2), #x)"}},
    [OPERATION_NEGATE] = {"-#1", "-#1", {"-#g"}},
    [OPERATION_MATMUL] = {"#1 @ #2", "#1 @ #2", {"#g @ #2.T", "#1.T @ #g"}},
    [OPERATION_TRANSPOSE] = {"#1.T", "#1.T", {"#g.T"}},
    [OPERATION_SLICE] = {"#1[$slice]", "#1[$slice]", {"place(#g, #1, $r0, $c0)"}},
    [OPERATION_CONCAT] = {"np.concatenate([#*], axis=1)",
                          "torch.cat([#*], dim=1)",
                          {"#g[:, $at:$to]"}},
    [OPERATION_STACK] = {"np.concatenate([#*], axis=0)",
                         "torch.cat([#*], dim=0)",
                         {"#g[$at:$to]"}},
    [OPERATION_SOFTMAX] = {"softmax(#1)",
                           "softmax(#1)",
                           {"#o * (#g - (#g * #o).sum(axis=1, keepdims=True))"}},
    [OPERATION_RELU] = {"np.maximum(#1, 0)", "F.relu(#1)", {"#g * (#1 > 0)"}},
    [OPERATION_EXP] = {"np.exp(#1)", "torch.exp(#1)", {"#g * #o"}},
    [OPERATION_SQRT] = {"np.sqrt(#1)", "torch.sqrt(#1)", {"#g / (2 * #o)"}},
    [OPERATION_LOG] = {"np.log(#1)", "torch.log(#1)", {"#g / #1"}},
    [OPERATION_SUM] = {"#1.sum(axis=1, keepdims=True)",
                       "#1.sum(dim=1, keepdim=True)",
                       {"np.broadcast_to(#g, #1.shape)"}},
    [OPERATION_MEAN] = {"#1.mean(axis=1, keepdims=True)",
                        "#1.mean(dim=1, keepdim=True)",
                        {"np.broadcast_to(#g / #1.shape[1], #1.shape)"}},
    [OPERATION_MAX] = {"#1.max(axis=1, keepdims=True)",
                       "#1.max(dim=1, keepdim=True).values",
                       {"#g * one_hot(#1.argmax(axis=1), #1.shape[1])"}},
    [OPERATION_ARGMAX] = {"#1.argmax(axis=1, keepdims=True).astype(float)",
                          "#1.argmax(dim=1, keepdim=True).double()",
                          {NULL}},
    [OPERATION_ONE_HOT] = {"one_hot(#1, $cols)", "one_hot(#1, $cols)", {NULL}},
    [OPERATION_LAYER_NORM] = {"layer_norm(#*, epsilon=$epsilon)",
                              "layer_norm(#*, epsilon=$epsilon)",
                              {"layer_norm_back(#g, #*, epsilon=$epsilon)",
                               "(#g * layer_norm(#1, epsilon=$epsilon))"
                               ".sum(axis=0, keepdims=True)",
                               "#g.sum(axis=0, keepdims=True)"}},
    [OPERATION_EMBED] = {"#1[#2.ravel().astype(int)]",
                         "F.embedding(#2.flatten().long(), #1)",
                         {"one_hot(#2, len(#1)).T @ #g"}},
    [OPERATION_POSITIONAL_ENCODING] = {"positional_encoding($rows, $cols)",
                                       "positional_encoding($rows, $cols)",
                                       {NULL}},
    [OPERATION_CAUSAL_MASK] = {"np.triu(np.full(($rows, $cols), -np.inf), 1)",
                               "torch.full(($rows, $cols), -torch.inf).triu(1)",
                               {NULL}},
    [OPERATION_PADDING_MASK] = {"np.where(#1.reshape(1, -1) == 0, -np.inf, 0.0)",
                                "torch.where(#1.reshape(1, -1) == 0, -torch.inf, 0.0)",
                                {NULL}},
    [OPERATION_CROSS_ENTROPY] = {"cross_entropy(#1, #2)",
                                 "cross_entropy(#1, #2)",
                                 {"cross_entropy_back(#g, #1, #2)"}},
    [OPERATION_TOP_K] = {"top_k(#1, $keep)",
                         "top_k(#1, $keep)",
                         {"np.where(#o == -np.inf, 0, #g)"}},
    [OPERATION_TOP_P] = {"top_p(#1, $share)",
                         "top_p(#1, $share)",
                         {"np.where(#o == -np.inf, 0, #g)"}},
};

const CodePattern *code_pattern(OperationKind kind) {
    assert(kind < OPERATION_COUNT);
    return &table[kind];
}

const char CODE_PRELUDE_NUMPY[] =
    "import numpy as np\n"
    "\n"
    "def softmax(x):  # a row that is masked whole gives zeros\n"
    "    most = x.max(axis=1, keepdims=True)\n"
    "    e = np.exp(x - np.where(most == -np.inf, 0, most))\n"
    "    total = e.sum(axis=1, keepdims=True)\n"
    "    return e / np.where(total == 0, 1, total)\n"
    "\n"
    "def layer_norm(x, gamma=1, beta=0, epsilon=1e-5):\n"
    "    mean = x.mean(axis=1, keepdims=True)\n"
    "    return (x - mean) / np.sqrt(x.var(axis=1, keepdims=True) + epsilon) * gamma "
    "+ beta\n"
    "\n"
    "def positional_encoding(n, d):\n"
    "    pair = np.arange(d) // 2 * 2\n"
    "    angle = np.arange(n)[:, None] / 10000 ** (pair / d)\n"
    "    return np.where(np.arange(d) % 2 == 0, np.sin(angle), np.cos(angle))\n"
    "\n"
    "def one_hot(ids, n):\n"
    "    return np.eye(n)[ids.ravel().astype(int)]\n"
    "\n"
    "def cross_entropy(logits, targets):  # a negative target is none\n"
    "    at = targets.ravel().astype(int)\n"
    "    most = logits.max(axis=1)\n"
    "    total = most + np.log(np.exp(logits - most[:, None]).sum(axis=1))\n"
    "    lost = total - logits[np.arange(len(at)), np.maximum(at, 0)]\n"
    "    return np.where(at < 0, 0, lost)[:, None]\n"
    "\n"
    "def top_k(x, k):  # of equals the one that comes first\n"
    "    kept = np.argsort(-x, axis=1, kind=\"stable\")[:, :k]\n"
    "    out = np.full(x.shape, -np.inf)\n"
    "    np.put_along_axis(out, kept, np.take_along_axis(x, kept, 1), 1)\n"
    "    return out\n"
    "\n"
    "def top_p(x, p):\n"
    "    order = np.argsort(-x, axis=1, kind=\"stable\")\n"
    "    share = np.take_along_axis(softmax(x), order, 1)\n"
    "    keep = share.cumsum(axis=1) - share < p\n"
    "    out = np.empty(x.shape)\n"
    "    kept = np.where(keep, np.take_along_axis(x, order, 1), -np.inf)\n"
    "    np.put_along_axis(out, order, kept, 1)\n"
    "    return out\n"
    "\n"
    "def sum_to(g, x):  # undoes broadcasting\n"
    "    for axis in range(2):\n"
    "        if np.shape(x)[axis] == 1:\n"
    "            g = g.sum(axis=axis, keepdims=True)\n"
    "    return g\n"
    "\n"
    "def place(g, x, row, col):\n"
    "    out = np.zeros(x.shape)\n"
    "    out[row:row + g.shape[0], col:col + g.shape[1]] = g\n"
    "    return out\n"
    "\n"
    "def layer_norm_back(g, x, gamma=1, beta=0, epsilon=1e-5):\n"
    "    n = layer_norm(x, epsilon=epsilon)\n"
    "    g = g * gamma\n"
    "    g = g - g.mean(axis=1, keepdims=True) - n * (g * n).mean(axis=1, "
    "keepdims=True)\n"
    "    return g / np.sqrt(x.var(axis=1, keepdims=True) + epsilon)\n"
    "\n"
    "def cross_entropy_back(g, logits, targets):\n"
    "    at = targets.ravel().astype(int)\n"
    "    said = one_hot(np.maximum(at, 0), logits.shape[1])\n"
    "    return g * (softmax(logits) - said) * (at >= 0)[:, None]\n";

const char CODE_PRELUDE_TORCH[] =
    "import torch\n"
    "import torch.nn.functional as F\n"
    "\n"
    "torch.set_default_dtype(torch.float64)\n"
    "\n"
    "def softmax(x):  # a row that is masked whole gives zeros\n"
    "    masked = (x == -torch.inf).all(dim=1, keepdim=True)\n"
    "    return torch.softmax(x, dim=1).masked_fill(masked, 0)\n"
    "\n"
    "def layer_norm(x, gamma=None, beta=None, epsilon=1e-5):\n"
    "    flat = [None if w is None else w.flatten() for w in (gamma, beta)]\n"
    "    return F.layer_norm(x, x.shape[1:], *flat, eps=epsilon)\n"
    "\n"
    "def positional_encoding(n, d):\n"
    "    pair = torch.arange(d) // 2 * 2\n"
    "    angle = torch.arange(n)[:, None] / 10000 ** (pair / d)\n"
    "    return torch.where(torch.arange(d) % 2 == 0, angle.sin(), angle.cos())\n"
    "\n"
    "def one_hot(ids, n):\n"
    "    return F.one_hot(ids.flatten().long(), n).double()\n"
    "\n"
    "def cross_entropy(logits, targets):  # a negative target is none\n"
    "    at = targets.flatten().long().clamp(min=-1)\n"
    "    return F.cross_entropy(logits, at, ignore_index=-1, reduction=\"none\")"
    "[:, None]\n"
    "\n"
    "def top_k(x, k):  # of equals the one that comes first\n"
    "    cut = torch.sort(x, dim=1, descending=True, stable=True).indices[:, k:]\n"
    "    return x.scatter(1, cut, -torch.inf)\n"
    "\n"
    "def top_p(x, p):\n"
    "    share, order = torch.sort(softmax(x), dim=1, descending=True, stable=True)\n"
    "    cut = torch.empty(x.shape, dtype=torch.bool)\n"
    "    cut.scatter_(1, order, share.cumsum(1) - share >= p)\n"
    "    return x.masked_fill(cut, -torch.inf)\n";
