#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when an #include points against the architecture (docs/architecture/overview.md, "Folders").

A folder may include itself and what is listed for it; outside headers are checked by prefix. The list itself must be
without circles, and so must be the files of a folder: a header and the source file of its name count as one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The folders from the bottom up, and the project folders that each includes. Folders below a listed one belong to it,
# unless they have a line of their own; a name without a slash stands only for the files that lie directly in it.
ALLOWED = {
    "src/base": "",
    "src/config": "src/base include/lanewise",
    "src/host": "src/base src/config",
    "src/log": "src/base src/config src/host",
    "src/file": "src/base src/config src/host src/log",
    "include/lanewise": "src/base",

    "runtime/process": "include/lanewise src",
    "runtime/trace": "include/lanewise src runtime/process",
    "runtime/layout": "include/lanewise src",
    "runtime/check": "include/lanewise src runtime/process runtime/trace",
    "runtime/object": "include/lanewise src runtime/process",
    "runtime/core": "include/lanewise src runtime/process runtime/object runtime/check",
    "runtime/printf": "include/lanewise src",
    "runtime/exec": "include/lanewise src runtime/process runtime/trace runtime/object runtime/check runtime/core runtime/printf",
    "runtime/memory": "include/lanewise src runtime/process runtime/object runtime/check runtime/layout runtime/core"
                      " runtime/exec",
    "runtime/code": "include/lanewise src runtime/process runtime/trace runtime/object",
    "runtime/tier": "include/lanewise src runtime/process runtime/trace runtime/object runtime/layout runtime/exec runtime/memory"
                    " runtime/code",
    "runtime/program": "include/lanewise src runtime/process runtime/trace runtime/object runtime/core runtime/printf runtime/exec"
                       " runtime/code runtime/tier",
    "runtime/kernel": "include/lanewise src runtime/object runtime/check runtime/core runtime/exec runtime/memory runtime/code"
                      " runtime/tier runtime/program",
    "runtime/launch": "include/lanewise src runtime/process runtime/trace runtime/object runtime/check runtime/core runtime/printf"
                      " runtime/exec runtime/memory runtime/tier runtime/kernel",

    "runtime/command_buffer": "include/lanewise src runtime/object runtime/core runtime/exec runtime/kernel"
                              " runtime/launch",

    "runtime/semaphore": "include/lanewise src runtime/process runtime/object runtime/core runtime/exec",

    "runtime/gl": "include/lanewise src runtime/process runtime/object runtime/layout runtime/core runtime/exec"
                  " runtime/memory",

    "icd": "include/lanewise src runtime",
    "icd/info": "include/lanewise src runtime icd",
    "icd/api": "include/lanewise src runtime icd",

    # The life of a kernel: what each step uses comes before it.
    "compiler/base": "include/lanewise src",
    "compiler/isolation": "include/lanewise src",
    "compiler/spirv": "include/lanewise src",
    "compiler/frontend": "include/lanewise src compiler/base compiler/spirv",
    "compiler/builtins": "include/lanewise src compiler/base",
    "compiler/program": "include/lanewise src compiler/base compiler/spirv compiler/frontend",
    "compiler/kernel": "include/lanewise src compiler/base compiler/builtins compiler/frontend",
    "compiler/check": "include/lanewise src compiler/base compiler/builtins",
    "compiler/groups": "include/lanewise src compiler/base compiler/builtins compiler/kernel",
    "compiler/lanes/analysis": "include/lanewise src compiler/base compiler/builtins",
    "compiler/lanes/prepare": "include/lanewise src compiler/base compiler/builtins compiler/kernel"
                              " compiler/lanes/analysis",
    "compiler/lanes/plan": "include/lanewise src compiler/base compiler/builtins compiler/lanes/analysis",
    "compiler/lanes/emit": "include/lanewise src compiler/base compiler/builtins compiler/lanes/analysis"
                           " compiler/lanes/plan",
    "compiler/lanes": "include/lanewise src compiler/base compiler/builtins compiler/groups compiler/lanes/analysis"
                      " compiler/lanes/prepare compiler/lanes/plan compiler/lanes/emit",
    "compiler/vectors": "include/lanewise src compiler/base compiler/builtins compiler/lanes/analysis"
                        " compiler/lanes/plan compiler/lanes/emit",
    "compiler/target": "include/lanewise src compiler/base compiler/builtins compiler/target/interface",
    "compiler/target/interface": "include/lanewise src compiler/base compiler/builtins",
    # Processors of one family each. Nothing includes them.
    "compiler/target/x86": "include/lanewise src compiler/base compiler/builtins compiler/target/interface",
    "compiler/target/aarch64": "include/lanewise src compiler/base compiler/builtins compiler/target/interface",
    "compiler/target/faults": "include/lanewise src compiler/base compiler/builtins",
    "compiler/object": "include/lanewise src compiler/base compiler/isolation compiler/frontend compiler/builtins"
                       " compiler/target",
    "compiler/pipeline": "include/lanewise src compiler/base compiler/frontend compiler/builtins compiler/kernel"
                         " compiler/check compiler/groups compiler/lanes compiler/vectors compiler/target compiler/object",
    "compiler/request": "include/lanewise src compiler/base compiler/isolation compiler/frontend compiler/builtins"
                        " compiler/program compiler/target compiler/object compiler/pipeline",
    "compiler/service": "include/lanewise src compiler/base compiler/isolation compiler/request",
    "compiler/tools": "include/lanewise src compiler/base compiler/frontend compiler/builtins compiler/program"
                      " compiler/target compiler/object compiler/pipeline compiler/request",

    "kernels-builtin/include": "include/lanewise",
    "kernels-builtin/tools": "include/lanewise src compiler/base compiler/frontend compiler/builtins",
    "kernels-builtin/*": "kernels-builtin/include",
}
# Headers that only the files of a folder may include: the command behind an event, and what runs it.
PRIVATE = {f"runtime/exec/{name}.h": "runtime/exec" for name in
           ("command", "division", "execution", "ready_list", "scheduler")}
