#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A cluster of Dask on this machine whose workers use PyOpenCL: dask_session.py DRIVER. The workers are spawned, and
forked from a process that has used the driver.

Skipped (exit code 77) where a package is not installed: python3 -m pip install distributed pyopencl
"""
import os
import sys

import session

SOURCE = "kernel void f(global int* a, int b) { int i = get_global_id(0); a[i] = a[i] * b + i; }"
TASKS = 32


def work(factor, binary):
    """One task: whether its result is right, the number of compute units, and the worker."""
    # pylint: disable=import-outside-toplevel,global-statement,global-variable-undefined
    import numpy
    import pyopencl as cl
    global CONTEXT  # of the worker
    if "CONTEXT" not in globals():
        CONTEXT = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    device = CONTEXT.devices[0]
    queue = cl.CommandQueue(CONTEXT)
    program = cl.Program(CONTEXT, [device], [binary]) if binary else cl.Program(CONTEXT, SOURCE)
    start = numpy.arange(1000, dtype="i4")
    buffer = cl.Buffer(CONTEXT, cl.mem_flags.COPY_HOST_PTR, hostbuf=start)
    cl.Kernel(program.build(), "f")(queue, start.shape, None, buffer, numpy.int32(factor))
    result = numpy.empty_like(start)
    cl.enqueue_copy(queue, result, buffer)
    return bool((result == start * factor + start).all()), device.max_compute_units, os.getpid()


def run_cluster(dask, distributed, method, binary, expected):
    """Whether all tasks are right, on devices with the expected number of compute units."""
    dask.config.set({"distributed.worker.multiprocessing-method": method,
                     "distributed.nanny.pre-spawn-environ.LANEWISE_THREADS": "1"})
    with distributed.LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            results = client.gather([client.submit(work, factor, binary) for factor in range(TASKS)])
    right, units, workers = ([result[i] for result in results] for i in range(3))
    good = all(right) and set(units) == {expected}
    print(f"{method}: {sum(right)} of {TASKS} right, {set(units)} units, {len(set(workers))} workers", flush=True)
    return good


def run(_numpy, cl, dask, distributed):
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    if "Lanewise" not in context.devices[0].version:
        print("PyOpenCL does not use the driver")
        return 1
    binary = cl.Program(context, SOURCE).build().get_info(cl.program_info.BINARIES)[0]
    good = run_cluster(dask, distributed, "spawn", binary, 1)
    # A forked worker has the device of its parent: there the variable comes too late.
    good &= run_cluster(dask, distributed, "fork", None, context.devices[0].max_compute_units)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(session.main(run, ["numpy", "pyopencl", "dask", "distributed"],
                          {"PYOPENCL_NO_CACHE": "1", "LANEWISE_CACHE_DIR": "{folder}/cache"}))
