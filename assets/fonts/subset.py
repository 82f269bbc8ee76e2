#!/usr/bin/python3
"""Makes this folder's fonts anew, from Debian's packages fonts-dejavu-core,
fonts-texgyre-math, fonts-noto-cjk and python3-fonttools.

The Latin and the formula faces are copied whole. Of the Chinese ones are kept the 3,755
commonest characters (level 1 of GB 2312), its punctuation and signs, and whatever else the
lessons and the interface's words write. The same input gives the same bytes."""

import shutil
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection

FONTS = Path("/usr/share/fonts")
HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
WHOLE = [
    FONTS / "truetype/dejavu/DejaVuSans.ttf",
    FONTS / "truetype/dejavu/DejaVuSans-Bold.ttf",
    FONTS / "truetype/dejavu/DejaVuSansMono.ttf",
    Path("/usr/share/texmf/fonts/opentype/public/tex-gyre-math/texgyretermes-math.otf"),
]


def gb2312(first_row, last_row):
    """The characters in some of the standard's rows."""
    for row in range(first_row, last_row + 1):
        for column in range(1, 95):
            try:
                yield bytes([0xA0 + row, 0xA0 + column]).decode("gb2312")
            except UnicodeDecodeError:
                pass


def wanted():
    characters = set(gb2312(1, 3)) | set(gb2312(16, 55))
    for folder in ("lessons", "assets/strings"):
        for file in (PROJECT / folder).glob("*.yaml"):
            characters |= set(file.read_text(encoding="utf-8"))
    return sorted(ord(character) for character in characters)


def subset(weight):
    collection = TTCollection(FONTS / f"opentype/noto/NotoSansCJK-{weight}.ttc", lazy=True)
    font = next(font for font in collection if font["name"].getDebugName(1) == "Noto Sans CJK SC")
    options = Options()
    options.name_IDs = ["*"]
    options.layout_features = ["ccmp", "rlig", "calt", "clig", "liga", "kern", "mark", "mkmk"]
    options.notdef_outline = True
    options.recalc_timestamp = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=wanted())
    subsetter.subset(font)
    font.recalcTimestamp = False
    font.save(HERE / f"NotoSansCJKsc-{weight}.otf")


for path in WHOLE:
    shutil.copyfile(path, HERE / path.name)
for weight in ("Regular", "Bold"):
    subset(weight)
