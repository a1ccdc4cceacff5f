#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""oldest_libraries_test.py BUILD: what is installed runs with glibc 2.34 and the libstdc++ of GCC 11, and needs no other library but zlib.

So a wheel may be called manylinux_2_34 (PEP 600), and packages work on systems of 2021 and later.
"""
import pathlib
import re
import subprocess
import sys

GLIBC, GLIBCXX, GCC = 34, 29, 7
SYSTEM = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libz.so.1", "ld-linux-x86-64.so.2"}
OWN = re.compile(r"liblanewise(-compiler)?\.so(\.\d+)?|libLLVM(SPIRVLib)?\.so\.\d+\.\d+")


def problems(file):
    text = subprocess.run(["readelf", "-W", "--version-info", "--dynamic", file], check=True, capture_output=True, text=True).stdout
    for minor in map(int, re.findall(r"Name: GLIBC_2\.(\d+)\b", text)):
        if minor > GLIBC:
            yield f"needs glibc 2.{minor}"
    for minor in map(int, re.findall(r"Name: GLIBCXX_3\.4\.(\d+)\b", text)):
        if minor > GLIBCXX:
            yield f"needs GLIBCXX_3.4.{minor}"
    for major in map(int, re.findall(r"Name: GCC_(\d+)\.", text)):
        if major > GCC:
            yield f"needs the libgcc of GCC {major}"
    if "(RELR)" in text:
        yield "has packed relocations, which glibc 2.36 is the first to read"
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", text):
        if library not in SYSTEM and not OWN.fullmatch(library):
            yield f"needs {library}"


build = pathlib.Path(sys.argv[1])
files = [build / "bin/lanewise-cc", build / "bin/lanewise-info", build / "lib/liblanewise.so"]
files += [path for path in (build / "lib/lanewise").iterdir() if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
found = [f"{file.name} {problem}" for file in files for problem in sorted(set(problems(file)))]
print("\n".join(found) or f"{len(files)} files need glibc 2.{GLIBC} and GLIBCXX_3.4.{GLIBCXX} at most")
sys.exit(bool(found))
