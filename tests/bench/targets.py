# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Targets of the kernel suite: shares of the machine's limits, rates, ratios to other drivers. suite.py prints them."""

# (what, kernels of which the best counts, limit of the machine or None, least: share of the limit, else giga a second)
RATES = (
    ("fused multiply-add, float", ("compute/fma_float", "compute/fma_float4", "compute/fma_float16"), "float", 0.9),
    ("fused multiply-add, double", ("compute/fma_double", "compute/fma_double4"), "double", 0.9),
    ("streaming, copy", ("memory/copy",), "bandwidth", 0.95),
    ("streaming, triad", ("memory/triad",), "bandwidth", 0.95),
    ("streaming, triad in double", ("memory/triad_double",), "bandwidth", 0.95),
    ("matrix product, naive, 1024 x 1024, float", ("workgroup/matmul_naive",), None, 80.0),
)
# (driver, category or "all", least geometric mean of the ratios)
MEANS = (("PoCL", "all", 3.0), ("Intel", "all", 1.5)) + tuple(
    ("Intel", category, 1.0) for category in ("memory", "compute", "control", "workgroup", "launch")
)

KERNELS = tuple(kernel for _, kernels, _, _ in RATES for kernel in kernels)
UNITS = {"bandwidth": "GB/s", "float": "GFLOP/s", "double": "GFLOP/s"}


def line(what, least, measured, met):
    return f"| {what} | {least} | {measured} | {'yes' if met else '**no**'} |"


def rate_lines(results, machine):
    """`results`: of Lanewise, by kernel; `machine`: limits a second."""
    lines = []
    for what, kernels, limit, least in RATES:
        rates = [
            (results[k].work / results[k].time() * 1e-9, k.partition("/")[2])
            for k in kernels
            if k in results and results[k].time()
        ]
        if not rates:
            continue
        best, kernel = max(rates)
        if limit:
            most = machine[limit] * 1e-9
            wanted = f"{least:.2f} of {most:.4g} {UNITS[limit]}"
            lines.append(line(what, wanted, f"{best / most:.2f} ({best:.4g}, {kernel})", best / most >= least))
        else:
            lines.append(line(what, f"{least:g} GFLOP/s", f"{best:.4g} ({kernel})", best >= least))
    return lines


def mean_lines(mean_of):
    """`mean_of(driver, category)`: geometric mean of the ratios, or None."""
    lines = []
    for driver, category, least in MEANS:
        mean = mean_of(driver, category)
        if mean is not None:
            what = f"{driver} / Lanewise, geometric mean, {category}"
            lines.append(line(what, f"{least:.1f}", f"{mean:.2f}", mean >= least))
    return lines


def table(rates, means):
    lines = rates + means
    return ["| target | at least | measured | met |", "|---|---:|---:|---|"] + lines + [""] if lines else []
