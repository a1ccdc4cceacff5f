#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A session of dpnp, which is numpy on SYCL, with this driver as the device of DPC++'s run-time library: sycl_session.py
DRIVER. Every result is compared with numpy's. Its modules are SPIR-V that DPC++ made.

Skipped (exit code 77) where dpnp is not installed: python3 -m pip install dpctl dpnp dpcpp-cpp-rt numpy
"""
import os
import sys

import session


def steps(numpy):
    """(name, function of the module and its arrays): run on dpnp and on numpy."""
    random = numpy.random.default_rng(1)
    square = random.standard_normal((48, 48)).astype("f4")
    line = random.standard_normal(5000)
    whole = random.integers(-1000, 1000, 3000)
    return [
        ("arange", lambda np, a: np.arange(3, 300, 7)),
        ("linspace", lambda np, a: np.linspace(0, 1, 257)),
        ("eye and full", lambda np, a: np.eye(9) + np.full((9, 9), 2.5)),
        ("arithmetic", lambda np, a: (a(line) * 3 - 1) / (a(line) ** 2 + 1)),
        ("functions", lambda np, a: np.exp(np.sin(a(line))) + np.sqrt(np.abs(a(line)))),
        ("comparison", lambda np, a: np.where(a(whole) > 10, a(whole), -a(whole))),
        ("casts", lambda np, a: a(line).astype("i4").astype("f4")),
        ("sum", lambda np, a: np.sum(a(square), axis=0)),
        ("max of floats", lambda np, a: np.max(a(line))),
        ("argmin", lambda np, a: np.argmin(a(square), axis=1)),
        ("mean and deviation", lambda np, a: np.mean(a(line)) + np.std(a(line))),
        ("cumulative sum", lambda np, a: np.cumsum(a(whole))),
        ("all and any", lambda np, a: np.all(a(whole) > -2000) & np.any(a(whole) == 3)),
        ("sort", lambda np, a: np.sort(a(line))),
        ("order", lambda np, a: np.argsort(a(square), axis=0, kind="stable")),
        ("distinct", lambda np, a: np.unique(a(whole))),
        ("product of matrices", lambda np, a: a(square) @ a(square).T),
        ("dot", lambda np, a: np.dot(a(line), a(line))),
        ("slices", lambda np, a: a(square)[3:40:2, ::-1]),
        ("chosen by a mask", lambda np, a: a(square)[a(square) > 0.5]),
        ("chosen by indices", lambda np, a: a(line)[a(whole) % 5000]),
        ("joined", lambda np, a: np.concatenate([a(square), a(square)], axis=1)),
        ("complex", lambda np, a: np.abs(a(line[:100]) + 1j * a(line[100:200]))),
    ]


def run(dpnp, numpy, dpctl):
    device = dpctl.SyclDevice()
    if device.sycl_platform.name != "Lanewise":
        print("the device is of platform " + device.sycl_platform.name)
        return 1
    wrong = 0
    for name, step in steps(numpy):
        expected = numpy.asarray(step(numpy, numpy.asarray))
        result = dpnp.asnumpy(step(dpnp, dpnp.asarray))
        exact = expected.dtype.kind not in "fc"
        close = result.shape == expected.shape and (
            numpy.array_equal(result, expected) if exact else numpy.allclose(result, expected, rtol=2e-4, atol=2e-4))
        print(f"{name}: {'ok' if close else 'WRONG'}", flush=True)
        wrong += not close
    return 1 if wrong else 0


if __name__ == "__main__":
    # The libraries of the wheels lie in lib of the environment.
    LIBRARIES = os.path.join(sys.prefix, "lib") + os.pathsep + os.environ.get("LD_LIBRARY_PATH", "")
    sys.exit(session.main(run, ["dpnp", "numpy", "dpctl"],
                          {"ONEAPI_DEVICE_SELECTOR": "opencl:cpu", "LD_LIBRARY_PATH": LIBRARIES}))
