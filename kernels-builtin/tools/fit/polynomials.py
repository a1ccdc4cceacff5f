#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints polynomial coefficients and tables of the math functions (needs mpmath and numpy; not part of the build).

usage: polynomials.py [name...]        without a name: everything

A minimax fit of a weighted error; coefficients are rounded one by one, lowest first, and the rest is fitted again each
time, so that later coefficients take back what rounding the earlier ones lost. What is in the sources may differ in last
bits, where a fit had other points or a neighbour did better in the harness (conformance/ulp).
"""
import struct
import sys

import numpy
from mpmath import mp, mpf, atan, asin, cos, erf, erfc, euler, exp, inf, log, loggamma, lu_solve, matrix, nint, pi, sin, sinh, sqrt, tan

mp.prec = 160


def to_float(value):
    return mpf(struct.unpack("f", struct.pack("f", float(value)))[0])


def to_double(value):
    return mpf(float(value))


def interpolated(values, count):
    """The polynomial through `count` of the points, those nearest to Chebyshev's nodes, to full precision."""
    low, high = min(v[0] for v in values), max(v[0] for v in values)
    nodes = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    chosen = [min(values, key=lambda v: abs(v[0] - n)) for n in nodes]
    solution = lu_solve(matrix([[v[0] ** k for k in range(count)] for v in chosen]), matrix([v[1] for v in chosen]))
    return [solution[k] for k in range(count)]


def minimax(values, base):
    """Coefficients c[0..count) that nearly minimise max |(sum c[k] x^k - target) weight| over (x, target, weight).

    Lawson's iteration on what `base`, a good first guess, leaves: least squares, where points of large error gain
    importance."""
    count = len(base)
    left = [target - sum(c * x**k for k, c in enumerate(base)) for x, target, _ in values]
    size = max(abs(v) for v in left)
    if size == 0:
        return base
    x, weight = (numpy.array([float(row[i]) for row in values]) for i in (0, 2))
    target = numpy.array([float(v / size) for v in left])
    scale = numpy.max(numpy.abs(x))
    powers = numpy.vander(x / scale, count, increasing=True)
    importance = numpy.ones(len(x))
    best, least = None, inf
    for _ in range(60):
        w = weight * numpy.sqrt(importance)
        c = numpy.linalg.lstsq(powers * w[:, None], target * w, rcond=None)[0]
        errors = numpy.abs((powers @ c - target) * weight)
        if max(errors) < least:
            best, least = c, max(errors)
        importance *= errors + numpy.max(errors) * 1e-3
        importance /= numpy.mean(importance)
    return [b + size * mpf(float(v)) / mpf(float(scale)) ** k for k, (b, v) in enumerate(zip(base, best))]


def fit(target, weight, low, high, count, rounding=to_float):
    """Rounded coefficients and the error that is left, as a power of two."""
    low, high = mpf(low), mpf(high)
    points = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / 401) for i in range(402)]
    table = [(x, target(x), weight(x)) for x in points]
    fixed, base = [], interpolated(table, count)
    for k in range(count):
        rest = [((x, (t - sum(c * x**n for n, c in enumerate(fixed))) / x**k, w * abs(x) ** k)) for x, t, w in table]
        fixed.append(rounding(minimax(rest, base[k:])[0]))
    worst = max(abs((sum(c * x**k for k, c in enumerate(fixed)) - t) * w) for x, t, w in table)
    return fixed, log(worst, 2)


def off_zero(f, limit):
    """f(x), or its limit where the formula is 0/0."""
    return lambda x: f(x) if abs(x) > mpf(2) ** -60 else limit


HALF_LN2 = log(2) / 2 * mpf("1.003")
THIRD = mpf(1) / 3 + mpf(2) ** -20
LOG10_2 = log(2) / log(10)
EIGHTH_TURN = mpf("0.80")
TINY = mpf(2) ** -30  # the polynomials in z = x^2 begin just above zero, where the formulas are 0/0



def at(t):
    """x for t = (x - 4) / (x + 4)."""
    return 4 * (1 + t) / (1 - t)


def log_rest(base):
    """(log_b(1 + x) - x / log(b)) / x^2"""
    return off_zero(lambda x: (log(1 + x) - x) / base / x**2, -1 / mpf(base) / 2)


def series_of_log_gamma(u):
    """Of a = 1 / sqrt(u): what lgamma(a) has beside (a - 1/2) (log(a) - 1) + (log(2 pi) - 1) / 2, times a."""
    a = 1 / sqrt(u)
    return (loggamma(a) - (a - mpf(1) / 2) * (log(a) - 1) - (log(2 * pi) - 1) / 2) * a


