# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""VkFFT by pyvkfft: transforms of a power of two, of small factors, of prime lengths (Rader, Bluestein), in two
dimensions and of reals."""

import numpy
import pyopencl as cl
import pyopencl.array as cla
from pyvkfft.opencl import VkFFTApp
from timing import expect, report

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
generator = numpy.random.default_rng(1)

for name, shape, dimensions in (
    ("two", (32, 1 << 13), 1),
    ("small_factors", (32, 3**4 * 5**2 * 7), 1),
    ("rader", (32, 4051), 1),
    ("bluestein", (32, 4079), 1),
    ("plane", (512, 512), 2),
):
    host = (generator.random(shape) + 1j * generator.random(shape)).astype(numpy.complex64)
    data = cla.to_device(queue, host)
    out = cla.empty_like(data)
    app = VkFFTApp(shape, numpy.complex64, queue, ndim=dimensions, inplace=False)
    report(name, lambda: app.fft(data, out), queue.finish)
    axes = tuple(range(2 - dimensions, 2))
    want = numpy.fft.fftn(host, axes=axes)
    expect(numpy.abs(out.get() - want).max() < 1e-4 * numpy.abs(want).max(), name)

real = generator.random((32, 1 << 14), dtype=numpy.float32)
data = cla.to_device(queue, real)
out = cla.empty(queue, (32, (1 << 13) + 1), numpy.complex64)
app = VkFFTApp(real.shape, numpy.float32, queue, ndim=1, inplace=False, r2c=True)
report("reals", lambda: app.fft(data, out), queue.finish)
want = numpy.fft.rfft(real, axis=1)
expect(numpy.abs(out.get() - want).max() < 1e-4 * numpy.abs(want).max(), "reals")
