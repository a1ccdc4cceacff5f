# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of bench-scaling, which are the same on every machine, into docs/scaling.md.

Started by scripts/bench.
"""

import argparse
import subprocess
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "scaling.md"
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=Path, required=True, help="directory of the benchmark programs")
    parser.add_argument("--print", action="store_true", help="do not write docs/scaling.md")
    options, _ = parser.parse_known_args()
    tables = subprocess.run([options.bin / "bench-scaling"], capture_output=True, text=True, check=True).stdout
    print(tables)
    if not options.print:
        before, _, rest = DOCUMENT.read_text().partition(BEGIN)
        after = rest.partition(END)[2]
        DOCUMENT.write_text("\n".join([before + BEGIN, "", tables.rstrip(), "", END + after]))


if __name__ == "__main__":
    main()
