#!/usr/bin/python3
"""Random models in the layouts of GPT-2, BERT and LLaMA, there and back.

    layouts.py GLASSFORMER COUNT [SEED]

PyTorch makes a model of a published architecture (tests/reference/layouts.py) with random
sizes, weights and type, and saves it; the program reads the file. What it then says its
weights are is put together to a state dict again, which has to be the model's to the last
bit, and every tensor that PyTorch has on the way has to be the program's. Prints TAP."""

import json
import pathlib
import random
import sys
import tempfile

if len(sys.argv) < 3:
    sys.exit(__doc__)

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "reference"))
import layouts  # noqa: E402
import models  # noqa: E402
import weights  # noqa: E402

TOLERANCE = 1e-9  # of the largest magnitude, at least 1

torch.set_default_dtype(torch.float64)


class Kept(layouts.Run):
    def __init__(self):
        self.tensors = {}

    def keep(self, name, x):
        self.tensors[name] = x
        return x


# ---- the sizes of a model, and what its lesson says of it ----


def sizes(choose, shared):
    """Heads share keys and values only where the layout has that."""
    kv_heads = choose.randint(1, 3)
    heads = kv_heads * (choose.randint(1, 3) if shared else 1)
    return {"d_model": heads * 2 * choose.randint(1, 3), "heads": heads,
            "layers": choose.randint(1, 3), "epsilon": choose.choice([1e-5, 1e-6, 1e-12]),
            "padding": False}, kv_heads, choose.randint(2, 9), choose.randint(3, 9)


def gpt2(choose):
    said, _, words, places = sizes(choose, False)
    d, heads, layers = said["d_model"], said["heads"], said["layers"]
    model = layouts.Gpt2(d, heads, layers, words, places, said["epsilon"])
    return model, words, {**said, "kind": "decoder", "norm": "pre", "final_norm": True,
                          "positions": "learned", "context": places, "d_ff": 2 * d,
                          "activation": "gelu_tanh", "tie": True}


def bert(choose):
    said, _, words, places = sizes(choose, False)
    d, heads, layers = said["d_model"], said["heads"], said["layers"]
    model = layouts.Bert(d, heads, layers, words, places, said["epsilon"])
    return model, words, {**said, "kind": "encoder", "norm": "post", "positions": "learned",
                          "context": places, "d_ff": 2 * d, "activation": "gelu",
                          "segments": 2, "embedding_norm": True}


def llama(choose):
    said, kv_heads, words, _ = sizes(choose, True)
    d, heads, layers, tied = said["d_model"], said["heads"], said["layers"], choose.random() < 0.5
    model = layouts.Llama(d, heads, layers, words, kv_heads, said["epsilon"], tied)
    return model, words, {**said, "kind": "decoder", "norm": "rms", "final_norm": True,
                          "positions": "rotary", "d_ff": 3 * d // 2, "activation": "swiglu",
                          "biases": False, "kv_heads": kv_heads, "tie": tied}


# ---- the way back: what a lesson calls the parts of a file's tensor ----

ROWS = [  # GPT-2's name, BERT's, LLaMA's: side by side in the file, of the layer or the tower
    ("attn.c_attn.*", None, None, ["self_attention.{}_Q", "self_attention.{}_K",
                                   "self_attention.{}_V"]),
    (None, "attention.self.query.*", "self_attn.q_proj.*", ["self_attention.{}_Q"]),
    (None, "attention.self.key.*", "self_attn.k_proj.*", ["self_attention.{}_K"]),
    (None, "attention.self.value.*", "self_attn.v_proj.*", ["self_attention.{}_V"]),
    ("attn.c_proj.*", "attention.output.dense.*", "self_attn.o_proj.*", ["self_attention.{}_O"]),
    ("ln_1.*", "attention.output.LayerNorm.*", "input_layernorm.*", ["norm_1.{}"]),
    ("ln_2.*", "output.LayerNorm.*", "post_attention_layernorm.*", ["norm_2.{}"]),
    ("mlp.c_fc.*", "intermediate.dense.*", None, ["feed_forward.{}_1"]),
    ("mlp.c_proj.*", "output.dense.*", None, ["feed_forward.{}_2"]),
    (None, None, "mlp.gate_proj.*", ["feed_forward.{}_gate"]),
    (None, None, "mlp.up_proj.*", ["feed_forward.{}_up"]),
    (None, None, "mlp.down_proj.*", ["feed_forward.{}_down"]),
    ("wte.weight", "embeddings.word_embeddings.weight", "model.embed_tokens.weight",
     ["embedding.table"]),
    ("wpe.weight", "embeddings.position_embeddings.weight", None, ["position.table"]),
    (None, "embeddings.token_type_embeddings.weight", None, ["segment.table"]),
    (None, "embeddings.LayerNorm.*", None, ["embedding_norm.{}"]),
    ("ln_f.*", None, "model.norm.*", ["norm.{}"]),
]
LAYOUTS = [  # where a layer's names begin, and whether matrices stand as the lesson's do
    (gpt2, "h.", True), (bert, "encoder.layer.", False), (llama, "model.layers.", False)]


def back(shown, name, column, layers, straight, tower):
    """The file's tensor of that name, put together of the lesson's weights."""
    if name == "lm_head.weight":
        return shown["logits.W"][1].T
    own, path = name, f"{tower}."
    if name.startswith(layers):
        number, own = name[len(layers):].split(".", 1)
        path += f"{number}."
    stem, last = own.rsplit(".", 1)
    row = next(row for row in ROWS if row[column] in (own, f"{stem}.*"))
    norm, bias = "norm" in row[3][0], last == "bias"
    letter = ("beta" if bias else "gamma") if norm else "b" if bias else "W"
    parts = [shown[path + part.format(letter)][1] for part in row[3]]
    whole = torch.cat(parts, 1)
    if bias or norm:
        return whole[0]
    return whole if straight or "table" in row[3][0] else whole.T


def wrong_with(program, folder, seed):
    choose = random.Random(seed)
    column = seed % len(LAYOUTS)
    make, layers, straight = LAYOUTS[column]
    model, words, said = make(choose)
    dtype = choose.choice(list(weights.TYPES))
    torch.manual_seed(seed)
    layouts.draw(model, dtype)
    state = model.state_dict()
    weights.save(state, folder / "weights.safetensors")
    tower, text = ("encoder", "source") if said["kind"] == "encoder" else ("decoder", "target")
    ids = [choose.randrange(words) for _ in range(choose.randint(1, said.get("context", 9)))]
    said = {**said, "vocabulary": [f"w{i}" for i in range(words)], text: ids,
            "weights": {"file": "weights.safetensors"}}
    path = folder / f"layout-{seed}.yaml"
    path.write_text(f"title: Random\nmodel: {json.dumps(said)}\n")
    shown = models.show(program, path)
    told = [f"{name} is not what the file has" for name, tensor in state.items()
            if not name.startswith("pooler.") and not torch.equal(
                back(shown, name, column, layers, straight, tower), tensor.double())]
    run = Kept()
    model.double().run(run, torch.tensor(ids))
    for name, made in run.tensors.items():
        if said["heads"] == 1 and name.endswith(".concat"):
            continue  # one head's output is all of it
        told.append(models.difference(name, shown[name][1], made, TOLERANCE)
                    if name in shown else f"there is no {name}")
    return [words for words in told if words]


if __name__ == "__main__":
    models.main(wrong_with, "layout")