LOG_RANGE = (-mpf("0.25"), mpf("0.5"))
TABLE_RANGE = (-mpf("0.03711"), mpf(1) / 16)  # m / c - 1, see print_log2_table
EIGHTHS_RANGE = (-mpf("0.0538"), mpf("0.0626"))  # the same, see print_eighths
QUARTER_TURN = pi / 2 * mpf("1.0005")
EXP2 = off_zero(lambda x: (2**x - 1) / x, log(2))
POWER_LOG = off_zero(lambda s: (-log(1 - 2 * s) / 2 - s - s**2) / s**3, mpf(4) / 3)
SINE = off_zero(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, -mpf(1) / 6)
COSINE = off_zero(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, mpf(1) / 24)
SINE_PI = off_zero(lambda z: (sin(pi * sqrt(z)) / sqrt(z) - pi) / z, -(pi**3) / 6)
COSINE_PI = off_zero(lambda z: (cos(pi * sqrt(z)) - 1) / z, -(pi**2) / 2)
ARCSINE = off_zero(lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6)
ARCTANGENT = off_zero(lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, -mpf(1) / 3)

# name: (function that the polynomial stands for, weight of its error, interval, number of coefficients)
FITS = {
    # float_exp.cl. e^x = 1 + x + x^2 P(x); 2^x = 1 + x P(x); 10^x = 1 + x P(x); sinh(x) = x + x z P(z) with z = x^2
    "exp": (off_zero(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2), lambda x: x**2, -HALF_LN2, HALF_LN2, 5),
    "exp_minus_1": (off_zero(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2), lambda x: abs(x), -HALF_LN2, HALF_LN2, 6),
    "exp2": (EXP2, abs, -mpf("0.5"), mpf("0.5"), 6),
    "exp10": (off_zero(lambda x: (10**x - 1) / x, log(10)), abs, -LOG10_2 * mpf("0.502"), LOG10_2 * mpf("0.502"), 6),
    "sinh": (off_zero(lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6), lambda z: z, TINY, 1, 4),
    # float_log.cl. log_b(1 + x) = x / log(b) + x^2 P(x)
    "log": (log_rest(1), abs, *LOG_RANGE, 9),
    "log2": (log_rest(log(2)), abs, *LOG_RANGE, 9),
    "log10": (log_rest(log(10)), abs, *LOG_RANGE, 9),
    # native.cl, float_log2_pair.cl. log_b(1 + x) = x P(x), 2^x = 1 + x P(x)
    "native_log2": (off_zero(lambda x: log(1 + x) / log(2) / x, 1 / log(2)), lambda x: 1, -THIRD, THIRD, 8),
    "native_exp2": (EXP2, abs, -mpf("0.5"), mpf("0.5"), 5),
    "native_exp2_floor": (EXP2, lambda x: x * mpf(2) ** -x, TINY, mpf(1), 5),
    # float_log2_pair.cl, float_power.cl, short forms
    "pow_log2": (log_rest(log(2)), abs, *TABLE_RANGE, 5),
    "pow_exp2_wide": (EXP2, abs, -mpf("0.503"), mpf("0.503"), 6, to_double),
    "pow_exp2_by_eighths": (EXP2, abs, -mpf("0.0626"), mpf("0.0626"), 4),
    "pow_exp2_by_sixteenths": (EXP2, abs, -mpf("0.0314"), mpf("0.0314"), 3),
    "short_log2": (off_zero(lambda x: log(1 + x) / log(2) / x, 1 / log(2)), lambda x: 1, *TABLE_RANGE, 4),
    "short_log": (log_rest(1), abs, *TABLE_RANGE, 3),
    "short_log_wide": (log_rest(1), abs, -THIRD, THIRD, 8),
    "short_log2_wide": (log_rest(log(2)), abs, -THIRD, THIRD, 8),
    "short_log_by_eighths": (log_rest(1), abs, *EIGHTHS_RANGE, 3),
    "short_log2_by_eighths": (off_zero(lambda x: log(1 + x) / log(2) / x, 1 / log(2)), lambda x: 1, *EIGHTHS_RANGE, 4),
    "short_exp2": (EXP2, abs, -mpf("0.5"), mpf("0.5"), 4),
    # For pow in double at the levels without tables: log2(1 + x) = x P(x)
    "pow_log2_wide": (
        off_zero(lambda x: log(1 + x) / log(2) / x, 1 / log(2)),
        lambda x: abs(x / log(1 + x)) if x else mpf(1), *LOG_RANGE, 14, to_double,
    ),
    # float_trig.cl. On a quarter of a turn to both sides, sin(x) = x + x z P(z) and sin(pi x) = pi x + x z P(z); on an
    # eighth, cos(x) = 1 - z/2 + z^2 P(z) and cos(pi x) = 1 + z P(z) too; tan(x) = x + x z P(z)
    "half_turn_sin": (SINE, lambda z: z * sqrt(z) / sin(sqrt(z)), TINY, QUARTER_TURN**2, 4),
    "half_turn_sinpi": (SINE_PI, lambda z: z * sqrt(z) / sin(pi * sqrt(z)), TINY, mpf("0.25001"), 5),
    "sin": (SINE, lambda z: z, TINY, EIGHTH_TURN**2, 3),
    "cos": (COSINE, lambda z: z**2, TINY, EIGHTH_TURN**2, 3),
    "sinpi": (SINE_PI, lambda z: z, TINY, mpf("0.0625"), 4),
    "cospi": (COSINE_PI, lambda z: z, TINY, mpf("0.0625"), 4),
    "native_tan": (
        lambda z: (tan(sqrt(z)) / sqrt(z) - 1) / z,
        lambda z: z * sqrt(z) / tan(sqrt(z)), TINY, mpf("0.787") ** 2, 5,
    ),
    "short_tan": (lambda z: (tan(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z, TINY, mpf("0.787") ** 2, 4),
    # float_inverse.cl. asin(x) = x + x z P(z) up to 1/2, atan(x) = x + x z P(z) up to 1
    "asin": (ARCSINE, lambda z: z, TINY, mpf("0.2501"), 5),
    "atan": (ARCTANGENT, lambda z: z, TINY, 1, 9),
    # float_power.cl. (1 - c)^(-1/3) = 1 + c P(c)
    "cbrt": (
        off_zero(lambda c: ((1 - c) ** (-mpf(1) / 3) - 1) / c, mpf(1) / 3),
        lambda c: c * (1 - c) ** (mpf(1) / 3), -mpf("0.1028"), mpf("0.1028"), 3,
    ),
    # float_special.cl. erf(x) = x + x P(z); 1 - erf(x) = 2^P(x) from 1 on;
    # e^(x^2) (1 - erf(x)) (1 + 2 x) = P((x - 4) / (x + 4))
    "erf": (lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: 1, TINY, mpf("1.0001"), 8),
    "erf_large": (lambda x: log(erfc(x)) / log(2), lambda x: erfc(x), 1, mpf("4.01"), 9),
    "erfc": (lambda t: exp(at(t) ** 2) * erfc(at(t)) * (1 + 2 * at(t)), lambda t: 1, -1, mpf("0.45"), 12),
    # double_math.h, steps.cl: the same for double; by_table where sixteen powers of two have taken the rest off;
    # log(1 + f) = 2 s + s z P(z) with s = f / (2 + f) and z = s^2
    "exp_d": (off_zero(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2), lambda x: x**2, -HALF_LN2, HALF_LN2, 11, to_double),
    "expm1_d": (off_zero(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2), abs, -HALF_LN2, HALF_LN2, 12, to_double),
    "exp_by_table_d": (
        off_zero(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2),
        lambda x: x**2, -HALF_LN2 / 16, HALF_LN2 / 16, 5, to_double,
    ),
    "exp_by_eighths_d": (
        off_zero(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2),
        lambda x: x**2, -HALF_LN2 / 8, HALF_LN2 / 8, 6, to_double,
    ),
    "exp2_by_table_d": (EXP2, abs, -mpf("0.0313"), mpf("0.0313"), 6, to_double),
    "log_d": (
        off_zero(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) / sqrt(z) - 2) / z, mpf(2) / 3),
        lambda z: z, TINY, mpf("0.0401"), 7, to_double,
    ),
    # double_log2_pair.cl: log(1 + f) = 2 s + s z (2/3 + z P(z)); by a table, log2(1 - 2 s) = a + a s + a s^2 P(s) with
    # a = -2/log(2) s; 2^x = 1 + x P(x)
    "pow_log_d": (
        off_zero(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) / sqrt(z) - 2 - 2 * z / 3) / z**2, mpf(2) / 5),
        lambda z: z**2, TINY, mpf("0.0401"), 9, to_double,
    ),
    "pow_log2_d": (POWER_LOG, lambda s: s**2, -mpf(1) / 32, mpf("0.01856"), 9, to_double),
    "pow_log2_by_eighths_d": (POWER_LOG, lambda s: s**2, -mpf("0.03116"), mpf("0.02916"), 10, to_double),
    "pow_exp2_by_eighths_d": (EXP2, abs, -mpf("0.0665"), mpf("0.0665"), 7, to_double),
    # double_trig.cl, double_pi.cl, double_inverse.cl, double_exp.cl, double_power.cl, double_special.cl
    "half_turn_sin_d": (SINE, lambda z: z * sqrt(z) / sin(sqrt(z)), TINY, QUARTER_TURN**2, 8, to_double),
    "half_turn_sinpi_d": (SINE_PI, lambda z: z * sqrt(z) / sin(pi * sqrt(z)), TINY, mpf("0.25001"), 8, to_double),
    "sin_d": (SINE, lambda z: z, TINY, EIGHTH_TURN**2, 6, to_double),
    "cos_d": (COSINE, lambda z: z**2, TINY, EIGHTH_TURN**2, 6, to_double),
    "sinpi_d": (SINE_PI, lambda z: z, TINY, mpf("0.0625"), 7, to_double),
    "cospi_d": (COSINE_PI, lambda z: z, TINY, mpf("0.0625"), 7, to_double),
    "asin_d": (ARCSINE, lambda z: z * sqrt(z) / asin(sqrt(z)), TINY, mpf("0.2501"), 12, to_double),
    "atan_d": (ARCTANGENT, lambda z: z * sqrt(z) / atan(sqrt(z)), TINY, 1, 20, to_double),
    "sinh_d": (off_zero(lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6), lambda z: z, TINY, 1, 8, to_double),
    # (1 + x)^(-1/3) = P(x)
    "cbrt_d": (lambda x: (1 + x) ** (-mpf(1) / 3), lambda x: (1 + x) ** (mpf(1) / 3), *LOG_RANGE, 6, to_double),
    "erf_d": (lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: 1, TINY, mpf("1.0001"), 12, to_double),
    "erf_large_d": (lambda x: log(erfc(x)), lambda x: erfc(x), 1, mpf("5.95"), 19, to_double),
    # log_gamma.cl: lgamma(2 + y) = y P(y); from 2.5 on, the rest of Stirling's series
    "lgamma_d": (off_zero(lambda y: loggamma(2 + y) / y, 1 - euler), lambda y: mpf(1), -mpf("0.5"), mpf("0.5"), 18, to_double),
    "lgamma_large_d": (
        series_of_log_gamma, lambda u: sqrt(u) / loggamma(1 / sqrt(u)), mpf(2) ** -40, mpf("0.16"), 12, to_double,
    ),
    "erfc_d": (lambda t: exp(at(t) ** 2) * erfc(at(t)) * (1 + 2 * at(t)), lambda t: 1, -1, mpf("0.75"), 23, to_double),
}


