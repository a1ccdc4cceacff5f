# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf on an application that runs kernels: perf_test.py APPLICATION. The report is made after the application has
ended, as users do."""
import os
import re
import sys

from tool import Workplace, expect, line_of, need, skip

ROUNDS = 1000000


def record(place, options):
    data = os.path.join(place.path, "perf.data")
    # A software event, because many virtual machines have no hardware counters.
    command = ["perf", "record", "-q", "-e", "cpu-clock", "-g", "-o", data, "--", *place.command(options, "burn", ROUNDS)]
    output = place.run(command, expected=None)
    if not os.path.exists(data) or re.search(r"Permission|not permitted|perf_event_paranoid|No permission", output):
        skip("perf may not record here: " + " ".join(output.split())[:200])
    expect(output, "^ 1$")
    return data


def main():
    need("perf")
    place = Workplace(sys.argv[1])
    for options in ("-g", ""):
        data = record(place, options)
        report = place.run(["perf", "report", "-i", data, "--stdio", "--no-children", "-g", "none", "--percent-limit",
                            "5", "--sort", "dso,symbol"])
        expect(report, r"[0-9a-f]{32}\.so.*burn")
        if options:
            script = place.run(["perf", "script", "-i", data, "-F", "ip,sym,srcline", "--max-stack", "4"])
            expect(script, rf"burn[\s\S]{{0,80}}program\.cl:{line_of('hot line')}\b")


if __name__ == "__main__":
    main()
