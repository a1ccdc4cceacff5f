#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks of an MPI program that use PyOpenCL: mpi_session.py DRIVER MPIRUN. Two and eight ranks start with an empty cache
and with a full one, and exchange messages that begin and end in memory of kernels.

Skipped (exit code 77) where a package is not installed (Debian: openmpi-bin python3-mpi4py), or where `mpirun` and mpi4py
are of different MPIs.
"""
import os
import subprocess
import sys

import session

ITEMS = 1 << 16
SOURCE = """
kernel void fill(global int* a, int rank) { int i = get_global_id(0); a[i] = i * 3 + rank; }
kernel void add(global int* a, global const int* b) { int i = get_global_id(0); a[i] += b[i]; }
"""
ENTRIES = 3  # of the cache: the program, and the code of each kernel
# Several ranks on each processor, as any user, with either MPI; and a user may be root in a container.
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}


def exchange(cl, numpy, queue, program, comm, mine, theirs, mapped):
    """Fills `mine`, sends it to the next rank, and adds what comes from the one before. Whether the sum is right.
    @param mapped  gives the memory of a buffer as an array, which the host may use until its `base` is released"""
    fill, add = cl.Kernel(program, "fill"), cl.Kernel(program, "add")
    fill(queue, (ITEMS,), None, mine, numpy.int32(comm.rank))
    queue.finish()
    before = (comm.rank - 1) % comm.size
    with mapped(mine) as send, mapped(theirs) as receive:
        comm.Sendrecv(send, (comm.rank + 1) % comm.size, 0, receive, before)
    add(queue, (ITEMS,), None, mine, theirs)
    queue.finish()
    with mapped(mine) as result:
        return bool((result == numpy.arange(ITEMS) * 6 + comm.rank + before).all())


class Mapped:
    """A buffer that is mapped as long as the block of `with` lasts."""

    def __init__(self, cl, queue, buffer):
        flags = cl.map_flags.READ | cl.map_flags.WRITE
        self.queue = queue
        self.array, _ = cl.enqueue_map_buffer(queue, buffer, flags, 0, (ITEMS,), "i4")

    def __enter__(self):
        return self.array

    def __exit__(self, *_):
        self.array.base.release(self.queue)
        self.queue.finish()


class Shared:
    """Fine-grain SVM, which needs no mapping."""

    def __init__(self, svm):
        self.svm = svm

    def __enter__(self):
        return self.svm.mem

    def __exit__(self, *_):
        pass


def rank_main(cl, numpy):
    from mpi4py import MPI  # pylint: disable=import-outside-toplevel
    comm = MPI.COMM_WORLD
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    comm.Barrier()
    program = cl.Program(context, SOURCE).build()
    buffers = [cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * ITEMS) for _ in range(2)]
    good = exchange(cl, numpy, queue, program, comm, *buffers, lambda buffer: Mapped(cl, queue, buffer))
    arrays = [cl.SVM(cl.fsvm_empty(context, (ITEMS,), "i4")) for _ in range(2)]
    good &= exchange(cl, numpy, queue, program, comm, *arrays, Shared)
    # A window that ranks share is the memory of a buffer of each of them.
    window = MPI.Win.Allocate_shared(4 * ITEMS if comm.rank == 0 else 0, 4, comm=comm)
    memory = numpy.ndarray((ITEMS,), "i4", window.Shared_query(0)[0])
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR, hostbuf=memory)
    for turn in range(comm.size):
        if turn == comm.rank:
            if turn == 0:
                cl.Kernel(program, "fill")(queue, (ITEMS,), None, buffer, numpy.int32(7))
            else:
                cl.Kernel(program, "add")(queue, (ITEMS,), None, buffer, buffers[0])
            queue.finish()
        comm.Barrier()
    expected = numpy.arange(ITEMS) * (6 * comm.size - 3) + 7 + (comm.size - 1) ** 2
    good &= bool((memory == expected).all())
    all_good = comm.gather(good)
    if comm.rank == 0:
        print(f"{comm.size} ranks: {'right' if all(all_good) else 'WRONG'}", flush=True)


def run_ranks(count, text):
    """Whether so many ranks are right; and how many entries they stored and found."""
    command = [sys.argv[2], "-n", str(count), sys.executable, os.path.abspath(__file__), *sys.argv[1:]]
    done = subprocess.run(command, env={**os.environ, "LANEWISE_TEST_RANK": "1"}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    kept, hits = done.stdout.count("cache: kept "), done.stdout.count("cache: hit ")
    good = done.returncode == 0 and f"{count} ranks: right" in done.stdout
    if not good and "1 ranks: " in done.stdout:
        print("skipped: mpirun and mpi4py are of different MPIs")
        sys.exit(session.SKIPPED)
    print(f"{count} ranks, {text}: {'right' if good else 'WRONG'}, {kept} stored, {hits} found", flush=True)
    if not good:
        print(done.stdout[-4000:])
    return good, kept, hits


def run(numpy, cl, _mpi):
    if "LANEWISE_TEST_RANK" in os.environ:
        rank_main(cl, numpy)
        return 0
    good = True
    for count in (2, 8):
        os.environ["LANEWISE_CACHE_DIR"] = os.path.join(os.environ["LANEWISE_TEST_FOLDER"], f"cache{count}")
        right, kept, _ = run_ranks(count, "cold")
        # On a machine that stands still for seconds, a second rank may compile too.
        good &= right and ENTRIES <= kept <= 2 * ENTRIES
        right, kept, hits = run_ranks(count, "warm")
        good &= right and kept == 0 and hits == count * ENTRIES
    return 0 if good else 1


if __name__ == "__main__":
    if len(sys.argv) < 3 or not os.access(sys.argv[2], os.X_OK):
        print("skipped: no mpirun")
        sys.exit(session.SKIPPED)
    sys.exit(session.main(run, ["numpy", "pyopencl", "mpi4py"],
                          {"PYOPENCL_NO_CACHE": "1", "LANEWISE_TEST_FOLDER": "{folder}", "LANEWISE_DEBUG": "cache",
                           "LANEWISE_TIER": "1", **OPEN_MPI}))
