#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when code that breaks the rule of a mutex compiles (src/base/thread_safety.h), and when a mutex has no rule.

usage: thread_safety.py BUILD_DIRECTORY
Examples are compiled with the flags that the build has for a file of the driver.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = "src/log/log.cpp"  # whose flags the examples get

PROLOGUE = """
#include "src/base/mutex.h"
using namespace lanewise;
struct Counter {
  Mutex mutex;
  Mutex inner ACQUIRED_AFTER(mutex);
  ConditionVariable changed;
  int value GUARDED_BY(mutex) = 0;
  int add() REQUIRES(mutex) { return ++value; }
  void reset() EXCLUDES(mutex) { const MutexLock lock(mutex); value = 0; }
};
"""
RIGHT = [
    "const MutexLock lock(c.mutex); return c.value;",
    "const MutexLock lock(c.mutex); return c.add();",
    "c.reset(); return 0;",
    "MutexLock lock(c.mutex); lock.unlock(); c.reset(); lock.lock(); return c.value;",
    "const MutexLock lock(c.mutex); while (c.value == 0) c.changed.wait(c.mutex); return c.value;",
    "if (!c.mutex.try_lock()) return 0; const MutexLock lock(c.mutex, std::adopt_lock); return c.value;",
    "const MutexLock lock(c.mutex); const MutexLock inner(c.inner); return c.value;",
]
# What must not compile, and what the compiler says of it.
WRONG = [
    ("return c.value;", "reading variable 'value' requires holding mutex"),
    ("c.value = 1; return 0;", "writing variable 'value' requires holding mutex"),
    ("return c.add();", "calling function 'add' requires holding mutex"),
    ("const MutexLock lock(c.mutex); c.reset(); return 0;", "cannot call function 'reset' while mutex"),
    ("MutexLock lock(c.mutex); lock.unlock(); return c.value;", "reading variable 'value' requires holding mutex"),
    ("c.changed.wait(c.mutex); return 0;", "calling function 'wait' requires holding mutex"),
    ("if (c.mutex.try_lock()) return 0; return c.value;", "reading variable 'value' requires holding mutex"),
    ("c.mutex.lock(); return 0;", "is still held at the end of function"),
    ("const MutexLock inner(c.inner); const MutexLock lock(c.mutex); return c.value;", "must be acquired before 'inner'"),
]

SOURCES = ("src", "runtime", "icd", "compiler")
WRAPPER = "src/base/mutex.h"  # the only place of the standard's own
LIBRARY = "src/host/older_libraries.cpp"  # defines a function of the standard's own
STANDARD = re.compile(r"\bstd::(\w*mutex|lock_guard|scoped_lock|unique_lock|shared_lock|condition_variable\w*)\b")
DECLARED = re.compile(r"^\s*(?:static |extern |constinit |mutable |lanewise::)*Mutex (\w+)(?: ACQUIRED_\w+\(.*\))?;", re.M)
# A mutex that a fork waits for, for a while: it guards calls of the dynamic linker, not variables.
STANDARDS_OWN = {("runtime/process/fork_guard.cpp", "std::timed_mutex")}
# Mutexes of what is no variable beside them.
OF_OTHER_THINGS = {
    ("src/file/scarce.cpp", "scarce_mutex"): "the descriptors of the process",
    ("src/file/scarce.h", "scarce_mutex"): "the same",
    ("runtime/core/device.cpp", "g_carrying_over"): "what a device has of the parent process",
    ("runtime/exec/arena.cpp", "g_making"): "what an arena has of oneTBB",
    ("runtime/launch/verify.cpp", "mutex"): "the memory that launches compare",
    ("compiler/request/run_request.cpp", "mutex"): "the module that kernels are taken out of",
    ("compiler/tools/lanewise-compile.cpp", "mutex"): "a local variable",
}


def compiler_call(build):
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"] == str(ROOT / MODEL):
            words = shlex.split(entry["command"])
            # In front of the compiler is what the build starts it with.
            start = max(i for i, word in enumerate(words) if re.fullmatch(r"(.*/)?(clang|g|c)\+\+[-\d.]*", word))
            kept = [w for i, w in enumerate(words[start:], start) if w not in ("-c", "-o", entry["file"]) and
                    words[i - 1] != "-o"]
            return [*kept, "-fsyntax-only", "-x", "c++", "-"], entry["directory"]
    sys.exit(f"the build has no command for {MODEL}")


def examples(build):
    call, directory = compiler_call(build)
    if "clang" not in subprocess.run([call[0], "--version"], capture_output=True, text=True, check=True).stdout:
        return  # other compilers do not check
    first = PROLOGUE.count("\n") + 1  # the line of the first body

    def compiled(bodies):
        text = PROLOGUE + "".join(f"int use_{i}(Counter& c) {{ {body} }}\n" for i, body in enumerate(bodies))
        return subprocess.run([*call, "-ferror-limit=0"], input=text, cwd=directory, capture_output=True, text=True,
                              check=False)

    if (run := compiled(RIGHT)).returncode != 0:
        yield f"this must compile:\n{run.stderr}"
    run = compiled([body for body, _ in WRONG])
    for line, (body, message) in enumerate(WRONG, first):
        if not re.search(rf"^<stdin>:{line}:\d+: error: .*{re.escape(message)}", run.stderr, re.M):
            yield f"the compiler must say \"{message}\": {body}"


def rules():
    for path in (p for folder in SOURCES for p in sorted((ROOT / folder).rglob("*")) if p.suffix in (".h", ".cpp")):
        name, text = str(path.relative_to(ROOT)), path.read_text()
        if name.startswith("src/base/") or name == LIBRARY:
            continue
        for found in STANDARD.finditer(text):
            if (name, found.group()) not in STANDARDS_OWN:
                yield f"{name} uses {found.group()}, whose rules nobody checks ({WRAPPER})"
        for mutex in DECLARED.findall(text):
            if f"GUARDED_BY({mutex})" not in text and (name, mutex) not in OF_OTHER_THINGS:
                yield f"{name}: nothing is guarded by {mutex}"
        lines = text.split("\n")
        for number, line in enumerate(lines):
            if "NO_THREAD_SAFETY_ANALYSIS" in line and "//" not in line + lines[number - 1]:
                yield f"{name}:{number + 1}: a comment has to say why the function is not checked"


if __name__ == "__main__":
    found = [*rules(), *examples(pathlib.Path(sys.argv[1]).resolve())]
    print("\n".join(found) or "the rules of all mutexes are checked")
    sys.exit(bool(found))
