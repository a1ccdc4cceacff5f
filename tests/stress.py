#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repeats the tests of threads, the scheduler, events, queues and forks in random order until a number of seconds has passed:
stress.py FOLDER, where FOLDER has the executables of the tests (bin of a build).

LANEWISE_TEST_STRESS_SECONDS says how long, 300 if it is not set. LANEWISE_TEST_STRESS_SEED repeats the orders of another run; without it
they are new ones. The first failure ends it, with the command that shows it again.
"""
import os
import random
import subprocess
import sys
import time

# executable -> (suites, the most repetitions in a row, seconds after which it hangs). A test of the last one is a process or
# more, whatever their order.
TESTS = {
    "lanewise_unit_tests": (
        "SchedulerTest Priority SpreadPieces Parts FoundNodes Seats EventTest Children ChildrenTest Plan ClosingStack Object"
        " WorkerTest BuildTasks CompilerClientTest CompilerLimitsTest CachedRun CacheStore", 3, 1800),
    "lanewise_api_tests": (
        "EventApi EventGraph QueueApi QueueHints CommandBuffer CommandBufferQueues CommandBufferUpdate DeviceQueues"
        " DeviceEnqueue DeviceEventsOfKernels DeviceFission SubDevice SemaphoreApi ExternalSemaphore Terminate"
        " Spread SpreadRows Tiers StaleHandles GroupOrder Overlap", 3, 1800),
    "lanewise_robustness_tests": (
        "Fork Threads Ways/End EndOfProcess Close Cancel Helper Stopped Ways/SharedSemaphores HostileSemaphore", 1, 3600),
}


class Failure(Exception):
    pass


def filter_of(executable, suites):
    """The filter that selects the suites, each of which exists."""
    names = suites.split()
    listed = subprocess.run([executable, "--gtest_list_tests"], stdout=subprocess.PIPE, text=True, check=True).stdout
    there = {line.split(".")[0] for line in listed.splitlines() if not line.startswith(" ")}
    missing = [name for name in names if name not in there]
    if missing:
        raise Failure(f"{os.path.basename(executable)} has no suite {missing[0]}")
    return "--gtest_filter=" + ":".join(name + ".*" for name in names)


def run(command, seconds):
    """Raises Failure unless it ends well in time."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=seconds, check=False)
        code, text = done.returncode, done.stdout
    except subprocess.TimeoutExpired as hang:
        code, text = "hangs", (hang.stdout or b"").decode(errors="replace")
    if code != 0:
        raise Failure(f"{text[-20000:]}\nFAILED ({code}): {' '.join(command)}")


def rounds(folder, seconds, draw):
    """Yields after each round. A round has each executable once, in random order."""
    chosen = {name: filter_of(os.path.join(folder, name), suites) for name, (suites, _, _) in TESTS.items()}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name in draw.sample(sorted(TESTS), len(TESTS)):
            _, most, limit = TESTS[name]
            run([os.path.join(folder, name), "--gtest_brief=1", "--gtest_fail_fast", "--gtest_shuffle", chosen[name],
                 f"--gtest_repeat={draw.randint(1, most)}", f"--gtest_random_seed={draw.randint(1, 99999)}"], limit)
            if time.monotonic() > end:
                break
        yield


def main():
    seconds = float(os.environ.get("LANEWISE_TEST_STRESS_SECONDS", "300"))
    seed = int(os.environ.get("LANEWISE_TEST_STRESS_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"LANEWISE_TEST_STRESS_SEED={seed}", flush=True)
    start = time.monotonic()
    done = 0
    try:
        for _ in rounds(sys.argv[1], seconds, random.Random(seed)):
            done += 1
            print(f"{done} rounds in {time.monotonic() - start:.0f} seconds", flush=True)
    except Failure as failure:
        print(f"{failure}\nafter {done} rounds")
        return 1
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
