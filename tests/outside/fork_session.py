#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A session of PyOpenCL with Python's multiprocessing, whose processes are forked from one that has used this driver:
fork_session.py DRIVER. Every process has a context of its own, and its results are compared with NumPy's.

Skipped (exit code 77) where PyOpenCL is not installed: python3 -m pip install pyopencl
"""
import gc
import multiprocessing
import os
import sys
import tempfile
import threading

import session

SOURCE = "kernel void f(global float* a, int b) { int i = get_global_id(0); a[i] = a[i] * b + i; }"
ITEMS = 10000


class Owner:
    """A context with its queue, a program and a buffer."""

    def __init__(self, cl, numpy, device, factor):
        self.cl, self.numpy, self.factor = cl, numpy, factor
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.program = cl.Program(self.context, SOURCE).build()
        self.kernel = cl.Kernel(self.program, "f")
        self.start = numpy.arange(ITEMS, dtype="f4") / 7
        self.buffer = cl.Buffer(self.context, cl.mem_flags.COPY_HOST_PTR, hostbuf=self.start)

    def run(self):
        """Whether one more launch gives what it should."""
        items = self.numpy.arange(ITEMS, dtype="f4")
        self.kernel(self.queue, (ITEMS,), None, self.buffer, self.numpy.int32(self.factor))
        result = self.numpy.empty_like(self.start)
        self.cl.enqueue_copy(self.queue, result, self.buffer)
        self.start = self.start * self.numpy.float32(self.factor) + items
        return bool(self.numpy.allclose(result, self.start, rtol=1e-5))


OWNER = None  # what forked processes inherit


def use_inherited():
    """Whether what a process has inherited is refused, by an error."""
    for use in (OWNER.queue.finish, OWNER.run, lambda: OWNER.cl.Buffer(OWNER.context, 0, 64)):
        try:
            use()
        except OWNER.cl.Error:
            continue
        return False
    return True


def work(number):
    """In a process of its own, which may do this several times."""
    try:
        own = Owner(OWNER.cl, OWNER.numpy, OWNER.context_device, number % 3 + 2)
        return use_inherited() and own.run() and own.run()
    except OWNER.cl.Error as error:
        return str(error)


def work_and_release(number, results):
    """Also gives back what it has inherited, as the garbage collector does."""
    global OWNER  # pylint: disable=global-statement
    good = work(number)
    OWNER = None
    gc.collect()
    results.put(good)


def all_good(name, results):
    bad = [result for result in results if result is not True]
    print(f"{name}: {'ok' if not bad else 'WRONG ' + str(bad[:3])}", flush=True)
    return not bad


def run(cl, numpy):
    global OWNER  # pylint: disable=global-statement
    device = cl.get_platforms()[0].get_devices()[0]
    if "Lanewise" not in device.platform.name + device.version:
        print("PyOpenCL does not use the driver")
        return 1
    OWNER = Owner(cl, numpy, device, 2)
    OWNER.context_device = device
    good = all_good("the parent", [OWNER.run()])
    forking = multiprocessing.get_context("fork")

    with forking.Pool(2) as pool:
        good &= all_good("a pool", pool.map(work, range(8), chunksize=1))

    results = forking.SimpleQueue()
    for number in range(4):
        process = forking.Process(target=work_and_release, args=(number, results))
        process.start()
        process.join(120)
        good &= all_good(f"process {number}", [process.exitcode == 0 and results.get()])

    stop = threading.Event()

    def keep_busy():
        with numpy.errstate(over="ignore"):
            while not stop.is_set():
                OWNER.run()

    thread = threading.Thread(target=keep_busy)
    thread.start()
    with forking.Pool(2, maxtasksperchild=1) as pool:
        good &= all_good("a pool beside a thread", pool.map(work, range(8), chunksize=1))
    stop.set()
    thread.join()
    good &= all_good("the parent again", [Owner(cl, numpy, device, 3).run()])
    return 0 if good else 1


def run_and_listen(numpy, pyopencl):
    with tempfile.TemporaryFile() as messages:
        os.dup2(messages.fileno(), 2)
        code = run(pyopencl, numpy)
        messages.seek(0)
        # A destructor that fails says so there.
        text = messages.read().decode(errors="replace")
        print(text, end="")
        return code if "clean-up operation failed" not in text else 1


if __name__ == "__main__":
    sys.exit(session.main(run_and_listen, ["numpy", "pyopencl"],
                          {"PYOPENCL_NO_CACHE": "1", "LANEWISE_CACHE_DIR": "{folder}/cache"}))
