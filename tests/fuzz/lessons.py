"""Writes random lessons, whose code is then run: tests/code.sh does both.

    lessons.py FOLDER COUNT [SEED]

The same seed gives the same lessons. Each has a few given tensors and a dozen statements
over them, operations within each other, numbers where tensors could stand, and now and
then a gradient. Numbers stay small and finite, and rows have no two cells so near that
rounding decides which is larger."""

import pathlib
import random
import sys

NUMBERS = ["2", "0.5", "-1", "3", "1e-3", "sqrt(2)", "sqrt(2) + 1", "1 / 3", "-sqrt(5)", "(2 - 7)"]


class Lesson:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.given, self.steps, self.tensors = [], [], {}
        for i in range(self.random.randint(2, 4)):
            self.give(f"X_{i}", self.random.randint(1, 4), self.random.randint(1, 4))
        self.give("E", 5, 3)
        self.ids, self.mutable = {}, []
        for i, count in enumerate([1, 3, 4]):
            values = [self.random.randrange(5) for _ in range(count)]
            self.given.append(f"  ids_{i}: {values if i % 2 else [[v] for v in values]}")
            self.ids[f"ids_{i}"] = count
        for i in range(self.random.randint(4, 12)):
            self.step(f"R_{i}")

    def give(self, name, rows, cols):
        cells = [[round(self.random.uniform(-2, 2), 3) for _ in range(cols)] for _ in range(rows)]
        self.given.append(f"  {name}: {cells}")
        self.tensors[name] = (rows, cols)

    def step(self, name):
        text, shape = self.expression(self.random.randint(1, 4))
        if text in self.tensors or not any(c in text for c in "+-*/@(["):
            text = f"{text} * 1"
        self.steps.append(f"  - do: {name} = {text}")
        self.tensors[name] = shape
        if self.random.random() < 0.2:
            function = self.random.choice(["relu", "gelu", "gelu_tanh", "silu", "softmax", "layer_norm", "rms_norm", "-"])
            self.steps.append(f"  - do: M_{name} = {function}({name})")
            name = f"M_{name}"
            self.tensors[name] = shape
            self.mutable.append(name)
        leaf = self.random.choice([t for t in self.tensors if t[0] in "XE"])
        if self.random.random() < 0.3 and leaf in text:
            self.steps.append(f"  - do: L_{name} = sum(sum({name} * {name}).T) + sum(sum({leaf} * 0.5).T)")
            self.steps.append(f"  - do: G_{name} = gradient(L_{name}, {leaf})")

    # Every choice gives a text and its shape.

    def leaf(self):
        if self.random.random() < 0.15:
            return self.random.choice(NUMBERS), (1, 1)
        name = self.random.choice(list(self.tensors))
        return name, self.tensors[name]

    def of_shape(self, rows, cols, depth):
        """A tensor of that shape, cut or spread from another."""
        for _ in range(8):
            text, shape = self.expression(depth)
            if shape == (rows, cols):
                return text
            if shape == (cols, rows):
                return f"({text}).T"
            if shape[0] >= rows and shape[1] >= cols:
                return f"({text})[0:{rows}, {shape[1] - cols}:{shape[1]}]"
        return f"(positional_encoding({rows}, {cols}) + 1)"

    def expression(self, depth):
        if depth == 0:
            return self.leaf()
        kinds = [self.sum, self.sum, self.product, self.function, self.function, self.row, self.reduce,
                 self.place, self.join, self.by_ids, self.made, self.attention, self.sign]
        return self.random.choice(kinds)(depth - 1)

    def sum(self, depth):
        text, (rows, cols) = self.expression(depth)
        other = self.random.choice([(rows, cols), (1, cols), (rows, 1), (1, 1)])
        right = self.of_shape(*other, depth) if other != (1, 1) else self.random.choice(NUMBERS)
        sign = self.random.choice("+-*/")
        if sign == "/":  # by what is not near 0
            right = f"(exp({self.tame(right)}) + 0.5)"
        if self.random.random() < 0.5 and sign != "/":
            text, right = right, text
        return f"({text}) {sign} ({right})" if self.random.random() < 0.7 or sign != "+" else f"{text} + {right}", (rows, cols)

    def product(self, depth):
        text, (rows, inner) = self.expression(depth)
        cols = self.random.randint(1, 3)
        return f"({text}) @ ({self.of_shape(inner, cols, depth)})", (rows, cols)

    def sign(self, depth):
        text, shape = self.expression(depth)
        return f"-({text})", shape

    def tame(self, text):
        """Each number brought between 0 and 1."""
        return f"relu({text}) / (relu({text}) + 1)" if len(text) < 60 else f"softmax({text})"

    def function(self, depth):
        text, shape = self.expression(depth)
        name = self.random.choice(["relu", "gelu", "gelu_tanh", "silu", "exp", "log", "sqrt"])
        if name == "exp":
            text = self.tame(text)
        if name in ("log", "sqrt"):
            text = f"({text}) * ({text}) + 0.5"
        return f"{name}({text})", shape

    def row(self, depth):
        text, (rows, cols) = self.expression(depth)
        name = self.random.choice(["softmax", "layer_norm", "layer_norm_with", "rms_norm", "rotary", "top_k", "top_p"])
        if name == "rotary" and cols % 2:
            return f"rotary(concat({text}, {text}))", (rows, 2 * cols)
        if name == "layer_norm_with":
            return f"layer_norm({text}, {self.of_shape(1, cols, 0)}, {self.of_shape(1, cols, 0)}, 0.01)", (rows, cols)
        if name in ("top_k", "top_p"):  # of columns that are surely apart
            text = f"{self.apart(rows, cols)}"
            number = self.random.randint(1, cols) if name == "top_k" else 0.7
            return f"softmax({name}({text}, {number}))", (rows, cols)
        return f"{name}({text})", (rows, cols)

    def apart(self, rows, cols):
        return f"(positional_encoding({rows}, {cols})[:, 0] * 0.1 + sum(E).T[0, 0] * 0 + " + \
            "concat(" + ", ".join(str(self.random.choice([1, -1]) * (j + 1) * 0.37) for j in range(cols)) + "))"

    def reduce(self, depth):
        text, (rows, _) = self.expression(depth)
        name = self.random.choice(["sum", "mean", "max", "argmax"])
        if name == "argmax":
            text = self.apart(rows, 3)
        return f"{name}({text})", (rows, 1)

    def place(self, depth):
        text, (rows, cols) = self.expression(depth)
        if self.random.random() < 0.5:
            return f"({text}).T", (cols, rows)
        row, col = self.random.randrange(rows), self.random.randrange(cols)
        kind = self.random.randrange(4)
        cut = [f"[{row}]", f"[:, {col}]", f"[{row}:]", f"[-1, {col}:]"][kind]
        return f"({text}){cut}", [(1, cols), (rows, 1), (rows - row, cols), (1, cols - col)][kind]

    def join(self, depth):
        text, (rows, cols) = self.expression(depth)
        if self.random.random() < 0.5:
            return f"concat({text}, {self.of_shape(rows, 2, depth)})", (rows, cols + 2)
        return f"stack({text}, {self.of_shape(1, cols, depth)}, {text})", (2 * rows + 1, cols)

    def by_ids(self, depth):
        name, count = self.random.choice(list(self.ids.items()))
        kind = self.random.randrange(4)
        if kind == 0:
            return f"embed(E, {name})", (count, 3)
        if kind == 1:
            return f"one_hot({name}, 6)", (count, 6)
        if kind == 2:
            return f"softmax(padding_mask({name}) + 1)", (1, count)
        return f"cross_entropy({self.of_shape(count, 5, depth)}, {name})", (count, 1)

    def made(self, depth):
        rows, cols = self.random.randint(1, 4), self.random.randint(1, 4)
        if self.random.random() < 0.5:
            return f"positional_encoding({rows}, {cols})", (rows, cols)
        return f"softmax(causal_mask({rows}) + 1)", (rows, rows)

    def attention(self, depth):
        rows, keys, width = (self.random.randint(1, 3) for _ in range(3))
        mask = self.random.choice(["", ", 0", f", causal_mask({rows})" if rows == keys else ""])
        parts = [self.of_shape(rows, width, depth), self.of_shape(keys, width, depth), self.of_shape(keys, 2, depth)]
        return f"attention({', '.join(parts)}{mask})", (rows, 2)

    def changes(self):
        """Cells set by hand, of given and of computed tensors, and operations muted."""
        names = self.random.sample(sorted(self.tensors), self.random.randint(1, 2))
        return ["changes:"] + [f"  - {{cell: [{name}, 0, 0], value: {self.random.uniform(-2, 2):.3f}}}"
                               for name in names] + [f"  - {{mute: {name}}}" for name in self.mutable]

    def text(self):
        changes = self.changes() if self.random.random() < 0.3 else []
        return "\n".join(["title: Random", "given:", *self.given, "steps:", *self.steps, *changes]) + "\n"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    written = 0
    while written < count:
        text = Lesson(seed).text()
        if max(map(len, text.split("\n"))) < 1500:  # an expression may be 64 deep
            (folder / f"random-{seed}.yaml").write_text(text)
            written += 1
        seed += 1


if __name__ == "__main__":
    main()