def print_log2_table():
    """1/c and log2(c) in two parts, for a c in each sixteenth of [1, 2): as near to the middle as 1/c with 5 bits goes."""
    inverses = []
    for i in range(16):
        low, high = 1 + mpf(i) / 16, 1 + mpf(i + 1) / 16
        nearest = min(range(16, 33), key=lambda k: max(abs(low * k / 32 - 1), abs(high * k / 32 - 1)))
        inverses.append(mpf({0: 32, 15: 16}.get(i, nearest)) / 32)
    print("1/c: " + ", ".join(hexadecimal(v) for v in inverses))
    for name, bits, rounding in (("float", 16, to_float), ("double", 42, to_double)):
        logs = [-log(v) / log(2) for v in inverses]
        highs = [nint(v * 2**bits) / mpf(2) ** bits for v in logs]
        print(f"log2(c), {name}: " + ", ".join(hexadecimal(v) for v in highs))
        print("  and: " + ", ".join(hexadecimal(rounding(v - h)) for v, h in zip(logs, highs)))


def print_eighths():
    """1/c with 7 bits and its logarithms, for a c in each eighth from 31/32 to 31/16, of which the first is 1."""
    inverses = [mpf(1)]
    for i in range(1, 8):
        low, high = mpf(15 + 2 * i) / 16, mpf(17 + 2 * i) / 16
        inverses.append(mpf(min(range(60, 129), key=lambda k: max(abs(low * k / 128 - 1), abs(high * k / 128 - 1)))) / 128)
    print("1/c: " + ", ".join(hexadecimal(v) for v in inverses))
    print("log(c): " + ", ".join(hexadecimal(to_float(-log(v))) for v in inverses))
    print("log2(c): " + ", ".join(hexadecimal(to_float(-log(v) / log(2))) for v in inverses))


