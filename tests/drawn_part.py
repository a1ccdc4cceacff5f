#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""drawn_part.py PARTS PROGRAM [ARGUMENT]...: runs one of PARTS parts of the cases of a GoogleTest program.

The part is drawn at each run, so that a few runs see all cases; `scripts/test --all` runs all of them at once.
LANEWISE_TEST_SEED, which is printed, draws the same part again.
"""
import os
import random
import sys


def main():
    parts, command = int(sys.argv[1]), sys.argv[2:]
    seed = int(os.environ.get("LANEWISE_TEST_SEED") or random.SystemRandom().randrange(1 << 32))
    # The entries of a run share the seed and differ in arguments or environment: each draws for itself.
    ours = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("LANEWISE_") and k != "LANEWISE_TEST_SEED")
    part = random.Random(repr([seed, command[1:], ours])).randrange(parts)
    print(f"LANEWISE_TEST_SEED={seed} draws part {part + 1} of {parts}", flush=True)
    os.environ.update(GTEST_TOTAL_SHARDS=str(parts), GTEST_SHARD_INDEX=str(part))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
