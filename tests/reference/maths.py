#!/usr/bin/python3
"""Writes maths.txt: the mathematical functions' results as mpmath computes them, correctly
rounded.

    /usr/bin/python3 tests/reference/maths.py

Debian's packages: python3-mpmath and, for speed, python3-gmpy2. The tests read only the file
written: lines `FUNCTION X RESULT`, or `pow X Y RESULT`, in C's hexadecimal notation.

Of each function there are random points; the hardest of many random points, which are those
whose result is next to the middle between two doubles; and edges: of subnormal numbers, of
overflow, of the ranges in which core/base/maths.c computes in one way or another. For sin and
cos the doubles are found that are nearest to multiples of π/2, of each exponent, by
continued fractions.
"""
import math
import pathlib
import random
import sys

import mpmath
from mpmath import mp, mpf

mp.prec = 200
TRIED, HARDEST, RANDOM = 6000, 60, 100
random.seed(20170612)


def rounded(value):
    """The nearest double, and how far the value is from the middle between two, in ulps."""
    if value == 0 or mpmath.isinf(value):
        return float(value), 0.5
    exponent = max(mpmath.frexp(value)[1] - 53, -1074)
    scaled = mpmath.ldexp(value, -exponent)
    whole = mpmath.floor(scaled)
    part = scaled - whole
    whole = int(whole) + int(part > 0.5 or (part == 0.5 and int(whole) % 2))
    if exponent > 971 or abs(whole) == 2**53 and exponent == 971:
        return math.copysign(math.inf, whole), abs(float(part - 0.5))
    return math.ldexp(whole, exponent), abs(float(part - 0.5))


def log10(x):
    return mpmath.log(x) / mpmath.log(mpf(10))


def log1p(x):
    """Enough bits for 1 + x to be exact."""
    with mp.workprec(1300 if abs(x) < 1e-30 else 400):
        return +mpmath.log(1 + x)


def expm1(x):
    with mp.workprec(1300 if abs(x) < 1e-30 else 400):
        return +(mpmath.exp(x) - 1)


def tanh(x):
    return +mpmath.tanh(x)


def of_many_bits(function):
    """Arguments to 2^1024, less π/2 times a whole number: 1024 bits more."""
    def result(x):
        with mp.workprec(1300):
            return +function(x)
    return result


def power(x, y):
    with mp.workprec(400):
        return x ** y


def even(least, most):
    return lambda: random.uniform(least, most)


def exponents(least, most, signs=(1, -1)):
    return lambda: random.choice(signs) * math.ldexp(random.uniform(1, 2), random.randint(least, most))


def both_sides(*edges):
    """Each with its sign and the other one, and the doubles beside."""
    return [sign * near for edge in edges for sign in (1, -1)
            for near in (math.nextafter(edge, 0), edge, math.nextafter(edge, math.inf))]


