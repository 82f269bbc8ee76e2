"""Runs the scripts that `show --code` prints and compares every tensor with `show --json`.

    code.py GLASSFORMER numpy|torch LESSON…

What the page shows as a step's code (`show --code … --json`) is run too, behind the
script: it has to end with the step's result. Prints a line of TAP for each lesson: "ok"
or "not ok", and what differs."""

import ast
import json
import math
import re
import subprocess
import sys

TOLERANCE = 1e-9  # relative to the largest magnitude of the tensor, at least 1


def number(value):
    return {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}.get(value, value)


def same(a, b, scale):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= TOLERANCE * scale


def tensors_of(scope, step):
    """The script's tensor: by its name, or called after its step. Others of the same name
    have their nodes' numbers behind it."""
    named = [step["name"], step["name"] + "_"] if step["name"] != step["op"] else []
    for name in named + ["step_" + step["path"]]:
        name = re.sub(rb"[^A-Za-z0-9]", b"_", name.encode()).decode()
        found = [scope[n] for n in scope if re.fullmatch(name + r"(_n\d+)?", n)]
        found = [tensor.tolist() for tensor in found if hasattr(tensor, "tolist")]
        if found:
            return found
    return []


def first_difference(step, made):
    shown = [[number(v) for v in row] for row in step["values"]]
    if made is None:
        return "is not in the script"
    if [len(made), len(made[0])] != step["shape"]:
        return f"has shape {len(made)} x {len(made[0])}, not {step['shape']}"
    finite = [abs(v) for row in shown for v in row if math.isfinite(v)]
    scale = max([1.0] + finite)
    for i, row in enumerate(shown):
        for j, value in enumerate(row):
            if not same(value, made[i][j], scale):
                return f"[{i},{j}] is {made[i][j]!r}, not {value!r}"
    return None


def step_prints(printed, steps):
    """Whether what the script prints is the result of one of the steps."""
    return any(first_difference(step, printed.tolist()) is None for step in steps)


def same_all(a, b):
    a, b = a.tolist(), b.tolist()
    scale = max([1.0] + [abs(v) for row in a for v in row if math.isfinite(v)])
    return len(a) == len(b) and all(
        len(r) == len(s) and all(same(v, w, scale) for v, w in zip(r, s))
        for r, s in zip(a, b))


def names_set(code):
    """The names that lines of code give something to."""
    assigned = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Assign)]
    return {target.id for node in assigned for target in node.targets
            if isinstance(target, ast.Name)}


def check_steps(scope, steps):
    """Runs each step's code behind the script; it has to give what the script gave."""
    wrong = []
    for step in steps:
        code = "\n".join(step["code"])
        again = dict(scope, print=lambda *shown: None)
        exec(compile(code, step["path"], "exec"), again)
        changed = names_set(code)
        bad = [name for name in changed
               if name not in scope or not same_all(scope[name], again[name])]
        if not code or (not changed and "print(" not in code):
            wrong.append(f"{step['path']} has code that makes nothing: {code!r}")
        elif bad:
            wrong.append(f"{step['path']} makes another {bad[0]}: {code}")
    return wrong


def stand_in_for_attention():
    """PyTorch before 2.0 has F.scaled_dot_product_attention only under another name."""
    import torch.nn.functional as functional
    if not hasattr(functional, "scaled_dot_product_attention"):
        functional.scaled_dot_product_attention = (
            lambda query, key, value, attn_mask=None:
            functional._scaled_dot_product_attention(query, key, value, attn_mask)[0])


def compare(program, language, lesson):
    run = lambda *words: subprocess.run([program, "show", lesson, *words], check=True,
                                        capture_output=True, text=True).stdout
    printed = []
    scope = {"print": lambda *shown: printed.extend(shown)}
    if language == "numpy":
        __import__("numpy").seterr(all="ignore")  # the lessons that test this divide by 0
    else:
        stand_in_for_attention()
    exec(compile(run("--code", language), lesson, "exec"), scope)
    steps = [s for s in json.loads(run("--json"))["steps"] if s["op"] != "show"]
    wrong = [] if len(printed) == 1 else [f"the script prints {len(printed)} tensors"]
    for step in steps:
        made = tensors_of(scope, step) or [None]
        differences = [first_difference(step, tensor) for tensor in made]
        difference = differences[0]
        if None not in differences:
            wrong.append(f"{step['path']} {step['name']} ({step['op']}) {difference}")
    shown = json.loads(run("--code", language, "--json"))["steps"]
    if printed and steps and not step_prints(printed[0], steps):
        wrong.append("the script prints what is no step's result")
    return len(steps), len(shown), wrong + check_steps(scope, shown)


def main():
    program, language, *lessons = sys.argv[1:]
    failed = 0
    print(f"1..{len(lessons)}")
    for lesson in lessons:
        try:
            count, shown, wrong = compare(program, language, lesson)
        except Exception as error:  # a script that does not run
            count, shown, wrong = 0, 0, [f"{type(error).__name__}: {error}"]
        good = count > 0 and shown > 0 and not wrong
        failed += not good
        print(f"{'ok' if good else 'not ok'} - {lesson} in {language}: "
              f"{count} tensors, {shown} steps" + "".join("\n#   " + w for w in wrong[:5]))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
