# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pyFAI: pictures of a detector integrated over its rings, by sparse matrices and by histograms."""

import warnings

import numpy
from timing import expect, report

warnings.filterwarnings("ignore")

from pyFAI.integrator.azimuthal import AzimuthalIntegrator  # noqa: E402

SHAPE, BINS = (1043, 981), 1000
integrator = AzimuthalIntegrator(dist=0.1, poni1=0.09, poni2=0.08, detector="Pilatus1M", wavelength=1e-10)
rows, columns = numpy.mgrid[: SHAPE[0], : SHAPE[1]]
rings = numpy.hypot(rows - 520.0, columns - 470.0)
picture = (1000 + 500 * numpy.sin(rings / 7)).astype(numpy.float32)

OPTIONS = {"unit": "2th_deg", "correctSolidAngle": False, "polarization_factor": 0.9}


def measure(method, split):
    def integrate(by):
        return integrator.integrate1d(picture, BINS, method=(split, method, by), **OPTIONS)

    found, wanted = integrate("opencl"), integrate("cython")
    report(method, lambda: integrate("opencl"))
    worst = numpy.abs(found.intensity - wanted.intensity).max() / wanted.intensity.max()
    expect(worst < 1e-3, f"{method}, {worst}")


measure("csr", "bbox")
measure("lut", "bbox")
measure("histogram", "no")
