#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes convert_<type><width>[_sat][_rte|_rtz|_rtp|_rtn] for all pairs of types (OpenCL C 6.4.3).

usage: convert.py OUTPUT.cl

Integers to integers wrap or saturate. Floats to integers round first and are then cast, bounded before where the name
says so; what a cast out of range means elsewhere is decided by the shard tool (any fixed value). Integers to floats
and double to float round to nearest in hardware; the directed modes come from convert/directed.cl. Integers to half go
through float: it holds every integer that is not too large for half, and the others stay too large.
"""
import sys

INTEGERS = {"char": (8, True), "uchar": (8, False), "short": (16, True), "ushort": (16, False),
            "int": (32, True), "uint": (32, False), "long": (64, True), "ulong": (64, False)}
FLOATS = {"half": 11, "float": 24, "double": 53}  # bits of precision
WIDTHS = ["", "2", "3", "4", "8", "16"]
MODES = ["", "_rte", "_rtz", "_rtp", "_rtn"]
ROUND = {"": "{x}", "_rtz": "{x}", "_rte": "__builtin_elementwise_roundeven({x})",
         "_rtp": "__builtin_elementwise_ceil({x})", "_rtn": "__builtin_elementwise_floor({x})"}


def limits(name):
    bits, signed = INTEGERS[name]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


def literal(value):
    """A constant of sufficient type; the least long has no literal of its own."""
    if value == -(1 << 63):
        return "LONG_MIN"
    return f"{value}UL" if value > (1 << 63) - 1 else f"{value}L"


def cast(expression, target, width):
    return f"__builtin_convertvector({expression}, {target}{width})" if width else f"({target})({expression})"


def integer_to_integer(source, target, width, sat):
    x = "x"
    if sat:
        (s_low, s_high), (d_low, d_high) = limits(source), limits(target)
        if d_high < s_high:
            x = f"__builtin_elementwise_min({x}, ({source}{width}){literal(d_high)})"
        if d_low > s_low:
            x = f"__builtin_elementwise_max({x}, ({source}{width}){literal(d_low)})"
    return cast(x, target, width)


def saturated(x, source, target, width):
    """Comparisons and selections only, each one instruction of a vector unit: LLVM's own saturating casts are not."""
    (low, high), (bits, signed) = limits(target), INTEGERS[target]
    f = f"({source}{width})"
    # A NaN compares false: it becomes the lower bound, which must be 0.
    number = f"({x} == {x} ? {x} : {f}0)" if signed else x
    if bits - signed <= FLOATS[source]:
        value = f"lw_above({number}, {f}{low}.0)"
        value = f"lw_below({value}, {f}{high}.0)"
        return cast(cast(value, "int", width), target, width) if bits < 32 else cast(value, target, width)
    # The largest value is no float: numbers below 2^(bits) are cast, and all others become the largest value.
    beyond = 1 << (bits - signed)
    last = beyond - (1 << (bits - signed - FLOATS[source]))
    value = f"lw_below(lw_above({number}, {f}{float(low).hex()}), {f}{float(last).hex()})"
    return f"{x} >= {f}{float(beyond).hex()} ? ({target}{width}){literal(high)} : {cast(value, target, width)}"


def components(function, target, width, x="x"):
    """Component by component through a scalar function."""
    if not width:
        return f"{function}({x})"
    return f"({target}{width})(" + ", ".join(f"{function}({x}.s{i:x})" for i in range(int(width))) + ")"


def body(source, target, width, mode, sat):
    if source in INTEGERS and target in INTEGERS:
        return integer_to_integer(source, target, width, sat)
    if source in FLOATS and target in INTEGERS:
        x = "x"
        if source == "half":
            x, source = cast(x, "float", width), "float"
        x = ROUND[mode].format(x=x)
        if not sat:
            return cast(x, target, width)
        if source == "float" and INTEGERS[target][0] == 64:  # exact, and its comparisons are as wide as the result
            x, source = cast(x, "double", width), "double"
        return f"const {source}{width} r = {x}; return {saturated('r', source, target, width)}"
    if target == "half":
        if source == "half":
            return "x"
        nearest = mode in ("", "_rte")
        if source in INTEGERS:
            x = cast("x", "float", width)
            return cast(x, "half", width) if nearest else components(f"__lw_float_to_half{mode}", "half", width, x)
        return cast("x", "half", width) if nearest else components(f"__lw_{source}_to_half{mode}", "half", width)
    if source in INTEGERS:
        bits, signed = INTEGERS[source]
        exact = bits - signed <= FLOATS[target]
        if exact or mode in ("", "_rte"):
            return cast("x", target, width)
        return components(f"__lw_{source}_to_{target}{mode}", target, width)
    if source == "double" and target == "float" and mode not in ("", "_rte"):
        return components(f"__lw_double_to_float{mode}", target, width)
    return cast("x", target, width)


def main():
    out = ["// Generated by kernels-builtin/generate/convert.py.", '#include "define.h"',
           "#define lw_above(x, bound) ((x) > (bound) ? (x) : (bound))",
           "#define lw_below(x, bound) ((x) < (bound) ? (x) : (bound))"]
    for source, target in [(s, t) for s in ("int", "uint", "long", "ulong") for t in ("float", "double")] + [
            ("double", "float"), ("float", "half"), ("double", "half")]:
        out += [f"{target} __lw_{source}_to_{target}{mode}({source});" for mode in MODES[2:]]
    for target in [*INTEGERS, *FLOATS]:
        for source in [*INTEGERS, *FLOATS]:
            for width in WIDTHS:
                for sat in ([False, True] if target in INTEGERS else [False]):
                    for mode in MODES:
                        name = f"convert_{target}{width}{'_sat' if sat else ''}{mode}"
                        text = body(source, target, width, mode, sat)
                        text = text if text.startswith("const ") else "return " + text
                        out.append(f"LW {target}{width} {name}({source}{width} x) {{ {text}; }}")
    with open(sys.argv[1], "w", encoding="ascii") as f:
        f.write("\n".join(out) + "\n")


main()
