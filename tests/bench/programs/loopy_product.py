# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""loopy: a product of matrices in work-groups of 16 x 16, and a sum over pairs."""

import loopy
import numpy
import pyopencl
import pyopencl.array
from timing import expect, report

loopy.set_caching_enabled(False)
context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices())
queue = pyopencl.CommandQueue(context)
generator = numpy.random.default_rng(1)

SIZE = 512
product = loopy.make_kernel(
    "{[i, j, k]: 0 <= i, j, k < 512}", "c[i, j] = sum(k, a[i, k] * b[k, j])", lang_version=(2018, 2)
)
product = loopy.add_and_infer_dtypes(product, {"a": numpy.float32, "b": numpy.float32})
product = loopy.split_iname(product, "i", 16, outer_tag="g.1", inner_tag="l.1")
product = loopy.split_iname(product, "j", 16, outer_tag="g.0", inner_tag="l.0")
product = loopy.split_iname(product, "k", 16)
a = pyopencl.array.to_device(queue, generator.random((SIZE, SIZE), dtype=numpy.float32))
run = product.executor(context)
_, (c,) = run(queue, a=a, b=a)
expect(numpy.allclose(c.get(), a.get() @ a.get(), rtol=1e-3), "product")
report("product", lambda: run(queue, a=a, b=a, c=c), queue.finish)

pairs = loopy.make_kernel(
    "{[i, j]: 0 <= i, j < 4096}",
    "f[i] = sum(j, (x[j] - x[i]) / ((x[j] - x[i])**2 + 0.01f))",
    lang_version=(2018, 2),
)
pairs = loopy.add_and_infer_dtypes(pairs, {"x": numpy.float32})
pairs = loopy.split_iname(pairs, "i", 64, outer_tag="g.0", inner_tag="l.0")
x = pyopencl.array.to_device(queue, generator.random(4096, dtype=numpy.float32))
force = pairs.executor(context)
_, (f,) = force(queue, x=x)
report("pairs", lambda: force(queue, x=x, f=f), queue.finish)