def next_to_multiples():
    """Of each exponent the double that is nearest to a multiple of π/2: a denominator of the
    continued fraction of 2/π times the exponent's power of 2. The quarter that is nearest."""
    found = []
    with mp.workprec(2400):
        two_over_pi = 2 / mp.pi
        for exponent in range(-52, 971):
            ratio = mpmath.ldexp(two_over_pi, exponent)
            rest, before, m = ratio, 0, 1
            while True:
                rest = 1 / (rest - mpmath.floor(rest))
                after = int(mpmath.floor(rest)) * m + before
                if after >= 2**53:
                    break
                before, m = m, after
            distance = abs(m * ratio - mpmath.nint(m * ratio))
            found.append((distance, math.ldexp(m, exponent)))
    return [x for _, x in sorted(found)[:len(found) // 4]]


TINY = 2.0**-1074
LEAST = 2.0**-1022
LARGEST = sys.float_info.max
SMALL = [TINY, 3 * TINY, LEAST, 2.0**-900, 2.0**-54, 2.0**-53, 2.0**-28, 2.0**-27, 2.0**-26, 1e-5]
STEP = math.log(2) / 128
REDUCED = next_to_multiples()
QUARTERS = [math.pi / 4 * n for n in range(1, 17)]

# Name: the truth, how arguments are drawn, edges.
FUNCTIONS = {
    "exp": (mpmath.exp, [even(-746, 710), even(-2, 2), exponents(-60, 0)],
            both_sides(*SMALL, 0.5 * STEP, 1.5 * STEP, 708, 708.3964185322641, 709.782712893384,
                       710, 745.1332191019411, 746, 800, 1e300)),
    "expm1": (expm1, [even(-40, 710), even(-1, 1), exponents(-60, 0)],
              both_sides(*SMALL, 0.125, 37.42994775023705, 40, 700, 709.782712893384, 1e300)),
    "log": (mpmath.log, [exponents(-1022, 1023, (1,)), even(0.5, 2), even(0.99, 1.01)],
            [abs(x) for x in both_sides(*SMALL, 0.5, 0.99609375, 1, 1.0078125, 1.4140625,
                                        math.sqrt(2), 2, 10, LARGEST / 2)]),
    "log10": (log10, [exponents(-1022, 1023, (1,)), even(0.5, 2), even(0.99, 1.01)],
              [abs(x) for x in both_sides(*SMALL, 0.5, 0.99609375, 1, 1.0078125, 1.4140625,
                                          2, LARGEST / 2)] +
              [float(f"1e{n}") for n in range(-323, 309, 7)] + [10.0**n for n in range(23)]),
    "log1p": (log1p, [exponents(-56, 60, (1,)), even(-0.999, 3), exponents(-56, -1)],
              both_sides(*SMALL, 2.0**-55, 2.0**-52, 0.001, 0.5, 0.9999999) +
              [1.0, 1e15, 2.0**53, 1e100, LARGEST]),
    "sin": (of_many_bits(mpmath.sin), [even(-10, 10), even(-0.8, 0.8), exponents(-30, 1023)],
            both_sides(*SMALL, *QUARTERS, LARGEST / 2, 2.0**53, 2.0**55, 2.0**64) + REDUCED),
    "cos": (of_many_bits(mpmath.cos), [even(-10, 10), even(-0.8, 0.8), exponents(-30, 1023)],
            both_sides(*SMALL, *QUARTERS, LARGEST / 2, 2.0**53, 2.0**55, 2.0**64) + REDUCED),
    "tanh": (tanh, [even(-20, 20), even(-1, 1), exponents(-30, 1)],
             both_sides(*SMALL, 0.125, 0.5, 1, 19.06154746539849, 20, 1e300)),
    "erf": (mpmath.erf, [even(-6, 6), even(-1.1, 1.1), exponents(-60, 1)],
            both_sides(*SMALL, 0.5, 0.53125, 0.84375, 1, 1.03125, 1.25, 3, 5.90625, 5.921587195794507,
                       6, 27, 1e300)),
}


def line(name, *numbers):
    return " ".join([name, *(float(number).hex() for number in numbers)])


lines = []
for name, (truth, draws, edges) in FUNCTIONS.items():
    def tried(x):
        return rounded(truth(mpf(x))), x

    points = []
    for draw in draws:
        many = sorted((tried(draw()) for _ in range(TRIED)), key=lambda point: point[0][1])
        points += many[:HARDEST] + many[HARDEST::(TRIED - HARDEST) // RANDOM]
    points += [tried(x) for x in edges]
    lines += dict.fromkeys(line(name, x, result) for (result, _), x in points)

# Doubles that Lefèvre and Muller found to be the worst ones: e^x of small x, and ln x.
lines += [line("exp", x, rounded(mpmath.exp(mpf(x)))[0]) for x in [float.fromhex("0x1.9e9cbbfd6080bp-31")]]
lines += [line("log", x, rounded(mpmath.log(mpf(x)))[0]) for x in [float.fromhex("0x1.62a88613629b6p+678")]]


def power_points():
    for _ in range(TRIED):  # results between the least and the largest double
        x = random.choice([even(0, 20), exponents(-1074, 1023, (1,)), even(0.99, 1.01)])()
        yield x, random.uniform(-1075, 1024) / math.log2(x)
    for _ in range(TRIED):
        yield random.uniform(0, 40), random.uniform(-10, 10)


def edges_of_power():
    for n in range(-323, 309, 9):
        yield 10.0, float(n)
    for n in range(-25, 26):
        yield 10.0, float(n)
        yield -3.0, float(n)
        yield 0.9, float(n * n)
    for d in (8, 24, 64, 512):
        yield from ((10000.0, 2 * i / d) for i in range(min(d // 2, 32)))
    for exponent in (0.5, -0.5, 1 / 3, 2.0, 1.0, -1.0, 2.4):
        for x in (TINY, LEAST, 2.0, 3.0, 0.1, LARGEST, math.nextafter(1, 0), math.nextafter(1, 2)):
            yield x, exponent
    for x in (math.nextafter(1, 0), math.nextafter(1, 2), 1 + 2.0**-30, 1 - 2.0**-30):
        for y in (1e300, -1e300, 2.0**62, -(2.0**62), 2.0**53 + 2, 1e10, 1e-300, TINY):
            yield x, y
    for y in (-1074.0, -1074.4, -1075.0, -1076.0, -1022.0, -1022.5, 1023.0, 1023.9999999999999, 1024.0):
        yield 2.0, y
        yield -2.0, math.floor(y) * 1.0


points = []
for x, y in power_points():
    points.append((rounded(power(mpf(x), mpf(y))), x, y))
points.sort(key=lambda point: point[0][1])
points = points[:3 * HARDEST] + points[3 * HARDEST::(2 * TRIED - 3 * HARDEST) // (4 * RANDOM)]


def power_rounded(x, y):
    """Of results beyond every double mpmath's own may have no end."""
    exponent = y * math.log2(abs(x))
    sign = -1 if x < 0 and y % 2 == 1 else 1
    if abs(exponent) > 2000:
        return sign * (math.inf if exponent > 0 else 0.0)
    return rounded(power(mpf(x), mpf(y)))[0]


lines += [line("pow", x, y, result) for (result, _), x, y in points]
lines += dict.fromkeys(line("pow", x, y, power_rounded(x, y)) for x, y in edges_of_power())

path = pathlib.Path(__file__).with_suffix(".txt")
path.write_text(f"# Written by {pathlib.Path(__file__).name}\n" + "\n".join(lines) + "\n", encoding="utf-8")
