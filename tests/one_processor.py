#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""one_processor.py PROGRAM [ARGUMENT]...: runs a program on one of the processors that this process may use.

For programs of AArch64 under an emulator on x86-64: QEMU 7.2 makes of a store-release and a load-acquire after it a plain store and
a plain load, which an x86 processor may exchange, as AArch64 may not. What one thread writes and then looks at, and another in the
other order, is lost rarely, and with it a wake-up of a thread. On one processor nothing is exchanged.

Programs that run at once take different processors while there are enough: each holds a lock until it ends.
"""
import fcntl
import os
import random
import sys
import tempfile


def chosen(processors):
    folder = os.path.join(tempfile.gettempdir(), f"lanewise-one-processor-{os.getuid()}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    for processor in processors:
        lock = os.open(os.path.join(folder, str(processor)), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        os.set_inheritable(lock, True)
        return processor
    return random.choice(processors)


def main():
    processors = sorted(os.sched_getaffinity(0))
    if len(processors) > 1:
        os.sched_setaffinity(0, {chosen(processors)})
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
