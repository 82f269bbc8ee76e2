"""Runs the scripts that `show --code` prints and compares every tensor with `show --json`.

    code.py GLASSFORMER numpy|torch LESSON…

What the page shows as a step's code (`show --code … --json`) is run too, behind the
script: it has to end with the step's result. Prints a line of TAP for each lesson: "ok"
or "not ok", and what differs."""

import ast
import json
import math
import os
import re
import subprocess
import sys
import tempfile

TOLERANCE = 1e-9  # relative to the largest magnitude of the tensor, at least 1


def number(value):
    return {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}.get(value, value)


def same(a, b, scale):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= TOLERANCE * scale


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


def is_tensor(value):
    return hasattr(value, "tolist")


def step_prints(printed, steps):
    """Whether what the script prints is the result of one of the steps."""
    return any(first_difference(step, printed.tolist()) is None for step in steps)


def names_set(code):
    """The names that lines of code give something to."""
    assigned = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Assign)]
    return {target.id for node in assigned for target in node.targets
            if isinstance(target, ast.Name)}


def check_named(scope, steps):
    """What has a name in the lesson has it in the script, too."""
    wrong = []
    for step in steps:
        inner = "." in step["name"] and step["name"].endswith("_product")
        if not step["name"] or step["name"] == step["op"] or inner:
            continue
        name = re.sub(r"[^A-Za-z0-9]", "_", step["name"].encode().decode("latin-1"))
        found = [scope[n] for n in (name, name + "_") if is_tensor(scope.get(n))]
        differences = [first_difference(step, tensor.tolist()) for tensor in found]
        if None not in differences:
            wrong.append(f"{step['path']} {step['name']} ({step['op']}) "
                         f"{(differences or ['is not in the script'])[0]}")
    return wrong


def check_steps(scope, steps, shown):
    """Runs each step's code behind the script, those of single operations first, as others
    read what they make; it has to end with the step's result."""
    wrong = []
    values = {step["path"]: step for step in steps}
    inner = {step["path"].rpartition(".")[0] for step in shown}
    for step in sorted(shown, key=lambda step: step["path"] in inner):
        code = "\n".join(step["code"])
        single = step["path"] not in inner
        again = scope if single else dict(scope)
        again["print"] = lambda *shown, **how: None
        exec(compile(code, step["path"], "exec"), again)
        made = names_set(code)
        if not code or (not made and "print(" not in code):
            wrong.append(f"{step['path']} has code that makes nothing: {code!r}")
        if not made or step["path"] not in values:
            continue
        last = ast.parse(code).body
        last = [n for n in last if isinstance(n, ast.Assign)
                and isinstance(n.targets[0], ast.Name)][-1].targets[0].id
        difference = first_difference(values[step["path"]], again[last].tolist())
        if difference:
            wrong.append(f"{step['path']} ends with another {last}, {difference}: {code}")
    return wrong


def check_hand_out(script):
    """A script that can be handed out is short, has the lesson's names and nothing that
    isn't used."""
    wrong = [] if len(script) < 1000000 else [f"the script has {len(script)} bytes"]
    for function in re.findall(r"^def (\w+)\(", script, re.MULTILINE):
        if len(re.findall(rf"\b{function}\(", script)) < 2:
            wrong.append(f"the script has {function}() and doesn't call it")
    if re.search(r"\b(step_\d+|node)_\d", script):
        wrong.append("the script has names made of numbers")
    return wrong


def stand_in_for_attention():
    """PyTorch before 2.0 has F.scaled_dot_product_attention only under another name."""
    import torch.nn.functional as functional
    if not hasattr(functional, "scaled_dot_product_attention"):
        functional.scaled_dot_product_attention = (
            lambda query, key, value, attn_mask=None:
            functional._scaled_dot_product_attention(query, key, value, attn_mask)[0])


def compare(program, language, lesson):
    def run(*words):
        return subprocess.run([program, *words], check=True, capture_output=True,
                              text=True).stdout
    printed = []
    scope = {"print": lambda *shown, **how: printed.extend(filter(is_tensor, shown))}
    if language == "numpy":
        __import__("numpy").seterr(all="ignore")  # the lessons that test this divide by 0
    else:
        stand_in_for_attention()
    script = run("show", lesson, "--code", language)
    with tempfile.TemporaryDirectory() as folder:
        if "np.load(" in script:
            run("export", lesson, "--out", folder, "--format", "npz")
        home = os.getcwd()
        os.chdir(folder)
        try:
            exec(compile(script, lesson, "exec"), scope)
        finally:
            os.chdir(home)
    steps = [s for s in json.loads(run("show", lesson, "--json"))["steps"]
             if s["op"] != "show"]
    wrong = [] if len(printed) >= 1 else ["the script prints no tensor"]
    wrong += check_named(scope, steps) + check_hand_out(script)
    shown = json.loads(run("show", lesson, "--code", language, "--json"))["steps"]
    if steps and not all(step_prints(p, steps) for p in printed):
        wrong.append("the script prints what is no step's result")
    return len(steps), len(shown), wrong + check_steps(scope, steps, shown)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
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
