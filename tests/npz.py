"""Compares an npz file with what `show --json` prints of the same lesson.

    npz.py FILE.npz SHOWN.json

Reads the zip and its .npy files with Python's own library, and with numpy.load where NumPy
is there. Says what differs; ends with 1 when anything does."""

import ast
import json
import math
import struct
import sys
import zipfile

try:
    import numpy
except ImportError:
    numpy = None


def number(value):
    return {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}.get(value, value)


def read_npy(data):
    """Rows of the numbers in a .npy of version 1.0."""
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    length = struct.unpack("<H", data[8:10])[0]
    assert (10 + length) % 64 == 0 and data[9 + length:10 + length] == b"\n"
    header = ast.literal_eval(data[10:10 + length].decode())
    assert header["descr"] == "<f8" and header["fortran_order"] is False, header
    rows, cols = header["shape"]
    assert len(data) == 10 + length + 8 * rows * cols
    numbers = struct.unpack(f"<{rows * cols}d", data[10 + length:])
    return [list(numbers[i * cols:(i + 1) * cols]) for i in range(rows)]


def main(path, shown_path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert all(entry.compress_type == zipfile.ZIP_STORED for entry in archive.infolist())
        names = [name[:-4] for name in archive.namelist()]
        assert len(set(names)) == len(names)
        tensors = {name: read_npy(archive.read(name + ".npy")) for name in names}
    expected = {}
    for step in json.load(open(shown_path))["steps"]:
        values = [[number(value) for value in row] for row in step["values"]]
        name = step["path"] if step["name"] == step["op"] else step["name"]
        if step["op"] != "show":
            expected[step["path"] if name in expected else name] = values
    assert list(tensors) == list(expected), (list(tensors), list(expected))
    assert repr(tensors) == repr(expected)  # to the last bit, signs of zeros too
    if numpy:
        with numpy.load(path) as loaded:
            assert loaded.files == names
            for name in names:
                assert loaded[name].dtype == numpy.float64
                assert repr(loaded[name].tolist()) == repr(tensors[name]), name
    print(len(names), "tensors,", "NumPy too" if numpy else "without NumPy")


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
