#!/usr/bin/env python3
"""Exported files, read by readers of its own: the chunks and pixels of PNG files, the bookmarks of a
PDF, whether its pages have the marks of an HTML deck's, and whether the words of an HTML deck and of SVG
pictures can be read on their grounds, in every theme.

    tests/exports.py PROGRAM

Needs nothing but Python. Prints TAP."""

import base64
import collections
import gzip
import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

if len(sys.argv) < 2:
    sys.exit("usage: tests/exports.py PROGRAM")
PROGRAM = pathlib.Path(sys.argv[1]).resolve()
TREE = pathlib.Path(__file__).resolve().parents[1]
LEAST = 4.5  # WCAG 2.1, AA

LESSON = """part: {part}
title: {title}
given:
  X: [[1, -0.5], [0, 0.25]]
steps:
  - show: X
    heading: First of {title}
  - do: M = softmax(X)
    heading: Second of {title} (Zwölf ∑)
  - do: Y = M @ X
"""

number = 0
bad = 0


def ok(good, name, lines=()):
    global number, bad
    number += 1
    bad += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    for line in list(lines)[:20]:
        print(f"# {line}")


def run(*arguments):
    done = subprocess.run([PROGRAM, *arguments], cwd=work, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        print(f"# {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.returncode == 0


# ---- PNG: its chunks, and what zlib reads in them ----

def read_png(data):
    """A PNG's size, and the pixels of each of its frames, as (x, y, width, height, rows). Raises
    ValueError at the first thing that the format forbids."""
    def need(good, what):
        if not good:
            raise ValueError(what)

    need(data[:8] == b"\x89PNG\r\n\x1a\n", "the signature is wrong")
    at, chunks = 8, []
    while at < len(data):
        need(at + 12 <= len(data), "the file ends within a chunk")
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body, crc = data[at + 8:at + 8 + length], data[at + 8 + length:at + 12 + length]
        need(len(body) == length and crc == struct.pack(">I", zlib.crc32(kind + body)), f"{kind} is damaged")
        chunks.append((kind, body))
        at += 12 + length
    kinds = [kind for kind, _ in chunks]
    need(kinds[0] == b"IHDR" and kinds[-1] == b"IEND" and not chunks[-1][1], f"the chunks are {kinds}")
    width, height, *way = struct.unpack(">II5B", chunks[0][1])
    need(way == [8, 2, 0, 0, 0], f"pixels are stored as {way}")
    animated, number, place, frames = kinds[1] == b"acTL", 0, (0, 0, width, height), []
    for kind, body in chunks[1 + animated:-1]:
        if kind in (b"fcTL", b"fdAT"):
            need(animated and struct.unpack(">I", body[:4])[0] == number, f"{kind} has the wrong number")
            number += 1
        if kind == b"fcTL":
            w, h, x, y = struct.unpack(">4I", body[4:20])
            place = x, y, w, h
            need(x + w <= width and y + h <= height and (frames or place == (0, 0, width, height)), "a frame is outside")
            continue
        need(kind == (b"fdAT" if frames else b"IDAT"), f"{kind} is not expected")
        reader = zlib.decompressobj()
        rows = reader.decompress(body[4:] if frames else body)
        _, _, w, h = place
        need(reader.eof and not reader.unused_data, "something is behind the pixels, or their end is missing")
        need(len(rows) == h * (3 * w + 1) and not any(rows[::3 * w + 1]), "the rows are not as long as they should be")
        frames.append((*place, rows))
    need(frames and (not animated or struct.unpack(">II", chunks[1][1]) == (len(frames), 0)), "the count of frames is wrong")
    return width, height, frames


def check_png():
    (work / "png.yaml").write_text(LESSON.format(part="Part A", title="One"), encoding="utf-8")
    made = run("export", "png.yaml", "--format", "png,apng,pptx", "--out", "png", "--size", "650x361", "--words", "story", "--frame") \
        and run("play", "png.yaml", "--keys", "Ctrl+S Right Ctrl+S Right Ctrl+S", "--size", "650x361", "--out", "png/saved")
    ok(made, "pictures, a film and slides are made")
    pictures, wrong = {}, []
    try:
        for path in sorted((work / "png").rglob("*.png")) + sorted((work / "png").glob("*.apng")):
            pictures[path.name] = read_png(path.read_bytes())
        with zipfile.ZipFile(work / "png/png.pptx") as deck:
            slides = [read_png(deck.read(name)) for name in sorted(deck.namelist()) if name.endswith(".png")]
    except (ValueError, OSError, KeyError, zlib.error, struct.error) as error:
        wrong, slides = [str(error)], []
    film = pictures.pop("png.apng", (0, 0, []))[2]
    exported = [pictures[name] for name in sorted(pictures) if name[0].isdigit()]
    saved = [pictures[name] for name in sorted(pictures) if not name[0].isdigit()]
    ok(not wrong and len(exported) == 3 and len(film) > 6 and all(one[:2] == (650, 361) for one in exported),
       "a strict reader reads their chunks, sums and rows", wrong or [list(pictures), len(film)])
    ok(slides == exported and saved == exported and film and film[0][4] == exported[0][2][0][4],
       "slides, pictures saved with Ctrl+S, and the film's first frame have the pixels of exported pictures",
       [f"{len(exported)} exported, {len(slides)} slides, {len(saved)} saved"])
    whole = (work / "png" / "png" / sorted(pictures)[0]).read_bytes() if exported else b""
    missed = [place for place in range(0, len(whole), max(1, len(whole) // 50)) if reads(
        whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1:])]
    ok(whole and not missed, "the reader finds a damaged byte", missed)


def reads(data):
    try:
        return bool(read_png(data))
    except (ValueError, zlib.error, struct.error):
        return False


# ---- PDF: what stands in a dictionary is found by its name, as the program writes it ----

def read_objects(data):
    """Each object's text by its number, found by the cross-reference table."""
    start = int(re.search(rb"startxref\s+(\d+)\s+%%EOF\s*$", data)[1])
    table = re.match(rb"xref\s+0 (\d+)\s+((?:\d{10} \d{5} [nf][ \r]?\n?\s?)+)", data[start:])
    places = [int(row.split()[0]) for row in re.findall(rb"\d{10} \d{5} [nf]", table[2])]
    found = {}
    for place, row in list(zip(places, re.findall(rb"\d{10} \d{5} [nf]", table[2])))[1:]:
        if row.endswith(b"n"):
            head = re.match(rb"(\d+) 0 obj\s", data[place:])
            found[int(head[1])] = data[place + head.end():data.index(b"endobj", place)]
    return found, data[start:]


def entry(text, name, kind=rb"(-?\d+)"):
    found = re.search(rb"/" + name + rb"\s*" + kind, text)
    return found and found[1]


def title_of(text):
    return bytes.fromhex(entry(text, b"Title", rb"<([0-9a-f]*)>").decode()).decode("utf-16")


class Outline:
    """A PDF's bookmarks as (level, title, page), and what is wrong with how they are chained."""

    def __init__(self, data):
        self.objects, trailer = read_objects(data)
        root = self.objects[int(entry(trailer, b"Root"))]
        kids = entry(self.objects[int(entry(root, b"Pages"))], b"Kids", rb"\[([^]]*)\]")
        self.pages = [int(page) for page in re.findall(rb"(\d+) 0 R", kids)]
        self.rows, self.wrong = [], []
        outlines = int(entry(root, b"Outlines"))
        visible = self.go(outlines, 0)
        if int(entry(self.objects[outlines], b"Count")) != visible:
            self.wrong.append(f"the outline counts {entry(self.objects[outlines], b'Count').decode()}, "
                              f"and {visible} are visible")

    def go(self, parent, level):
        """How many bookmarks below one are seen while it is open."""
        at, before, count = int(entry(self.objects[parent], b"First")), None, 0
        while at:
            text = self.objects[at]
            name = title_of(text)
            page = int(entry(text, b"Dest", rb"\[(\d+) 0 R/Fit\]"))
            self.rows.append((level, name, self.pages.index(page) + 1 if page in self.pages else None))
            prev = entry(text, b"Prev")
            if int(entry(text, b"Parent")) != parent or (int(prev) if prev else None) != before:
                self.wrong.append(f"'{name}' hangs elsewhere")
            count += 1
            if entry(text, b"First"):
                inner, said = self.go(at, level + 1), int(entry(text, b"Count"))
                if abs(said) != inner:
                    self.wrong.append(f"'{name}' counts {said}, and has {inner}")
                count += inner if said > 0 else 0
            before, at = at, int(entry(text, b"Next") or 0)
        if int(entry(self.objects[parent], b"Last")) != before:
            self.wrong.append(f"the last below object {parent} is another")
        return count


def check_bookmarks():
    for name, part, title in (("one", "Part A", "One"), ("two", "Part A", "Two"), ("three", "Part B", "Three")):
        (work / f"{name}.yaml").write_text(LESSON.format(part=part, title=title), encoding="utf-8")
    made = run("export", "one.yaml", "two.yaml", "three.yaml", "--format", "pdf", "--out", "deck.pdf", "--lang", "en")
    ok(made, "a deck of three lessons is made")
    if not made:
        return
    outline = Outline((work / "deck.pdf").read_bytes())
    expected, page = [], 1
    for part, titles in (("Part A", ["One", "Two"]), ("Part B", ["Three"])):
        expected.append((0, part, page))
        for title in titles:
            expected.append((1, title, page))
            expected += [(2, f"First of {title}", page), (2, f"Second of {title} (Zwölf ∑)", page + 1), (2, None, page + 2)]
            page += 3
    got = [(level, None if said is None else name, page) for (level, name, page), (_, said, _)
           in zip(outline.rows, expected)]
    ok(len(outline.rows) == len(expected) and got == expected, "its bookmarks are parts, lessons and steps, each on its page",
       [f"{a} is not {b}" for a, b in zip(outline.rows, expected) if a[0] != b[0] or a[2] != b[2] or b[1] not in (None, a[1])])
    ok(not outline.wrong and all(name for _, name, _ in outline.rows), "which are chained as PDF wants it", outline.wrong)


# ---- PDF and HTML decks: the marks of each page, which two writers make of one picture ----

NUMBER = r"-?(?:\d+\.?\d*|\.\d+)"
TOKEN = re.compile(rb"/Span<</ActualText<[0-9a-f]*>>>BDC|BI .*? EI Q|<[0-9a-f]*>|[\[\]]|[^\s<>\[\]]+")
EM = 1000
MARKED = """title: Marks
given:
  A: {random: [90, 80], seed: 1}
  B: {random: [12, 9], seed: 2}
labels:
  B: {rows: [zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven]}
steps:
  - show: [A]
    heading: Pixels
  - do: C = softmax(B)
    heading: HEADING
"""


def numbers(text):
    return [float(found) for found in re.findall(NUMBER, text)]


def bounds(values):
    return min(values[::2]), min(values[1::2]), max(values[::2]), max(values[1::2])


def letter_place(origin, right, up, x, y):
    """Where on the page a letter stands, (x, y) thousandths of an em off its text's origin; y goes up. The
    text goes by (right, up) points an em."""
    return origin[0] + (right * x - up * y) / EM, origin[1] - (up * x + right * y) / EM


def pdf_fonts(objects, trailer):
    """Each glyph's advance and outline, from number 1 on: the curves' points, y down as in SVG."""
    advances, outlines = [None], [None]
    resources = objects[int(entry(objects[int(entry(objects[int(entry(trailer, b"Root"))], b"Pages"))],
                                  b"Kids", rb"\[(\d+)"))]
    fonts = entry(objects[int(entry(resources, b"Resources"))], b"Font", rb"<<(.*?)>>")
    for name, number in re.findall(rb"/F(\d+) (\d+) 0 R", fonts):
        assert int(name) == (len(advances) - 1) // 256 + 1 and (len(advances) - 1) % 256 == 0
        text = objects[int(number)]
        advances += [int(width) for width in entry(text, b"Widths", rb"\[([^]]*)\]").split()]
        procs = dict(re.findall(rb"(/g[0-9a-f]+) (\d+) 0 R", entry(text, b"CharProcs", rb"<<(.*?)>>")))
        for glyph in entry(text, b"Differences", rb"\[0([^]]*)\]").replace(b"/", b" /").split():
            curves = stream(objects[int(procs[glyph])]).split(b"d1", 1)[1].decode()
            outlines.append([(kind, [value * sign for value, sign in zip(numbers(points), (1, -1) * 3)])
                             for points, kind in re.findall(r"([-\d. ]+) ([mlc])", curves)])
    return advances, outlines


def stream(text):
    return zlib.decompress(re.search(rb"stream\n(.*)\nendstream", text, re.S)[1])


def pdf_marks(content, advances):
    """A page's marks in order, each a tuple: its kind, its colour with the opacity, and its numbers."""
    marks, stack, path, curved, array = [], [], [], False, False
    for token in (found.decode("latin-1") for found in TOKEN.findall(content)):
        if re.fullmatch(NUMBER, token):
            if array:
                pen -= float(token)
            else:
                stack.append(float(token))
            continue
        if token in "[]":
            array = token == "["
        elif token.startswith("<"):
            for code in bytes.fromhex(token[1:-1]):
                number = 256 * font + code + 1
                letters.append((number, letter_place(matrix[4:], matrix[0], -matrix[1], pen, rise * EM)))
                pen += advances[number]
        elif token.startswith("/A"):
            opacity = int(token[2:])
        elif token.startswith("/F"):
            font = int(token[2:]) - 1
        elif token.startswith("BI"):
            size = re.match(r"BI /W (\d+) /H (\d+) .*ID ([0-9a-f]*)>", token)
            w, _, _, h, x, y = place
            marks.append(("image", None, [x, y + h, x + w, y], (int(size[1]), int(size[2]), bytes.fromhex(size[3]))))
        elif token == "cm":
            place = stack
        elif token in ("rg", "RG"):
            ink = *(round(255 * part) for part in stack), opacity
        elif token == "w":
            width = stack[0]
        elif token == "Tm":
            matrix, pen, rise, letters = stack, 0, 0, []
        elif token == "Ts":
            rise = stack[0]
        elif token == "ET":
            marks.append(("text", ink, [matrix[0], -matrix[1]], letters))
        elif token == "re":
            x, y, w, h = stack
            path, curved = [x, y, x + w, y + h], True
        elif token in ("m", "l", "c"):
            path, curved = [] if token == "m" else path, token == "c" or curved and token == "l"
            path += stack
        elif token == "n":
            marks.append(("clip", None, bounds(path), None))
        elif token in ("f", "f*"):
            marks.append(("box", ink, bounds(path), None) if curved else ("polygon", ink, path, None))
        elif token in ("S", "s"):
            marks.append(("frame" if curved else "line", ink, [*(bounds(path) if curved else path), width], token == "s"))
        elif token == "Q":
            marks.append(("end", None, [], None))
        stack = []
    return marks


def svg_color(text, name):
    opacity = attribute(text, f"{name}-opacity", "1")
    return *rgb(attribute(text, name)), round(255 * float(opacity))


def svg_box(text):
    x, y, w, h = (float(attribute(text, name)) for name in ("x", "y", "width", "height"))
    return x, y, x + w, y + h


def svg_marks(picture):
    """The same of an SVG picture."""
    marks, inside = [], []
    for tag in re.findall(r"<clipPath[^>]*><rect[^>]*/></clipPath>|</?\w[^>]*>", picture):
        kind = re.match(r"</?\w+", tag)[0]
        if kind == "<clipPath":
            marks.append(("clip", None, svg_box(tag), None))
        elif kind == "<g" and "clip-path" in tag:
            inside.append("clip")
        elif kind == "<g":
            inside.append("text")
            x, y = numbers(re.search(r"translate\(([^)]*)\)", tag)[1])
            turn = re.search(r"rotate\(([^)]*)\)", tag)
            size = EM * float(re.search(r"scale\(([^)]*)\)", tag)[1])
            angle = -math.radians(float(turn[1])) if turn else 0
            text = ("text", svg_color(tag, "fill"), [size * math.cos(angle), size * math.sin(angle)], [])
            marks.append(text)
        elif kind == "<use":
            at, up = float(attribute(tag, "x", "0")), -float(attribute(tag, "y", "0"))
            text[3].append((int(attribute(tag, "xlink:href")[2:], 16), letter_place((x, y), *text[2], at, up)))
        elif kind == "</g":
            if inside.pop() == "clip":
                marks.append(("end", None, [], None))
        elif kind == "<rect" and "class=" not in tag and "%" not in tag:
            if attribute(tag, "fill") != "none":
                marks.append(("box", svg_color(tag, "fill"), svg_box(tag), None))
            if attribute(tag, "stroke"):
                wide = float(attribute(tag, "stroke-width", "1"))
                marks.append(("frame", svg_color(tag, "stroke"), [*svg_box(tag), wide], False))
        elif kind == "<line" or kind == "<path" and "stroke=" in tag:
            points = numbers(attribute(tag, "d")) if kind == "<path" else \
                [float(attribute(tag, name)) for name in ("x1", "y1", "x2", "y2")]
            wide = float(attribute(tag, "stroke-width", "1"))
            marks.append(("line", svg_color(tag, "stroke"), [*points, wide], attribute(tag, "d", "").endswith("z")))
        elif kind == "<path":
            marks.append(("polygon", svg_color(tag, "fill"), numbers(attribute(tag, "d")), None))
        elif kind == "<image":
            size = read_png(base64.b64decode(attribute(tag, "xlink:href").split(",")[1]))
            width, height, ((_, _, _, _, rows),) = size
            pixels = b"".join(rows[y * (3 * width + 1) + 1:(y + 1) * (3 * width + 1)] for y in range(height))
            marks.append(("image", None, svg_box(tag), (width, height, pixels)))
    return marks


def svg_outlines(picture):
    """Each glyph's curves by its number, cubic ones and with absolute points."""
    found = {}
    for number, text in re.findall(r'<path id="g([0-9a-f]+)" d="([^"]*)"', picture):
        x, y, curves = 0, 0, []
        for kind, part in re.findall(r"([MlqcLz])([^MlqcLz]*)", text):
            points = numbers(part)
            for at in range(0, len(points), size := {"q": 4, "c": 6}.get(kind, 2)):
                p = [value + ((x, y)[i % 2] if kind != "M" else 0) for i, value in enumerate(points[at:at + size])]
                if kind == "q":
                    p = [(x + 2 * p[0]) / 3, (y + 2 * p[1]) / 3, (p[2] + 2 * p[0]) / 3, (p[3] + 2 * p[1]) / 3, *p[2:]]
                curves.append(("m" if kind == "M" else "l" if kind == "l" else "c", p))
                x, y = p[-2:]
        found[int(number, 16)] = curves
    return found


def near(one, two, room):
    return len(one) == len(two) and all(abs(a - b) <= room for a, b in zip(one, two))


def alike(one, two):
    """Two marks are one: numbers have two decimals, and advances are rounded to thousandths of an em."""
    kind, ink, where, more = one
    if kind != two[0] or (ink and not near(ink, two[1], 1)) or not near(where, two[2], 0.03):
        return False
    if kind != "text":
        return more == two[3]
    room = 0.03 + 3 / EM * math.hypot(*where)
    return len(more) == len(two[3]) and all(a[0] == b[0] and near(a[1], b[1], room) for a, b in zip(more, two[3]))


def check_decks():
    words = " ".join(map(chr, range(0xA1, 0x180)))
    (work / "marks.yaml").write_text(MARKED.replace("HEADING", json.dumps(words)), encoding="utf-8")
    lessons = ["marks.yaml", *(str(TREE / "lessons" / f"{name}.yaml") for name in ("08-one-head", "30-the-whole-transformer"))]
    made = run("export", *lessons, "--format", "pdf", "--out", "marks.pdf") \
        and run("export", *lessons, "--format", "html", "--out", "marks.html")
    ok(made, "the same lessons are made a PDF and an HTML deck")
    if not made:
        return
    objects, trailer = read_objects((work / "marks.pdf").read_bytes())
    advances, outlines = pdf_fonts(objects, trailer)
    packed = re.search(r"id=.?pages[^>]*>([A-Za-z0-9+/=\s]+)<", (work / "marks.html").read_text(encoding="utf-8"))[1]
    *pictures, letters = re.split(r"(?=<section)", gzip.decompress(base64.b64decode(packed)).decode())
    drawn = svg_outlines(letters)
    wrong = [f"glyph {number}" for number, curves in drawn.items()
             if [kind for kind, _ in curves] != [kind for kind, _ in outlines[number]]
             or not all(near(a, b, 1) for (_, a), (_, b) in zip(curves, outlines[number]))]
    ok(len(drawn) > 300 and not wrong, "letters have the same outlines in both", [f"{len(drawn)} letters", *wrong])
    pages = [objects[number] for number in Outline((work / "marks.pdf").read_bytes()).pages]
    pictures = [picture for picture in pictures if picture.strip()]
    kinds, wrong = collections.Counter(), [] if len(pages) == len(pictures) else ["there are more pages in one"]
    for count, (page, picture) in enumerate(zip(pages, pictures)):
        marks = pdf_marks(stream(objects[int(entry(page, b"Contents"))]), advances)[2:-2]  # within the page's clip
        one, two = ([(*mark[:3], [letter for letter in mark[3] if outlines[letter[0]]]) if mark[0] == "text" else mark
                     for mark in side] for side in (marks, svg_marks(picture)))
        kinds.update(mark[0] for mark in one)
        differ = [f"page {count + 1}: {str(a)[:200]} is not {str(b)[:200]}" for a, b in zip(one, two) if not alike(a, b)][:1]
        wrong += differ or ([] if len(one) == len(two) else [f"page {count + 1}: {len(one)} marks, {len(two)}"])
    ok(not wrong and len(kinds) == 8, "pages of a PDF have the marks of the same pages in HTML", [str(dict(kinds)), *wrong])


# ---- ink ----

def rgb(text):
    text = text.lstrip("#")
    return tuple(int(part, 16) for part in (re.findall("..", text) if len(text) == 6 else [c + c for c in text]))


def luminance(color):
    parts = [c / 255 for c in color]
    r, g, b = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


SHAPE = re.compile(r'<rect([^>]*)/>|<(image|path|polygon|polyline)([^>]*)/>|'
                   r'<g transform="translate\(([\d.-]+) ([\d.-]+)\)scale\(([\d.]+)\)" fill="(#\w+)">(?:.(?!</g>))*?<text[^>]*>([^<]*)')


def attribute(text, name, other=None):
    found = re.search(rf'(?<![\w-]){name}="([^"]*)"', text)
    return found[1] if found else other


def faint_words(svg):
    """The words of a picture that can't be read on the rectangle they stand on; and how many words
    stand on one. What stands on an image or a shape of another kind isn't looked at."""
    body = svg[svg.index("</defs>"):]
    grounds, faint, count = [], [], 0
    for rect, other, rest, x, y, size, ink, word in SHAPE.findall(body):
        if rect:
            fill = attribute(rect, "fill", "none")
            if fill != "none" and not attribute(rect, "fill-opacity"):
                box = [float(attribute(rect, name, "0")) for name in ("x", "y", "width", "height")] \
                    if "%" not in attribute(rect, "width") else [0, 0, 1e9, 1e9]
                grounds.append((box, rgb(fill)))
            elif fill != "none":
                grounds.append(([float(attribute(rect, name, "0")) for name in ("x", "y", "width", "height")], None))
        elif other:
            grounds.append(([0, 0, 1e9, 1e9], None) if other != "image" else
                           ([float(attribute(rest, name, "0")) for name in ("x", "y", "width", "height")], None))
        elif word:
            at_x, at_y = float(x) + 1, float(y) - 300 * float(size)
            under = [color for (left, top, width, height), color in grounds
                     if left <= at_x <= left + width and top <= at_y <= top + height]
            if under and under[-1]:
                count += 1
                if contrast(rgb(ink), under[-1]) < LEAST:
                    faint.append(f"{word!r} {ink} on {under[-1]}: {contrast(rgb(ink), under[-1]):.2f}")
    return faint, count


def check_ink():
    themes = re.findall(r"^(\w+):$", (TREE / "assets/themes.yaml").read_text(encoding="utf-8"), re.M)
    ok(len(themes) >= 4, "the themes are found", themes)
    for theme in themes:
        made = run("export", "one.yaml", "--format", "html", "--theme", theme, "--out", f"{theme}.html") \
            and run("export", "one.yaml", "--format", "svg", "--theme", theme, "--out", theme)
        html = (work / f"{theme}.html").read_text(encoding="utf-8") if made else ""
        page = re.search(r"--page:(#\w+)", html)
        ink = re.search(r"body\{--page:[^}]*[;{]color:(#\w+)", html)
        seen = page and ink and contrast(rgb(page[1]), rgb(ink[1]))
        ok(bool(seen) and seen >= LEAST, f"{theme}: an HTML deck's own words can be read",
           [f"{ink[1]} on {page[1]}: {seen:.2f}" if seen else "no colour of page or words is found"])
        faint, words = [], 0
        for picture in sorted((work / theme).rglob("*.svg")):
            lines, count = faint_words(picture.read_text(encoding="utf-8"))
            faint += [f"{picture.name}: {line}" for line in lines]
            words += count
        ok(words > 40 and not faint, f"{theme}: the words of SVG pictures can be read", [f"{words} words"] + faint)


good, wrong = ('</defs><rect width="100%" height="100%" fill="#fff"/><rect x="0" y="0" width="9" height="9" fill="#000"/>'
               f'<g transform="translate(2 8)scale(.01)" fill="{ink}"><use/><text>w</text></g>' for ink in ("#fff", "#222"))
with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    check_png()
    ok(faint_words(good) == ([], 1) and len(faint_words(wrong)[0]) == 1, "faint words are found")
    check_bookmarks()
    check_decks()
    check_ink()
print(f"1..{number}")
sys.exit(bad != 0)
