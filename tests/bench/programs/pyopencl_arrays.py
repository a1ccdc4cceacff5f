# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pyopencl: arithmetic on arrays, sums, prefix sums, random numbers and sorting."""

import numpy
import pyopencl
import pyopencl.algorithm
import pyopencl.array
import pyopencl.clmath
import pyopencl.clrandom
from pyopencl.scan import GenericScanKernel
from timing import expect, report

SIZE = 1 << 22
context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices())
queue = pyopencl.CommandQueue(context)
generator = numpy.random.default_rng(1)
host = generator.random(SIZE, dtype=numpy.float32)
a = pyopencl.array.to_device(queue, host)
b = pyopencl.array.to_device(queue, host[::-1].copy())
keys = pyopencl.array.to_device(queue, generator.integers(0, 1 << 24, 1 << 18, dtype=numpy.uint32))

expect(abs(pyopencl.array.sum(a).get() / host.sum(dtype=numpy.float64) - 1) < 1e-4, "sum")
report("arithmetic", lambda: 2 * a + b * b - 1, queue.finish)
report("functions", lambda: pyopencl.clmath.exp(pyopencl.clmath.sin(a)), queue.finish)
report("dot", lambda: pyopencl.array.dot(a, b).get())

scan = GenericScanKernel(
    context,
    numpy.int32,
    "int* x, int* y",
    input_expr="x[i]",
    scan_expr="a+b",
    neutral="0",
    output_statement="y[i] = item;",
)
ones = pyopencl.array.zeros(queue, SIZE, numpy.int32) + 1
sums = pyopencl.array.empty_like(ones)
report("scan", lambda: scan(ones, sums), queue.finish)
expect(sums[-1].get() == SIZE, "prefix sum")

random = pyopencl.clrandom.PhiloxGenerator(context)
report("random", lambda: random.fill_normal(a, queue=queue), queue.finish)

sort = pyopencl.algorithm.RadixSort(context, "unsigned* keys", "keys[i]", ["keys"], key_dtype=numpy.uint32)
report("sort", lambda: sort(keys, queue=queue), queue.finish)
expect((numpy.diff(sort(keys, queue=queue)[0][0].get().astype(numpy.int64)) >= 0).all(), "sort")
