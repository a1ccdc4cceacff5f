#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the polynomial coefficients of the float functions in this directory (needs mpmath and numpy; not part of the build).

usage: fit_polynomials.py [name...]

A minimax fit of a weighted error; coefficients are rounded to float one by one, lowest first, and the rest is fitted
again each time, so that later coefficients take back what rounding the earlier ones lost.
"""
import struct
import sys

import numpy
from mpmath import mp, mpf, atan, asin, cos, erf, erfc, exp, inf, log, pi, sin, sinh, sqrt

mp.prec = 160


def to_float(value):
    return mpf(struct.unpack("f", struct.pack("f", float(value)))[0])


def to_double(value):
    return mpf(float(value))


def minimax(values, count):
    """Coefficients c[0..count) that nearly minimise max |(sum c[k] x^k - target) weight| over (x, target, weight).

    Lawson's iteration: least squares, where points of large error gain importance."""
    x, target, weight = (numpy.array([float(row[i]) for row in values]) for i in range(3))
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
    return [mpf(float(v)) / mpf(float(scale)) ** k for k, v in enumerate(best)]


def fit(target, weight, low, high, count, rounding=to_float):
    """Rounded coefficients and the error that is left, as a power of two."""
    low, high = mpf(low), mpf(high)
    points = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / 401) for i in range(402)]
    table = [(x, target(x), weight(x)) for x in points]
    fixed = []
    for k in range(count):
        rest = [((x, (t - sum(c * x**n for n, c in enumerate(fixed))) / x**k, w * abs(x) ** k)) for x, t, w in table]
        fixed.append(rounding(minimax(rest, count - k)[0]))
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


