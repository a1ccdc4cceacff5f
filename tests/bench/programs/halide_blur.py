# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Halide: a blur of two passes, whose kernels Halide writes and hands over as OpenCL C."""

import halide as hl
import numpy
from timing import expect, report

WIDTH, HEIGHT = 1536, 1024
target = hl.get_jit_target_from_environment().with_feature(hl.TargetFeature.OpenCL)
x, y, xi, yi = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Var("yi")
picture = numpy.random.default_rng(1).integers(0, 65536, (HEIGHT, WIDTH), dtype=numpy.uint16)


def blurred():
    source = hl.Buffer(picture)
    edge = hl.BoundaryConditions.repeat_edge(source)
    rows, columns = hl.Func("rows"), hl.Func("columns")
    value = lambda i, j: hl.cast(hl.UInt(32), edge[i, j])
    rows[x, y] = (value(x - 1, y) + value(x, y) + value(x + 1, y)) // 3
    columns[x, y] = hl.cast(hl.UInt(16), (rows[x, y - 1] + rows[x, y] + rows[x, y + 1]) // 3)
    columns.gpu_tile(x, y, xi, yi, 32, 8)
    rows.compute_at(columns, x).gpu_threads(x, y)
    columns.compile_jit(target)
    return columns


pipelines = {}
result = {}


def blur():
    if "blur" not in pipelines:
        pipelines["blur"] = blurred()
    result["blur"] = pipelines["blur"].realize([WIDTH, HEIGHT], target)
    result["blur"].copy_to_host()


report("blur", blur)
padded = numpy.pad(picture.astype(numpy.uint32), 1, mode="edge")
rows = (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) // 3
expect((numpy.array(result["blur"]) == (rows[:-2] + rows[1:-1] + rows[2:]) // 3).all(), "blur")
