# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MOT: minimises Rosenbrock's function of two variables from many places at once, by three methods."""

import numpy
from mot import minimize
from mot.lib.cl_function import SimpleCLFunction
from timing import expect, report

valley = SimpleCLFunction.from_string(
    """
    double valley(local const mot_float_type* const x, void* data, local mot_float_type* objective_list) {
      const double rise = x[1] - x[0] * x[0], rest = 1 - x[0];
      return 100 * rise * rise + rest * rest;
    }"""
)
starts = numpy.random.default_rng(1).uniform(0, 2, (512, 2))
found = {}
for method in ("Powell", "Nelder-Mead", "Subplex"):
    report(method.lower().replace("-", "_"), lambda m=method: found.update({m: minimize(valley, starts, method=m)}))


def height(x):
    return 100 * (x[:, 1] - x[:, 0] ** 2) ** 2 + (1 - x[:, 0]) ** 2


for method, result in found.items():
    expect((height(result["x"]) <= height(starts)).all(), f"{method} went up")
    expect(numpy.median(height(result["x"])) < 0.05, f"{method}: {numpy.median(height(result['x']))} is left")
