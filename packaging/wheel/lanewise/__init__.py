# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lanewise, an OpenCL driver for multicore processors, as a Python package.

PyOpenCL of PyPI, in the same environment, finds the driver by the file pyopencl/.libs/lanewise.icd of this package. For
other programs `python -m lanewise --register` tells the system's OpenCL loader about it.
"""
import importlib.metadata
import os
import pathlib
import sys

__version__ = importlib.metadata.version("lanewise")

#: The folder of an installation: bin, lib and share.
PREFIX = pathlib.Path(__file__).resolve().parent
#: What PyOpenCL's own loader reads; empty while the driver is registered elsewhere.
PYOPENCL_ICD = PREFIX.parent / "pyopencl" / ".libs" / "lanewise.icd"


def icd():
    """The content of PYOPENCL_ICD: the library as seen from the loader, whose folder is $ORIGIN."""
    return f"$ORIGIN/../../{driver().relative_to(PREFIX.parent)}\n"


def driver():
    """The driver's library, for an .icd file or for a program that opens it itself."""
    return next(PREFIX.glob("lib/**/liblanewise.so.*"))


def run(program, arguments):
    """Replaces this process by one of the package's programs."""
    environment = dict(os.environ)
    # lanewise-info asks PyOpenCL's own loader too, which is told by this variable where it is.
    environment.setdefault("PYOPENCL_HOME", str(PREFIX.parent / "pyopencl"))
    path = PREFIX / "bin" / program
    command = [str(path), *arguments]
    if path.suffix == ".py":
        command.insert(0, sys.executable)
    sys.stdout.flush()
    os.execve(command[0], command, environment)


def info():
    run("lanewise-info", sys.argv[1:])


def cc():
    run("lanewise-cc", sys.argv[1:])


def report():
    run("lanewise-report.py", sys.argv[1:])
