#!/usr/bin/python3
"""Writes layouts/*.safetensors and layouts.txt: small models of the published architectures,
in PyTorch, saved with the names that Hugging Face's files have.

    /usr/bin/python3 tests/reference/layouts.py

Written from the papers and the published modelling code; nothing is taken from the program.

- gpt2: Radford et al. 2019; openai/gpt-2, model.py: Conv1D, c_attn for all three, GELU by
  tanh, norms before, learned positions, tied logits
- bert: Devlin et al. 2019; google-research/bert, modeling.py: norms behind, exact GELU,
  segments, a norm of the embeddings, epsilon 1e-12
- nanogpt: karpathy/nanoGPT, model.py: GPT-2's names with nn.Linear, the exact GELU, and what
  torch.compile puts before all names
- qwen2: Qwen Team 2024; LLaMA's, with biases of queries, keys and values
- llama_base: Llama 3 (Grattafiori et al. 2024): LLaMA's, with a rotary base of 500,000
- llama: Touvron et al. 2023; meta-llama/llama, model.py, with rotary positions in halves as
  Hugging Face stores them: RMS norm, SwiGLU, no biases, keys and values of fewer heads

Each is saved in F64, and a smaller one in F32, F16 or BF16 with what else such files have
beside the weights. That one is run in float32 on the weights as stored. layouts.txt is in
the form of transformer.txt: see transformer.py.
"""
import math
import pathlib
import sys

import torch
from torch import nn
from torch.nn import functional as F

sys.dont_write_bytecode = True
import weights

FOLDER = pathlib.Path(__file__).parent
lines = []


