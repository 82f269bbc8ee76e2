"""Looks in a film for the pictures of its steps.

    film.py FILM FOLDER MOST

Each PNG in FOLDER has to be one of the film's frames, in their order, no colour further off
than MOST; between them something has to move. Says what is not so; ends with 1 then."""

import pathlib
import sys

if len(sys.argv) < 4:
    sys.exit(__doc__)

import numpy
from PIL import Image


def pixels(picture):
    return numpy.array(picture.convert("RGB")).astype(int)


def main(film, folder, most):
    wanted = [pixels(Image.open(path)) for path in sorted(pathlib.Path(folder).glob("*.png"))]
    film, found, others = Image.open(film), 0, 0
    for i in range(film.n_frames):
        film.seek(i)
        if found < len(wanted) and abs(pixels(film) - wanted[found]).max() <= int(most):
            found += 1
        else:
            others += 1
    if found < len(wanted) or others < len(wanted):
        print(f"{found} of {len(wanted)} pictures, {others} other frames")
        return 1
    print(f"{found} pictures, {others} other frames")
    return 0


sys.exit(main(*sys.argv[1:]))
