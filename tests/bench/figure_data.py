"""What a picture of a step shows, gathered for another program to draw.

    figure_data.py SHOWN LESSON.yaml >FIGURES.json

SHOWN is what `glassformer show LESSON --json` prints. Each figure names everything that
the program's own picture of the step has: heading, sentence, formula as mathtext, the map's
entries with their thumbnails, every operand and the result with labels, the cell in focus
and what made it, the note about printed numbers, the timeline, the palettes in the legend.
"""
import ast
import json
import math
import re
import sys
import textwrap

if len(sys.argv) < 3:
    sys.exit(__doc__)

import numpy
import yaml

INK, SOFT, QUERY, KEY, VALUE = "#10141c", "#465061", "#2463d1", "#bd4b12", "#17734a"
OTHER = ["#7443b8", "#0b6b80"]
TERMS = 6  # of a sum that are written out
FLOW = 6  # tensors of a statement with several operations
OPERATORS = {"add": "+", "subtract": "−", "multiply": "⊙", "divide": "÷"}
CALLS = {"causal_mask": "mask", "padding_mask": "padding"}


# ---- names and formulas as mathtext ----

def name_of(name):
    """S_scaled, W_Q1, Q_2_again: what is behind _ is the subscript, words upright."""
    base, *parts = name.split("_")
    base = base if len(base) == 1 else rf"\mathit{{{base}}}"
    parts = [part if len(part) < 3 else rf"\mathrm{{{part}}}" for part in parts]
    return base + (f"_{{{','.join(parts)}}}" if parts else "")


def is_sum(node):
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))


def factor(node):
    text = formula(node)
    return rf"\left({text}\right)" if is_sum(node) else text


def formula(node):
    if isinstance(node, ast.Name):
        return r"\infty" if node.id == "inf" else name_of(node.id)
    if isinstance(node, ast.Constant):
        return f"{node.value:g}"
    if isinstance(node, ast.Attribute) and node.attr != "T":
        return name_of(node.attr)  # P.scores: a part of P
    if isinstance(node, ast.Attribute):
        inner = formula(node.value)
        simple = isinstance(node.value, (ast.Name, ast.Subscript))
        return (inner if simple else rf"\left({inner}\right)") + r"^{\mathrm{T}}"
    if isinstance(node, ast.Subscript):
        cut = ast.unparse(node.slice).strip("()").replace(" ", "")
        return rf"{{{formula(node.value)}}}_{{[{cut}]}}"
    if isinstance(node, ast.UnaryOp):
        return "-" + factor(node.operand)
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Div):
            return rf"\frac{{{formula(node.left)}}}{{{formula(node.right)}}}"
        between = {ast.Add: "+", ast.Sub: "-", ast.Mult: r"\odot "}.get(type(node.op), r"\,")
        sides = (formula, formula) if is_sum(node) else (factor, factor)
        return sides[0](node.left) + between + sides[1](node.right)
    function = node.func.id
    inner = ", ".join(formula(argument) for argument in node.args)
    if function == "sqrt":
        return rf"\sqrt{{{inner}}}"
    return rf"\mathrm{{{CALLS.get(function, function)}}}\left({inner}\right)"


def math_of(source):
    return formula(ast.parse(source, mode="eval").body)


def is_name(step):
    """Unnamed steps are called like their operation."""
    return step["name"] != step["op"]


def number(value, decimals=3):
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return ("0" if text == "-0" else text).replace("-", "−")


def color_of(name, index):
    letter = re.sub(r"^W_", "", name)[:1]
    return {"Q": QUERY, "K": KEY, "V": VALUE}.get(letter, OTHER[index % 2])


# ---- a lesson's tensors ----

class Tensors:
    """Values, labels and palettes by name; expressions are evaluated as NumPy's."""

    def __init__(self, shown, lesson):
        self.values, self.labels, self.shares, self.by_path = {}, {}, set(), {}
        self.tokens = lesson.get("tokens", [])
        self.given_labels = lesson.get("labels", {})
        for step in shown["steps"]:
            if step["path"] == "given":
                self.take(step)

    def take(self, step):
        name = step["name"]
        value = numpy.array([[float(cell) for cell in row] for row in step["values"]])
        self.values[name] = self.by_path[step["path"]] = value
        if step["path"] == "given":
            labels = self.given_labels.get(name, {})
            rows = labels.get("rows", self.tokens)
            rows = rows if len(rows) == len(value) else []
            self.labels[name] = (rows, labels.get("cols", []))
        elif step["op"] != "show":
            self.labels[name] = self.labels[step["path"]] = self.made_labels(step)
            self.shares.discard(name)
            if step["op"] == "softmax":
                self.shares |= {name, step["path"]}

    def made_labels(self, step):
        if not step["inputs"]:
            return [], []
        sides = [self.labels_of(source) for source in step["inputs"]]
        if step["op"] == "matmul":
            return sides[0][0], sides[1][1]
        rows, cols = max(sides, key=lambda side: len(side[0]) + len(side[1]))
        return (rows if len(rows) == step["shape"][0] else [],
                cols if len(cols) == step["shape"][1] else [])

    def labels_of(self, source):
        if source in self.labels:
            return self.labels[source]
        if source.endswith(".T"):
            rows, cols = self.labels_of(source[:-2].strip("()"))
            return cols, rows
        if " @ " in source:
            left, right = source.split(" @ ", 1)
            return self.labels_of(left)[0], self.labels_of(right)[1]
        return [], []

    def value_of(self, source):
        known = self.by_path.get(source, self.values.get(source))
        if known is not None:
            return known
        names = {**self.values, "sqrt": numpy.sqrt, "inf": numpy.inf}
        return numpy.atleast_2d(eval(source, {"__builtins__": {}}, names))

    def tensor(self, source, value=None):
        """One heatmap."""
        value = self.value_of(source) if value is None else value
        rows, cols = self.labels_of(source)
        shown = "" if source in self.by_path else f"${math_of(source)}$"
        return {"values": [[str(v) if math.isinf(v) else v for v in row]
                           for row in value.tolist()],
                "shape": f"{value.shape[0]} × {value.shape[1]}", "name": shown,
                "rows": list(map(str, rows)), "cols": list(map(str, cols)),
                "shares": source in self.shares or source.removesuffix(".T") in self.shares,
                "color": color_of(source, 0), "focus": None, "differs": []}