def words(value):
    high_and_low = struct.unpack(">II", struct.pack(">d", float(value)))
    return [f"0x{w:08x}" for w in high_and_low]


def doubled(word):
    """The number whose two words are the same."""
    return mpf(struct.unpack(">d", struct.pack(">II", word, word))[0])


def print_eighths_in_words():
    """-1/2c and log2(c) in two parts, the second of which is two equal words, for a c in each eighth from 1 - 11/256 on.

    Where |r| = |m/c - 1| may reach 2^-k, 1/c has k + 1 bits, so that r is exact. Of the first parts near log2(c) that one is
    taken whose rest is next to such a second part."""
    inverses = [mpf(v) / 32 for v in (32, 29, 26, 24, 22, 20, 19, 17)]
    highs, lows = [], []
    for value in (-log(v) / log(2) for v in inverses):
        candidates = []
        for step in range(-3, 4):
            high = (nint(value * 2**42) + step) / mpf(2) ** 42
            word = int(words(value - high)[0], 16)
            candidates += [(abs(high + doubled(w) - value), high, w) for w in (word - 1, word, word + 1) if w > 0]
        _, high, word = (0, mpf(0), 0) if value == 0 else min(candidates)
        highs.append(words(high))
        lows.append(f"0x{word:08x}")
    print("-1/2c: " + ", ".join(words(-v / 2)[0] for v in inverses))
    print("log2(c): " + ", ".join(w[0] for w in highs) + "\n  and: " + ", ".join(w[1] for w in highs))
    print("  and: " + ", ".join(lows))
    powers = [words(mpf(2) ** (mpf(i) / 8)) for i in range(8)]
    print("2^(i/8): " + ", ".join(w[0] for w in powers) + "\n  and: " + ", ".join(w[1] for w in powers))