class Conv1D(nn.Module):
    """y = x W + b, W [inputs, outputs]."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inputs, outputs))
        self.bias = nn.Parameter(torch.empty(outputs))

    def forward(self, x):
        return x @ self.weight + self.bias


class Holder(nn.Module):
    """Modules by their names: Holder(query=nn.Linear(8, 8))."""

    def __init__(self, /, **modules):
        super().__init__()
        for name, module in modules.items():
            self.add_module(name, module)


class Run:
    """Keeps every tensor under the name that lessons have for it."""

    digits = 11

    def keep(self, name, x):
        lines.append(f"output {name} {x.shape[0]} {x.shape[1]}")
        for row in x.tolist():
            lines.append(" ".join(f"{value:.{self.digits}g}" for value in row))
        return x

    def attend(self, path, q, k, v, heads, shared, causal):
        """softmax(q kᵀ / √d) v of each head; keys and values may be shared by several."""
        n, wide = q.shape[0], q.shape[1] // heads
        out = []
        for h in range(heads):
            own = slice(h * wide, (h + 1) * wide)
            group = h // (heads // shared)
            theirs = slice(group * wide, (group + 1) * wide)
            scores = q[:, own] @ k[:, theirs].T
            scaled = scores / math.sqrt(wide)
            if causal:
                scaled = scaled.masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf)
            share = self.keep(f"{path}.head.{h}.weights", torch.softmax(scaled, -1))
            out.append(self.keep(f"{path}.head.{h}.output", share @ v[:, theirs]))
        return self.keep(f"{path}.concat", torch.cat(out, 1))


# ---- GPT-2 ----


class Gpt2(nn.Module):
    def __init__(self, d, heads, layers, words, places, epsilon, linear=Conv1D, tanh=True):
        super().__init__()
        self.heads, self.tanh = heads, tanh
        self.wte, self.wpe = nn.Embedding(words, d), nn.Embedding(places, d)
        self.h = nn.ModuleList(Holder(
            ln_1=nn.LayerNorm(d, epsilon),
            attn=Holder(c_attn=linear(d, 3 * d), c_proj=linear(d, d)),
            ln_2=nn.LayerNorm(d, epsilon),
            mlp=Holder(c_fc=linear(d, 2 * d), c_proj=linear(2 * d, d))) for _ in range(layers))
        self.ln_f = nn.LayerNorm(d, epsilon)

    def run(self, run, ids):
        x = run.keep("decoder.embedding", self.wte(ids))
        at = run.keep("decoder.position", self.wpe(torch.arange(len(ids))))
        x = run.keep("decoder.input", x + at)
        for i, layer in enumerate(self.h):
            path = f"decoder.{i}"
            y = run.keep(f"{path}.norm_1", layer.ln_1(x))
            q, k, v = layer.attn.c_attn(y).chunk(3, 1)
            inner = f"{path}.self_attention"
            for name, tensor in zip(("query", "key", "value"), (q, k, v)):
                run.keep(f"{inner}.{name}", tensor)
            y = run.attend(inner, q, k, v, self.heads, self.heads, True)
            y = run.keep(f"{inner}.projected", layer.attn.c_proj(y))
            x = run.keep(f"{path}.residual_1", x + y)
            y = run.keep(f"{path}.norm_2", layer.ln_2(x))
            y = run.keep(f"{path}.feed_forward.linear_1", layer.mlp.c_fc(y))
            if self.tanh:
                y = 0.5 * y * (1 + torch.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y**3)))
                run.keep(f"{path}.feed_forward.gelu_tanh", y)
            else:
                y = run.keep(f"{path}.feed_forward.gelu", F.gelu(y))
            y = run.keep(f"{path}.feed_forward.linear_2", layer.mlp.c_proj(y))
            x = run.keep(f"{path}.residual_2", x + y)
        x = run.keep("decoder.norm", self.ln_f(x))
        logits = run.keep("logits", x @ self.wte.weight.T)
        run.keep("probabilities", torch.softmax(logits, -1))


# ---- BERT ----


class Bert(nn.Module):
    def __init__(self, d, heads, layers, words, places, epsilon):
        super().__init__()
        self.heads = heads
        self.embeddings = Holder(
            word_embeddings=nn.Embedding(words, d, padding_idx=0),
            position_embeddings=nn.Embedding(places, d),
            token_type_embeddings=nn.Embedding(2, d), LayerNorm=nn.LayerNorm(d, epsilon))
        self.encoder = Holder(layer=nn.ModuleList(Holder(
            attention=Holder(
                self=Holder(query=nn.Linear(d, d), key=nn.Linear(d, d), value=nn.Linear(d, d)),
                output=Holder(dense=nn.Linear(d, d), LayerNorm=nn.LayerNorm(d, epsilon))),
            intermediate=Holder(dense=nn.Linear(d, 2 * d)),
            output=Holder(dense=nn.Linear(2 * d, d), LayerNorm=nn.LayerNorm(d, epsilon)))
            for _ in range(layers)))
        self.pooler = Holder(dense=nn.Linear(d, d))

    def run(self, run, ids):
        e = self.embeddings
        x = run.keep("encoder.embedding", e.word_embeddings(ids))
        at = run.keep("encoder.position", e.position_embeddings(torch.arange(len(ids))))
        x = run.keep("encoder.input", x + at)
        row = run.keep("encoder.segment", e.token_type_embeddings(torch.tensor([0])))
        x = run.keep("encoder.with_segment", x + row)
        x = run.keep("encoder.embedding_norm", e.LayerNorm(x))
        for i, layer in enumerate(self.encoder.layer):
            path, own = f"encoder.{i}", layer.attention
            q, k, v = (run.keep(f"{path}.self_attention.{name}", getattr(own.self, name)(x))
                       for name in ("query", "key", "value"))
            y = run.attend(f"{path}.self_attention", q, k, v, self.heads, self.heads, False)
            y = run.keep(f"{path}.self_attention.projected", own.output.dense(y))
            x = run.keep(f"{path}.residual_1", x + y)
            x = run.keep(f"{path}.norm_1", own.output.LayerNorm(x))
            y = run.keep(f"{path}.feed_forward.linear_1", layer.intermediate.dense(x))
            y = run.keep(f"{path}.feed_forward.gelu", y * 0.5 * (1 + torch.erf(y / math.sqrt(2))))
            y = run.keep(f"{path}.feed_forward.linear_2", layer.output.dense(y))
            x = run.keep(f"{path}.residual_2", x + y)
            x = run.keep(f"{path}.norm_2", layer.output.LayerNorm(x))


# ---- LLaMA ----


class RmsNorm(nn.Module):
    def __init__(self, d, epsilon):
        super().__init__()
        self.weight, self.epsilon = nn.Parameter(torch.empty(d)), epsilon

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon) * self.weight


def rotate(x, heads, base):
    """In each head the pairs are i and i + d/2; their angle is place / base^(2i/d)."""
    n, wide = x.shape[0], x.shape[1] // heads
    half = wide // 2
    angle = torch.arange(n, dtype=torch.float64)[:, None] * base ** (
        -torch.arange(half, dtype=torch.float64) / half)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    out = []
    for h in range(heads):
        a, b = x[:, h * wide:h * wide + half], x[:, h * wide + half:(h + 1) * wide]
        out += [a * cos - b * sin, b * cos + a * sin]
    return torch.cat(out, 1)


class Llama(nn.Module):
    def __init__(self, d, heads, layers, words, shared, epsilon, tied, base=10000.0,
                 biased=False):
        super().__init__()
        self.heads, self.shared, self.base = heads, shared, base
        few, wide = d // heads * shared, 3 * d // 2

        def linear(inputs, outputs, bias=False):
            return nn.Linear(inputs, outputs, bias=bias)
        self.model = Holder(
            embed_tokens=nn.Embedding(words, d),
            layers=nn.ModuleList(Holder(
                self_attn=Holder(q_proj=linear(d, d, biased), k_proj=linear(d, few, biased),
                                 v_proj=linear(d, few, biased), o_proj=linear(d, d)),
                mlp=Holder(gate_proj=linear(d, wide), up_proj=linear(d, wide),
                           down_proj=linear(wide, d)),
                input_layernorm=RmsNorm(d, epsilon),
                post_attention_layernorm=RmsNorm(d, epsilon)) for _ in range(layers)),
            norm=RmsNorm(d, epsilon))
        self.lm_head = None if tied else linear(d, words)

    def run(self, run, ids):
        x = run.keep("decoder.embedding", self.model.embed_tokens(ids))
        for i, layer in enumerate(self.model.layers):
            path, own = f"decoder.{i}", layer.self_attn
            inner, net = f"{path}.self_attention", f"{path}.feed_forward"
            y = run.keep(f"{path}.norm_1", layer.input_layernorm(x))
            q = run.keep(f"{inner}.query", own.q_proj(y))
            k = run.keep(f"{inner}.key", own.k_proj(y))
            v = run.keep(f"{inner}.value", own.v_proj(y))
            q = run.keep(f"{inner}.query_rotated", rotate(q, self.heads, self.base))
            k = run.keep(f"{inner}.key_rotated", rotate(k, self.shared, self.base))
            y = run.attend(inner, q, k, v, self.heads, self.shared, True)
            y = run.keep(f"{inner}.projected", own.o_proj(y))
            x = run.keep(f"{path}.residual_1", x + y)
            y = run.keep(f"{path}.norm_2", layer.post_attention_layernorm(x))
            gate = run.keep(f"{net}.gate", layer.mlp.gate_proj(y))
            gate = run.keep(f"{net}.silu", gate / (1 + torch.exp(-gate)))
            up = run.keep(f"{net}.up", layer.mlp.up_proj(y))
            y = run.keep(f"{net}.gated", gate * up)
            y = run.keep(f"{net}.down", layer.mlp.down_proj(y))
            x = run.keep(f"{path}.residual_2", x + y)
        x = run.keep("decoder.norm", self.model.norm(x))
        table = self.lm_head.weight if self.lm_head else self.model.embed_tokens.weight
        logits = run.keep("logits", x @ table.T)
        run.keep("probabilities", torch.softmax(logits, -1))


# ---- files ----


def draw(model, dtype):
    """Other numbers than a model begins with, so that none is 0 or 1."""
    model.requires_grad_(False)
    for key, parameter in model.named_parameters():
        normal = torch.randn(parameter.shape, dtype=torch.float64)
        norm = "norm" in key.lower() or ".ln_" in key or key.startswith("ln_")
        scale = 1 if "mb" in key or "wte" in key or "wpe" in key else 1 / math.sqrt(parameter.shape[-1])
        parameter.data = (1 + normal / 4 if norm and "weight" in key else normal * scale).to(dtype)


def write(name, model, dtype, kind, ids, shape, renamed=lambda name: name, extra=None,
          digits=None):
    torch.manual_seed(len(name))
    draw(model, dtype)
    state = {renamed(key): tensor for key, tensor in model.state_dict().items()}
    state.update(extra(state) if extra else {})
    (FOLDER / "layouts").mkdir(exist_ok=True)
    weights.save(state, FOLDER / "layouts" / f"{name}.safetensors", {"format": "pt"})
    lines.append(f"model {name} {kind}")
    words = "source" if kind == "encoder" else "target"
    for field, value in shape.items():
        lines.append(f"shape {field.replace('vocabulary', words + '_vocabulary').replace('own_layers', kind + '_layers')} {value}")
    lines.append(f"{words} {len(ids)} " + " ".join(map(str, ids)))
    run = Run()
    run.digits = digits or (11 if dtype == torch.float64 else 8)
    model.to(torch.float64 if dtype == torch.float64 else torch.float32)
    model.run(run, torch.tensor(ids))
    lines.append("end")


def main():
    weights.TYPES.update({torch.int64: "I64", torch.uint8: "U8"})
    common = dict(d_model=8, heads=2, own_layers=2, epsilon=1e-5, unpadded=1)
    gpt2 = dict(common, d_ff=16, vocabulary=9, context=5, positions="learned", pre_norm=1,
                final_norm=1, biases=1, tied=1, activation="gelu_tanh")
    write("gpt2_F64", Gpt2(8, 2, 2, 9, 5, 1e-5), torch.float64, "decoder", [3, 0, 7], gpt2,
          lambda name: "transformer." + name)
    write("gpt2_F32", Gpt2(8, 2, 1, 9, 5, 1e-5), torch.float32, "decoder", [8, 0, 1],
          dict(gpt2, own_layers=1),
          extra=lambda state: {"h.0.attn.bias": torch.ones(1, 1, 5, 5).tril().to(torch.uint8),
                               "lm_head.weight": state["wte.weight"]})
    bert = dict(common, epsilon=1e-12, d_ff=16, vocabulary=7, context=6, positions="learned",
                pre_norm=0, final_norm=0, biases=1, activation="gelu", segments=2,
                embedding_norm=1)
    write("bert_F64", Bert(8, 2, 2, 7, 6, 1e-12), torch.float64, "encoder", [2, 5, 3], bert)
    write("bert_BF16", Bert(8, 4, 1, 7, 6, 1e-12), torch.bfloat16, "encoder", [2, 6, 3],
          dict(bert, heads=4, own_layers=1),
          lambda name: "bert." + name.replace("LayerNorm.weight", "LayerNorm.gamma")
          .replace("LayerNorm.bias", "LayerNorm.beta"),
          lambda state: {"bert.embeddings.position_ids": torch.arange(6)[None],
                         "cls.predictions.bias": torch.zeros(7)})
    llama = dict(common, d_ff=12, vocabulary=9, positions="rotary", pre_norm=1, final_norm=1,
                 rms=1, activation="swiglu", kv_heads=1)
    write("llama_F64", Llama(8, 2, 2, 9, 1, 1e-5, False), torch.float64, "decoder",
          [4, 0, 8], llama)
    write("llama_F16", Llama(8, 4, 1, 9, 2, 1e-6, True), torch.float16, "decoder", [1, 7, 4],
          dict(llama, heads=4, kv_heads=2, own_layers=1, epsilon=1e-6, tied=1),
          extra=lambda _: {"model.layers.0.self_attn.rotary_emb.inv_freq": torch.ones(1)})
    exact = dict(dtype=torch.float64, kind="decoder", ids=[4, 0, 8, 1, 7], digits=17)
    based = dict(llama, heads=2, kv_heads=1)
    write("llama_base_F64", Llama(8, 2, 2, 9, 1, 1e-5, False, 500000.0), **exact,
          shape=dict(based, rotary_base=500000))
    write("qwen2_F64", Llama(8, 2, 2, 9, 1, 1e-6, True, 1000000.0, True), **exact,
          shape=dict(based, epsilon=1e-6, rotary_base=1000000, biases=1, tied=1))
    write("nanogpt_F64", Gpt2(8, 2, 2, 9, 5, 1e-5, nn.Linear, False), **exact,
          shape=dict(gpt2, activation="gelu"),
          renamed=lambda name: "_orig_mod.transformer." + name,
          extra=lambda _: {"position_ids": torch.arange(5)[None]})
    write("llama_inv_F64", Llama(8, 2, 1, 9, 1, 1e-5, True), **exact,
          shape=dict(based, own_layers=1, tied=1),
          extra=lambda _: {"model.layers.0.self_attn.rotary_emb.inv_freq":
                           torch.tensor([1, 0.01], dtype=torch.float64)})
    head = ["# Made by layouts.py. Do not edit by hand.", f"# PyTorch {torch.__version__}."]
    (FOLDER / "layouts.txt").write_text("\n".join(head + lines) + "\n")


if __name__ == "__main__":
    main()
