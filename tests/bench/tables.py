# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where scripts/bench writes what it has measured: docs/performance has a file for each topic and machine."""

import os
import platform
import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "performance"
HEAD = "<!-- Written by scripts/bench; do not edit. docs/performance/README.md tells what is measured. -->\n\n"
# The beginning of a file's name, and its title.
TOPICS = {
    "host": "Start, launches, transfers and builds",
    "image-builds": "Builds of kernels on images beside the same on buffers",
    "recorded": "Recorded commands, kernels that enqueue kernels, pipes",
    "suite": "The kernel suite",
    "suite-avx2": "The kernel suite, limited to AVX2",
    "families": "Kernels in forms that are meant for GPUs",
    "families-avx2": "Kernels in forms that are meant for GPUs, limited to AVX2",
    "spread": "Few, expensive work-items",
    "programs": "Real programs",
    "own": "Programs beside their own code for CPUs",
    "math": "Math functions",
    "first": "First results of drawn programs",
}


def processor():
    """The model as /proc/cpuinfo has it, and the number of processors that this process may use."""
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return model, len(os.sched_getaffinity(0))


def machine():
    model, processors = processor()
    return f"{model}, {processors} logical processors, Linux {platform.release().split('-')[0]}"


def file_of(topic, model, processors):
    """docs/performance/suite-intel-xeon-2.md: the suite on a machine of two "Intel(R) Xeon(R) Processor"."""
    words = re.sub(r"\(R\)|\(TM\)|\bProcessor\b|\bCPU\b|@.*", " ", model)
    name = "-".join(re.findall(r"[a-z0-9]+", words.lower()))
    return FOLDER / f"{topic}-{name}-{processors}.md"


def write(topic, lines):
    """Replaces this machine's file of a topic."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = file_of(topic, *processor())
    path.write_text("\n".join([f"{HEAD}# {TOPICS[topic]}", "", *lines]).rstrip() + "\n")
    print(f"written: {path}")