def erf_cell(number, width, count):
    """Coefficients of erf about the multiple `number` of `width`, to half of it on both sides."""
    centre, end = number * width, width / 2 * mpf("1.0001")
    if number == 0:
        return [mpf(0)] + fit(lambda h: erf(h) / h, lambda h: h / erf(h), TINY, end, count, to_double)[0]
    return fit(lambda h: erf(centre + h), lambda h: 1, -end, end, count + 1, to_double)[0]


def erfc_cell(number, width, count):
    """The same of e^(x^2) erfc(x), as a function of q = x / (x + 4)."""
    def at_q(q):
        x = 4 * q / (1 - q)
        return exp(x**2) * erfc(x)

    centre, end = number * width, width / 2 * mpf("1.0001")
    high = min(end, mpf("0.87302") - centre)
    if number == 0:
        return [mpf(1)] + fit(lambda h: (at_q(h) - 1) / h, lambda h: h / at_q(h), TINY, high, count, to_double)[0]
    return fit(lambda h: at_q(centre + h), lambda h: 1 / at_q(centre + h), -end, high, count + 1, to_double)[0]


def print_cells(cell, cells, width, count):
    """A row for each power, the highest first, with the coefficient of each cell."""
    rows = [cell(i, mpf(width), count) for i in range(cells)]
    for k in reversed(range(count + 1)):
        print("  {" + ", ".join(hexadecimal(row[k]) for row in rows) + "},")


def hexadecimal(value):
    return float(value).hex().replace("0000000p", "p")


def main():
    if not sys.argv[1:] or "log2_table" in sys.argv:
        print_log2_table()
        print_eighths()
        print_eighths_in_words()
    if not sys.argv[1:] or "erf_cells" in sys.argv:
        print_cells(erf_cell, 4, 1.71875, 20)
        print_cells(erf_cell, 16, 0.390625, 12)
        print_cells(erfc_cell, 16, 29 / 512, 9)
    for name in [n for n in sys.argv[1:] if n not in ("log2_table", "erf_cells")] or (FITS if not sys.argv[1:] else []):
        row = FITS[name]
        coefficients, error = fit(*row)
        print(f"{name}: error 2^{float(error):.1f}")
        print("  " + ", ".join(hexadecimal(c) for c in coefficients))


if __name__ == "__main__":
    main()