# ---- what made a cell ----

def sum_of_products(pairs, colors):
    runs = []
    kept = pairs if len(pairs) <= TERMS else [*pairs[:TERMS - 1], None, pairs[-1]]
    for pair in kept:
        runs += [[" + ", SOFT]] if runs else []
        if pair is None:
            runs.append(["…", SOFT])
            continue
        second = number(pair[1])
        runs += [[number(pair[0]), colors[0]], [" × ", SOFT],
                 [f"({second})" if pair[1] < 0 else second, colors[1]]]
    return runs


def power(value, largest):
    return rf"$e^{{{number(value)} - {number(largest)}}}$"


def softmax_lines(row, col, result):
    largest = max(row)
    total = sum(math.exp(v - largest) if largest > -math.inf else 0 for v in row)
    first = [[power(row[col], largest), OTHER[0]], [" ÷ ", SOFT], [number(total), INK],
             [" = ", SOFT], [number(result), INK, True]]
    second = [["largest in the row = max(" + ", ".join(map(number, row)) + ") = ", SOFT],
              [number(largest), INK], ["      the row's total = ", SOFT]]
    for i, value in enumerate(row):
        second += [[" + ", SOFT]] if i else []
        second.append([power(value, largest), OTHER[0]])
    return [first, [*second, [" = ", SOFT], [number(total), INK]]]


def made_of(tensors, step, row, col):
    """The lines of the inspector, each a list of [text, color, bold]."""
    result = tensors.value_of(step["path"])[row, col]
    rows, cols = tensors.labels.get(step["name"], ([], []))
    name = [f"${name_of(step['name'])}$ " if is_name(step) else "", INK]
    place = [f"[{rows[row] if rows else row}, {cols[col] if cols else col}]", INK, True]
    head = [name, place, [" = ", SOFT]]
    sources = [tensors.value_of(source) for source in step["inputs"]]
    colors = [color_of(source, i) for i, source in enumerate(step["inputs"])]
    end = [[" = ", SOFT], [number(result), INK, True]]
    if step["op"] == "matmul":
        pairs = list(zip(sources[0][row], sources[1][:, col]))
        return [head + sum_of_products(pairs, colors) + end]
    if step["op"] == "softmax":
        first, second = softmax_lines(sources[0][row].tolist(), col, result)
        return [head + first, second]
    if step["op"] in OPERATORS:
        a, b = (numpy.broadcast_to(s, tensors.value_of(step["path"]).shape)[row, col]
                for s in sources)
        return [head + [[number(a), colors[0]], [f" {OPERATORS[step['op']]} ", SOFT],
                        [number(b), colors[1]]] + end]
    if step["op"] == "mean":
        parts = " + ".join(map(number, sources[0][row]))
        return [head + [[f"({parts})", colors[0]],
                        [f" ÷ {sources[0].shape[1]}", SOFT]] + end]
    return [head + [[number(result), INK, True]]]


# ---- one figure a statement ----

