"""Transformers as they were published, in PyTorch (float64), by themselves: what the models
of lessons are held against. Nothing here is taken from the program.

    run(shape, parameters, source, target)   every tensor that the model computes, by name

`shape` has the fields of TransformerShape; `parameters` are matrices as x W has them,
[inputs, outputs], vectors, and tables, by the names of lessons
("encoder.0.self_attention.W_Q"). Sources:

- Vaswani et al. 2017: sines, post-norm, ReLU; Xiong et al. 2020: pre-norm
- Radford et al. 2018, 2019 (GPT, GPT-2): learned positions, GELU, tied output weights
- Shazeer 2019, Ainslie et al. 2023: multi-query and grouped-query attention
- Devlin et al. 2019 (BERT): segments, a norm before the first layer
- Zhang and Sennrich 2019: RMS norm; Shazeer 2020: SwiGLU
- Su et al. 2021: rotary positions, in the halves that Hugging Face's LLaMA pairs
"""
import math

import torch
from torch.nn import functional as F


def sines(n, d):
    position = torch.arange(n, dtype=torch.float64)[:, None]
    even = torch.arange(0, d, 2, dtype=torch.float64)
    angle = position / torch.pow(torch.tensor(10000.0, dtype=torch.float64), even / d)
    out = torch.zeros(n, d, dtype=torch.float64)
    out[:, 0::2] = torch.sin(angle)
    out[:, 1::2] = torch.cos(angle)[:, : d // 2]
    return out


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def rotary(x, places=None, base=10000):
    """x [..., n, d], as modeling_llama.py has it: angles p / base^(2i/d), i and i + d/2 a
    pair."""
    n, d = x.shape[-2:]
    places = torch.arange(n, dtype=torch.float64) if places is None else places
    inverse = 1.0 / base ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    angles = torch.outer(places, inverse)
    angles = torch.cat((angles, angles), dim=-1)
    return x * angles.cos() + rotate_half(x) * angles.sin()


class Model:
    def __init__(self, shape, parameters):
        self.shape, self.parameters, self.made = shape, parameters, {}

    def keep(self, name, tensor):
        self.made[name] = tensor
        return tensor

    def has(self, name):
        return self.shape.get(name, 0)

    def linear(self, x, path, matrix, bias, name):
        y = x @ self.parameters[f"{path}.{matrix}"]
        if not self.has("biases"):
            return self.keep(name, y)
        self.keep(f"{name}_product", y)
        return self.keep(name, y + self.parameters[f"{path}.{bias}"])

    def norm(self, x, name):
        gamma, eps = self.parameters[f"{name}.gamma"], self.shape["epsilon"]
        if self.has("rms"):
            y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * gamma
        else:
            beta = self.parameters[f"{name}.beta"]
            y = F.layer_norm(x, x.shape[-1:], gamma.flatten(), beta.flatten(), eps)
        return self.keep(name, y)

    def split(self, x, heads):
        return x.view(x.shape[0], heads, -1).transpose(0, 1)

    def attention(self, x, memory, path, mask):
        heads = self.shape["heads"]
        shared = self.has("kv_heads") or heads
        q = self.linear(x, path, "W_Q", "b_Q", f"{path}.query")
        k = self.linear(memory, path, "W_K", "b_K", f"{path}.key")
        v = self.linear(memory, path, "W_V", "b_V", f"{path}.value")
        q, k, v = self.split(q, heads), self.split(k, shared), self.split(v, shared)
        if self.has("positions") == "rotary" and path.endswith("self_attention"):
            q, k = rotary(q), rotary(k)
            self.keep(f"{path}.query_rotated", q.transpose(0, 1).reshape(len(x), -1))
            self.keep(f"{path}.key_rotated", k.transpose(0, 1).reshape(len(memory), -1))
        k = k.repeat_interleave(heads // shared, dim=0)
        v = v.repeat_interleave(heads // shared, dim=0)
        scores = q @ k.transpose(-1, -2)
        scaled = scores / math.sqrt(q.shape[-1])
        masked = scaled + mask
        weights = torch.softmax(masked, dim=-1)
        out = weights @ v
        parts = dict(query=q, key=k, value=v, scores=scores, scaled=scaled, masked=masked,
                     weights=weights, output=out)
        for part, of_heads in parts.items():
            for head in range(heads):
                self.keep(f"{path}.head.{head}.{part}", of_heads[head])
        out = self.keep(f"{path}.concat", out.transpose(0, 1).reshape(len(x), -1))
        return self.linear(out, path, "W_O", "b_O", f"{path}.projected")

    def feed_forward(self, x, path):
        activation = self.has("activation") or "relu"
        if activation == "swiglu":
            gate = F.silu(self.linear(x, path, "W_gate", "b_gate", f"{path}.gate"))
            self.keep(f"{path}.silu", gate)
            hidden = gate * self.linear(x, path, "W_up", "b_up", f"{path}.up")
            self.keep(f"{path}.gated", hidden)
            return self.linear(hidden, path, "W_down", "b_down", f"{path}.down")
        x = self.linear(x, path, "W_1", "b_1", f"{path}.linear_1")
        if activation == "gelu_tanh":
            x = 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
        else:
            x = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu}[activation](x)
        self.keep(f"{path}.{activation}", x)
        return self.linear(x, path, "W_2", "b_2", f"{path}.linear_2")

    def layer(self, x, path, memory, mask, memory_mask):
        sublayers = [lambda x: self.attention(x, x, f"{path}.self_attention", mask)]
        if memory is not None:
            sublayers.append(lambda x: self.attention(x, memory, f"{path}.cross_attention",
                                                      memory_mask))
        sublayers.append(lambda x: self.feed_forward(x, f"{path}.feed_forward"))
        for i, sublayer in enumerate(sublayers, 1):
            if self.has("pre_norm"):
                x = x + sublayer(self.norm(x, f"{path}.norm_{i}"))
                self.keep(f"{path}.residual_{i}", x)
            else:
                x = self.keep(f"{path}.residual_{i}", x + sublayer(x))
                x = self.norm(x, f"{path}.norm_{i}")
        return x

    def tower(self, name, ids, layers, memory, causal, memory_mask):
        d, positions = self.shape["d_model"], self.has("positions") or "sines"
        ids = torch.tensor(ids)
        x = self.parameters[f"{name}.embedding.table"][ids]
        self.keep(f"{name}.embedding", x)
        if self.has("scale_embedding"):
            x = self.keep(f"{name}.scaled", x * math.sqrt(d))
        if positions == "sines":
            at = sines(len(ids), d)
        if positions == "learned":
            at = self.parameters[f"{name}.position.table"][torch.arange(len(ids))]
        if positions in ("sines", "learned"):
            self.keep(f"{name}.position", at)
            x = self.keep(f"{name}.input", x + at)
        if self.has("segments"):
            row = self.keep(f"{name}.segment", self.parameters[f"{name}.segment.table"][:1])
            x = self.keep(f"{name}.with_segment", x + row)
        if self.has("embedding_norm"):
            x = self.norm(x, f"{name}.embedding_norm")
        mask = torch.zeros(1, len(ids), dtype=torch.float64)
        mask[0, ids == 0] = -math.inf
        padding = self.keep(f"{name}.padding", mask)
        if causal:
            n = len(ids)
            causal = torch.triu(torch.full((n, n), -math.inf, dtype=torch.float64), 1)
            mask = mask + self.keep(f"{name}.causal", causal)
        self.keep(f"{name}.mask", mask)
        for i in range(layers):
            x = self.layer(x, f"{name}.{i}", memory, mask, memory_mask)
        return (self.norm(x, f"{name}.norm") if self.has("final_norm") else x), padding


def run(shape, parameters, source, target):
    model = Model(shape, parameters)
    memory = padding = None
    if source:
        memory, padding = model.tower("encoder", source, shape["encoder_layers"], None,
                                      False, None)
    if target:
        if memory is not None:
            model.keep("memory", memory)
        x, _ = model.tower("decoder", target, shape["decoder_layers"], memory, True, padding)
        if model.has("tied"):
            table = parameters["decoder.embedding.table"][shape["first_output"]:]
            logits = model.keep("logits", F.linear(x, table))
        else:
            logits = model.linear(x, "logits", "W", "b", "logits")
        model.keep("probabilities", torch.softmax(logits, dim=-1))
    return model.made
