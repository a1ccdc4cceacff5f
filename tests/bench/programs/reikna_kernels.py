# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""reikna: Fourier transform, product of matrices, sum over an axis, random numbers."""

import numpy
from reikna import cluda
from reikna.algorithms import Reduce, predicate_sum
from reikna.cbrng import CBRNG
from reikna.fft import FFT
from reikna.linalg import MatrixMul
from timing import expect, report

api = cluda.ocl_api()
thread = api.Thread(api.get_platforms()[0].get_devices()[0])
generator = numpy.random.default_rng(1)

host = (generator.random((16, 1 << 14)) + 1j * generator.random((16, 1 << 14))).astype(numpy.complex64)
data = thread.to_device(host)
fft = FFT(data, axes=(1,)).compile(thread)
report("fft", lambda: fft(data, data), thread.synchronize)
data = thread.to_device(host)
fft(data, data)
expect(numpy.allclose(data.get(), numpy.fft.fft(host), rtol=1e-2, atol=1e-1), "Fourier transform")

a = generator.random((384, 384), dtype=numpy.float32)
x = thread.to_device(a)
out = thread.empty_like(x)
product = MatrixMul(x, x, out_arr=out).compile(thread)
report("product", lambda: product(out, x, x), thread.synchronize)
expect(numpy.allclose(out.get(), a @ a, rtol=1e-3), "product")

rows = generator.random((2048, 1024), dtype=numpy.float32)
tall = thread.to_device(rows)
reduce = Reduce(tall, predicate_sum(numpy.float32), axes=(0,))
total = thread.array(reduce.parameter.output.shape, numpy.float32)
compiled = reduce.compile(thread)
report("sum", lambda: compiled(total, tall), thread.synchronize)
expect(numpy.allclose(total.get().ravel(), rows.sum(0), rtol=1e-3), "sum")

numbers = thread.array((1 << 20,), numpy.float32)
rng = CBRNG.normal_bm(numbers, 1)
compiled_rng = rng.compile(thread)
counters = thread.to_device(rng.create_counters())
report("random", lambda: compiled_rng(counters, numbers), thread.synchronize)
