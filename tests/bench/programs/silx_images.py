# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""silx: median filter, convolution and tomographic back-projection."""

import numpy
import pyopencl
from silx.opencl.backprojection import Backprojection
from silx.opencl.convolution import Convolution
from silx.opencl.medfilt import MedianFilter2D
from silx.opencl.statistics import Statistics
from timing import expect, report

context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices())
generator = numpy.random.default_rng(1)
image = generator.random((512, 512), dtype=numpy.float32)

median = MedianFilter2D(image.shape, (3, 3), ctx=context)
report("median", lambda: median(image))
kernel = numpy.outer(*[numpy.hanning(9).astype(numpy.float32)] * 2)
convolution = Convolution(image.shape, kernel.astype(numpy.float32), ctx=context)
report("convolution", lambda: convolution(image))
sinogram = generator.random((180, 256), dtype=numpy.float32)
back = Backprojection(sinogram.shape, ctx=context)
report("back_projection", lambda: back.filtered_backprojection(sinogram))
statistics = Statistics(image.size, template=image, ctx=context)
expect(abs(statistics.process(image).mean / image.mean() - 1) < 1e-3, "mean")
report("statistics", lambda: statistics.process(image))
