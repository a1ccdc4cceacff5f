# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sasmodels: small-angle scattering of particles of three shapes; each shape is a kernel of its own, compiled from C."""

import numpy
from sasmodels.core import load_model
from sasmodels.direct_model import call_kernel
from timing import expect, report

q = numpy.logspace(-3, -1, 200)
SHAPES = {
    "core_shell_ellipsoid": {"radius_equat_core": 20.0, "x_core": 3.0, "radius_equat_core_pd": 0.1},
    "cylinder": {"radius": 20.0, "length": 400.0},
    "parallelepiped": {"length_a": 35.0, "length_b": 75.0, "length_c": 400.0},
}
kernels = {}


def compute(shape):
    if shape not in kernels:
        kernels[shape] = load_model(shape, dtype="single", platform="ocl").make_kernel([q])
    return call_kernel(kernels[shape], SHAPES[shape])


for shape in SHAPES:
    report(shape, lambda shape=shape: compute(shape))
for shape, parameters in SHAPES.items():
    plain = load_model(shape, dtype="double", platform="dll").make_kernel([q])
    expect(numpy.allclose(compute(shape), call_kernel(plain, parameters), rtol=1e-3), shape)