# name: (function that the polynomial stands for, weight of its error, interval, number of coefficients)
FITS = {
    # e^x = 1 + x + x^2 P(x)
    "exp": (off_zero(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2), lambda x: x**2, -HALF_LN2, HALF_LN2, 5),
    "exp_minus_1": (off_zero(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2), lambda x: abs(x), -HALF_LN2, HALF_LN2, 6),
    "native_exp2": (off_zero(lambda x: (2**x - 1) / x, log(2)), lambda x: abs(x), -mpf("0.5"), mpf("0.5"), 5),
    # log2(1 + x) = x P(x)
    "native_log2": (off_zero(lambda x: log(1 + x) / log(2) / x, 1 / log(2)), lambda x: 1, -THIRD, THIRD, 8),
    # 2^x = 1 + x P(x), 10^x = 1 + x P(x)
    "exp2": (off_zero(lambda x: (2**x - 1) / x, log(2)), lambda x: abs(x), -mpf("0.5"), mpf("0.5"), 6),
    "exp10": (off_zero(lambda x: (10**x - 1) / x, log(10)), lambda x: abs(x), -LOG10_2 * mpf("0.502"), LOG10_2 * mpf("0.502"), 6),
    # log(1 + x) = x - x^2/2 + x^3 P(x)
    "log": (off_zero(lambda x: (log(1 + x) - x + x**2 / 2) / x**3, mpf(1) / 3), lambda x: x**2, -THIRD, THIRD, 8),
    # log_b(1 + x) = x / log(b) + x^2 P(x)
    "log2": (off_zero(lambda x: (log(1 + x) - x) / log(2) / x**2, -1 / log(2) / 2), lambda x: abs(x), -THIRD, THIRD, 9),
    "log10": (off_zero(lambda x: (log(1 + x) - x) / log(10) / x**2, -1 / log(10) / 2), lambda x: abs(x), -THIRD, THIRD, 9),
    # In z = x^2: sin(x) = x + x z P(z), cos(x) = 1 - z/2 + z^2 P(z)
    "sin": (off_zero(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, -mpf(1) / 6), lambda z: z, TINY, EIGHTH_TURN**2, 3),
    "cos": (off_zero(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, mpf(1) / 24), lambda z: z**2, TINY, EIGHTH_TURN**2, 3),
    # sin(pi x) = pi x + x z P(z), cos(pi x) = 1 + z P(z)
    "sinpi": (off_zero(lambda z: (sin(pi * sqrt(z)) / sqrt(z) - pi) / z, -pi**3 / 6), lambda z: z, TINY, mpf("0.0625"), 4),
    "cospi": (off_zero(lambda z: (cos(pi * sqrt(z)) - 1) / z, -pi**2 / 2), lambda z: z, TINY, mpf("0.0625"), 4),
    # sinh(x) = x + x z P(z)
    "sinh": (off_zero(lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6), lambda z: z, TINY, 1, 4),
    # asin(x) = x + x z P(z) up to 1/2, atan(x) = x + x z P(z) up to 1
    "asin": (off_zero(lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6), lambda z: z, TINY, mpf("0.2501"), 5),
    "atan": (off_zero(lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, -mpf(1) / 3), lambda z: z, TINY, 1, 9),
    # In double, for pow: log2(1 + x) = x P(x), 2^x = P(x)
    "pow_log2": (off_zero(lambda x: log(1 + x) / log(2) / x, 1 / log(2)), lambda x: abs(x / log(1 + x)) if x else mpf(1), -THIRD, THIRD, 14, to_double),
    # erf(x) = x + x P(z); 1 - erf(x) = 2^P(x) from 1 on; e^(x^2) (1 - erf(x)) (1 + 2 x) = P((x - 4) / (x + 4))
    "erf": (lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: 1, TINY, mpf("1.0001"), 8),
    "erf_large": (lambda x: log(erfc(x)) / log(2), lambda x: erfc(x), 1, mpf("4.01"), 9),
    "erfc": (lambda t: exp(at(t) ** 2) * erfc(at(t)) * (1 + 2 * at(t)), lambda t: 1, -1, mpf("0.45"), 12),
    # The same for double; here log(1 + f) = 2 s + s z P(z) with s = f / (2 + f) and z = s^2.
    "exp_d": (off_zero(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2), lambda x: x**2, -HALF_LN2, HALF_LN2, 11, to_double),
    "expm1_d": (off_zero(lambda x: (exp(x) - 1 - x) / x**2, mpf(1) / 2), lambda x: abs(x), -HALF_LN2, HALF_LN2, 12, to_double),
    "exp2_d": (off_zero(lambda x: (2**x - 1) / x, log(2)), lambda x: abs(x), -mpf("0.5"), mpf("0.5"), 12, to_double),
    "exp10_d": (off_zero(lambda x: (10**x - 1) / x, log(10)), lambda x: abs(x), -LOG10_2 * mpf("0.502"), LOG10_2 * mpf("0.502"), 12, to_double),
    "log_d": (off_zero(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) / sqrt(z) - 2) / z, mpf(2) / 3), lambda z: z, TINY, mpf("0.02945"), 7, to_double),
    # log(1 + f) = 2 s + s z (2/3 + z P(z)), for pow.
    "pow_log_d": (off_zero(lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) / sqrt(z) - 2 - 2 * z / 3) / z**2, mpf(2) / 5), lambda z: z**2, TINY, mpf("0.02945"), 9, to_double),
    "sin_d": (off_zero(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, -mpf(1) / 6), lambda z: z, TINY, EIGHTH_TURN**2, 6, to_double),
    "cos_d": (off_zero(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, mpf(1) / 24), lambda z: z**2, TINY, EIGHTH_TURN**2, 6, to_double),
    "sinpi_d": (lambda z: (sin(pi * sqrt(z)) / sqrt(z) - pi) / z, lambda z: z, TINY, mpf("0.0625"), 7, to_double),
    "cospi_d": (lambda z: (cos(pi * sqrt(z)) - 1) / z, lambda z: z, TINY, mpf("0.0625"), 7, to_double),
    "sinh_d": (off_zero(lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, mpf(1) / 6), lambda z: z, TINY, 1, 8, to_double),
}


def hexadecimal(value):
    return float(value).hex().replace("0000000p", "p")


def main():
    for name in sys.argv[1:] or FITS:
        row = FITS[name]
        coefficients, error = fit(*row)
        print(f"{name}: error 2^{float(error):.1f}")
        print("  " + ", ".join(hexadecimal(c) for c in coefficients))


if __name__ == "__main__":
    main()
