"""Glassformer's pictures and numbers in a notebook:

    import glassformer
    glassformer.show("08-one-head", step=8)         # the picture of a step
    glassformer.show("my-lesson.yaml", lang="zh")   # all of them, turned by keys
    glassformer.tensor("08-one-head", "S")          # a NumPy array, with all digits

This file can lie beside a notebook. It calls the program `glassformer`: the one beside it, the
one it was installed with, or the first on the path. More arguments are options of
`glassformer export`: words="code".
"""
import base64
import html
import io
import os
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


class Picture:
    """What a notebook shows."""

    def __init__(self, markup):
        self._repr_html_ = lambda: markup


def export(lesson, kind, **options):
    """What `glassformer export` writes of a lesson, as bytes. ValueError says what is wrong."""
    folders = [str(HERE), str(HERE / "../../../bin"), os.environ.get("PATH", "")]
    program = shutil.which("glassformer", path=os.pathsep.join(folders))
    if not program and (HERE / "run").exists():  # the project's own folder
        program = HERE / "run"
    if not program:
        raise FileNotFoundError(f"the program 'glassformer' is neither on the path nor in {HERE}")
    words = [program, "export", "--format", kind]
    for name, value in options.items():
        words += ["--" + name.replace("_", "-") + ("" if value is True else f"={value}")]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*words, "--out", folder, "--", str(lesson)], stdin=subprocess.DEVNULL,
                              capture_output=True, encoding="utf-8", check=False)
        if done.returncode:
            raise ValueError(done.stderr.strip())
        return next(path for path in pathlib.Path(folder).rglob("*") if path.is_file()).read_bytes()


def show(lesson, step=None, **options):
    """A step's picture, or all of a lesson's: arrow keys turn them, a cell tells its sum."""
    if step is None:
        page = html.escape(export(lesson, "html", **options).decode())
        return Picture('<iframe sandbox="allow-scripts" style="width:100%;aspect-ratio:16/9;border:0" '
                       f'srcdoc="{page}"></iframe>')
    picture = export(lesson, "svg", steps=step, picture_only=True, **options)
    # An image shares no names with the page around it.
    return Picture(f'<img style="width:100%" alt="{html.escape(f"{lesson}, {step}")}" '
                   f'src="data:image/svg+xml;base64,{base64.b64encode(picture).decode()}">')


def tensors(lesson):
    """All of a lesson's tensors, by their names."""
    try:
        import numpy  # which pictures can do without
    except ModuleNotFoundError:
        raise ImportError("glassformer.tensor needs NumPy; install it (python3-numpy, or pip install numpy)") from None
    return dict(numpy.load(io.BytesIO(export(lesson, "npz"))))


def tensor(lesson, name):
    """One of them, as a NumPy array."""
    found = tensors(lesson)
    if name not in found:
        raise ValueError(f"{lesson} has no tensor {name!r}; it has {', '.join(found)}")
    return found[name]