def heatmaps(tensors, step, parts):
    """(arrangement, tensors, what stands between them)."""
    result = tensors.tensor(step["name"], tensors.value_of(step["path"]))
    if len(parts) > 1:
        shown = [tensors.tensor(source) for source in parts[0]["inputs"][:1]]  # or none
        shown += [tensors.tensor(p["name"] if is_name(p) else p["path"]) for p in parts]
        shown = shown[-FLOW:]
        return "row", shown, [f"{p['op']}\n→" for p in parts[len(parts) - len(shown) + 1:]]
    if step["op"] == "show":
        return "row", [tensors.tensor(source) for source in step["inputs"]], \
            [""] * (len(step["inputs"]) - 1)
    if step["op"] == "softmax":
        score = tensors.value_of(step["inputs"][0])
        largest = score.max(axis=1, keepdims=True)
        exponential = numpy.exp(score - numpy.where(numpy.isinf(largest), 0, largest))
        middle = tensors.tensor(step["name"], exponential) | {"name": r"$e^{x-\max}$"}
        shown = [tensors.tensor(step["inputs"][0]), middle, result]
        shown[0]["notes"] = [f"max = {number(v)}" for v in largest[:, 0]]
        middle["notes"] = [f"Σ = {number(v)}" for v in exponential.sum(axis=1)]
        result["below"] = "each row sums to 1"
        return "row", shown, ["$e^{x-\\max}$\n→", "÷ Σ\n→"]
    operands = [source for source in step["inputs"]]
    if step["op"] == "matmul":
        return "product", [tensors.tensor(source) for source in operands] + [result], []
    shown, between = [], []
    for source in operands:
        if tensors.value_of(source).size == 1 and shown:
            between[-1:] = [f"{OPERATORS.get(step['op'], '')} ${math_of(source)}$  ="]
            continue
        shown.append(tensors.tensor(source))
        between.append(OPERATORS.get(step["op"], "→"))
    if between and between[-1] in OPERATORS.values():
        between[-1] = "="
    return "row", [*shown, result], between


def focus_on(kind, shown, step, row, col):
    """Outlines the cell and what it was made of: [first row, end, first column, end]."""
    shown[-1]["focus"] = [row, row + 1, col, col + 1]
    shown[-1]["color"] = INK
    if kind == "product":
        shown[0]["focus"] = [row, row + 1, 0, len(shown[0]["values"][0])]
        shown[1]["focus"] = [0, len(shown[1]["values"]), col, col + 1]
    elif step["op"] == "softmax":
        for part in shown[:-1]:
            part["focus"] = [row, row + 1, 0, len(part["values"][0])]
    elif step["op"] in OPERATORS:
        for part in shown[:-1]:
            if len(part["values"]) > row and len(part["values"][0]) > col:
                part["focus"] = [row, row + 1, col, col + 1]


def statement_formula(statement):
    if "show" in statement:
        names = statement["show"]
        return ",\\quad ".join(map(name_of, names if isinstance(names, list) else [names]))
    name, source = statement["do"].split("=", 1)
    return f"{name_of(name.strip())} = {math_of(source.strip())}"


def note(step):
    printed = step.get("printed")
    if not printed:
        return None
    count = sum(cell is not None for row in printed["values"] for cell in row)
    wrong = len(printed["differs"])
    return {"good": not wrong,
            "text": f"✓ agrees with the document: all {count} numbers" if not wrong else
                    f"⚠ the document prints other numbers: {wrong} of {count} differ"}


def draw_statement(tensors, lesson, index, parts):
    statement, step = lesson["steps"][index], parts[-1]
    kind, shown, between = heatmaps(tensors, step, parts)
    values = tensors.value_of(step["path"])
    differs = step.get("printed", {}).get("differs", [])
    finite = numpy.where(numpy.isfinite(values), numpy.abs(values), -1)
    row, col = statement.get("ask", {}).get("cell") or \
        (differs[0] if differs else divmod(int(finite.argmax()), values.shape[1]))
    focus_on(kind, shown, step, row, col)
    shown[-1]["differs"] = differs
    sizes = " · ".join(f"({'×'.join(map(str, tensors.value_of(s).shape))})"
                       for s in step["inputs"] if tensors.value_of(s).size > 1)
    return {"kind": kind, "tensors": shown, "between": between,
            "formula": f"${statement_formula(statement)}$",
            "shapes": f"{sizes} → ({'×'.join(map(str, values.shape))})".replace("×", " × "),
            "heading": text_in(statement.get("heading", "")),
            "say": textwrap.wrap(text_in(statement.get("say", "")), 116)[:3],
            "inspector": made_of(tensors, step, row, col), "note": note(step)}


def text_in(text):
    return text["en"] if isinstance(text, dict) else text


def figures_of(shown, lesson):
    tensors = Tensors(shown, lesson)
    statements = lesson["steps"]
    parts = [[step for step in shown["steps"]
              if step["path"].split(".")[0] == str(i + 1)] for i in range(len(statements))]
    places, figures, thumbnails = [], [], []
    for index, statement in enumerate(statements):
        chapter = text_in(statement["chapter"]) if "chapter" in statement else None
        places.append({"formula": f"${statement_formula(statement)}$", "chapter": chapter})
    for index in range(len(statements)):
        for step in parts[index]:
            tensors.take(step)
        figure = draw_statement(tensors, lesson, index, parts[index])
        last = figure["tensors"][-1]
        thumbnails.append({"values": last["values"], "shares": last["shares"]})
        identity, _, _ = shown["lesson"].partition("-")
        figure |= {
            "title": f"{int(identity)} · {text_in(lesson['title'])}", "at": index,
            "source": f"document {lesson['document'][:3]} · {lesson['section']}",
            "places": [place | {"thumbnail": thumbnails[i] if i <= index else None}
                       for i, place in enumerate(places)]}
        figures.append(figure)
    return figures


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as numbers, \
            open(sys.argv[2], encoding="utf-8") as words:
        json.dump(figures_of(json.load(numbers), yaml.safe_load(words)), sys.stdout)