# Folders whose files still include each other in circles.
CIRCULAR = {"compiler/groups", "runtime/core", "runtime/launch", "runtime/memory", "runtime/tier"}
# The one file that uses oneTBB.
TBB_USER = "runtime/exec/arena.cpp"
# folder -> prefixes of outside headers that it must not include
FORBIDDEN = {
    "include": ("llvm/", "clang/", "lld/", "tbb/", "oneapi/"),
    "src": ("llvm/", "clang/", "lld/", "tbb/", "oneapi/"),
    "runtime": ("llvm/", "clang/", "lld/", "LLVMSPIRVLib", "tbb/", "oneapi/"),
    "icd": ("llvm/", "clang/", "lld/", "LLVMSPIRVLib", "tbb/", "oneapi/"),
    "compiler": ("tbb/", "oneapi/"),
    "kernels-builtin": ("clang/", "lld/", "tbb/", "oneapi/"),
}
SUFFIXES = {".h", ".hpp", ".cpp", ".c", ".def", ".inc", ".cl", ".clh"}
# Code that runs without an operating system, and may include nothing else from outside.
FREESTANDING = ("kernels-builtin/*", "kernels-builtin/include")
FREESTANDING_HEADERS = ("stddef.h", "stdint.h")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def sources(folder):
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in SUFFIXES:
            yield path


def place_of(path):
    """The line of ALLOWED that a file belongs to; None if it has none."""
    folders = path.relative_to(ROOT).parent.parts
    for count in range(len(folders), 0, -1):
        name = "/".join(folders[:count])
        if name in ALLOWED and (count > 1 or len(folders) == 1):
            return name
    return folders[0] + "/*" if len(folders) > 1 and folders[0] + "/*" in ALLOWED else None


def covers(line, place):
    """Whether a line of ALLOWED has a name for a place, or for a folder that the place lies in."""
    exact = [name for name in line.split() if "/" not in name and name in ALLOWED]
    return any(place == name or (name not in exact and place.startswith(name + "/")) for name in line.split())


def included(path, target):
    """The project file that is meant; None for headers from outside."""
    for folder in (ROOT, path.parent, ROOT / "kernels-builtin/include"):
        if (folder / target).is_file():
            return (folder / target).resolve()
    return None


def circle(arrows):
    """Names that lead from the first of them back to it; nothing if there is no circle."""
    finished, way = set(), []

    def visit(name):
        if name in way:
            return way[way.index(name):] + [name]
        if name in finished:
            return []
        way.append(name)
        found = next(filter(None, (visit(other) for other in sorted(arrows.get(name, ())))), [])
        finished.add(way.pop())
        return found

    return next(filter(None, (visit(name) for name in sorted(arrows))), [])


def circles():
    arrows = {place: {p for p in ALLOWED if p != place and covers(line, p)} for place, line in ALLOWED.items()}
    if found := circle(arrows):
        yield f"the list of folders has a circle: {' -> '.join(found)}"
    for folder in FORBIDDEN:
        for place in sorted({path.parent for path in sources(folder)}):
            yield from circle_of_files(place)


def circle_of_files(folder):
    """Through includes between the files of one folder."""
    arrows = {}
    for path in filter(lambda path: path.suffix in SUFFIXES, folder.iterdir()):
        targets = (included(path, target) for _, target in INCLUDE.findall(path.read_text()))
        others = {found.stem for found in targets if found is not None and found.parent == folder}
        arrows.setdefault(path.stem, set()).update(others - {path.stem})
    name, found = str(folder.relative_to(ROOT)), circle(arrows)
    if found and name not in CIRCULAR:
        yield f"the files of {name} include each other in a circle: {' -> '.join(found)}"
    if name in CIRCULAR and not found:
        yield f"the files of {name} have no circle any more: it can leave the list of those that have"


def arrows():
    for folder in FORBIDDEN:
        for path in sources(folder):
            text = path.read_text()
            name = path.relative_to(ROOT)
            place = place_of(path)
            if place is None:
                yield f"{name} lies in a folder that the list of folders does not have"
                continue
            for _, target in INCLUDE.findall(text):
                found = included(path, target)
                if found is None:
                    bare = place in FREESTANDING and target not in FREESTANDING_HEADERS
                    tbb = str(name) == TBB_USER and target.startswith("oneapi/")
                    if bare or (target.startswith(FORBIDDEN[folder]) and not tbb):
                        yield f"{name} includes {target}"
                    continue
                other = place_of(found)
                if other != place and (other is None or not covers(ALLOWED[place], other)):
                    yield f"{name} includes {target}"
            if re.search(r"^CL_API_ENTRY", text, re.M) and folder != "icd":
                yield f"{name} defines an entry point"


def private_headers():
    for folder in [*FORBIDDEN, "tests"]:
        for path in sources(folder):
            for _, target in INCLUDE.findall(path.read_text()):
                home = PRIVATE.get(target)
                if home is not None and path.parent != ROOT / home:
                    yield f"{path.relative_to(ROOT)} includes {target}, which is private to {home}"


if __name__ == "__main__":
    found = [*circles(), *arrows(), *private_headers()]
    print("\n".join(found) or "every include points the right way")
    sys.exit(bool(found))
