# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""valgrind on an application that runs kernels, without any option of ours: valgrind_test.py APPLICATION."""
import sys

from tool import Workplace, expect, expect_none, line_of, need

FAULTS = 99


def valgrind(place, expected, *command):
    # Leaks are not tested here: the process ends with threads that still run.
    return place.run(["valgrind", "--error-exitcode=" + str(FAULTS), "--leak-check=no", *command], expected=expected)


def main():
    need("valgrind")
    place = Workplace(sys.argv[1])
    for options in ("", "-g", "-g -cl-opt-disable"):
        output = valgrind(place, 0, *place.command(options, "reverse"))
        expect(output, r"^ 91 84 77 70 119 112 105 98$")
        expect(output, r"ERROR SUMMARY: 0 errors")
        expect_none(output, "unrecognised instruction")
    output = valgrind(place, FAULTS, *place.command("-g -cl-opt-disable", "overrun", 8))
    expect(output, "Invalid write of size 4", rf"overrun.*\(program\.cl:{line_of('out of bounds')}\)",
           r"0 bytes after a block of size 32 alloc'd")


if __name__ == "__main__":
    main()
