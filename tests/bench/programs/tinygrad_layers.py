# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tinygrad: a product of matrices, a convolution, sums, and a softmax."""

import numpy
from timing import expect, report
from tinygrad import Device, Tensor, TinyJit

Tensor.manual_seed(1)
device = Device["CL"]


def timed(name, function, *inputs):
    jit = TinyJit(lambda *values: function(*values).realize())
    for _ in range(3):  # the second call records the kernels, the third runs what was recorded
        jit(*inputs)
    report(name, lambda: jit(*inputs), device.synchronize)


a = Tensor.rand(384, 384).realize()
expect(numpy.allclose((a @ a).numpy(), a.numpy() @ a.numpy(), rtol=1e-3), "product")
timed("product", lambda x: x @ x, a)
image, filters = Tensor.rand(1, 32, 64, 64).realize(), Tensor.rand(32, 32, 3, 3).realize()
timed("convolution", lambda x, w: x.conv2d(w, padding=1).relu(), image, filters)
wide = Tensor.rand(2048, 1024).realize()
timed("sum_rows", lambda x: x.sum(1), wide)
timed("sum_columns", lambda x: x.sum(0), wide)
timed("softmax", lambda x: x.softmax(1), wide)
