#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""version_test.py BUILD SOURCE: everything that has a version has that of include/lanewise/version.h."""
import ctypes
import pathlib
import re
import subprocess
import sys

BUILD, SOURCE = map(pathlib.Path, sys.argv[1:])
CL_DRIVER_VERSION, CL_PLATFORM_VERSION, CL_DEVICE_TYPE_ALL = 0x102D, 0x0901, 0xFFFFFFFF


def output(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout.strip()


def text_of(function, handle, name):
    buffer = ctypes.create_string_buffer(200)
    assert function(handle, name, len(buffer), buffer, None) == 0
    return buffer.value.decode()


def versions():
    """Pairs: where a version is, and what is there."""
    programs = ["bin/lanewise-cc", "bin/lanewise-info", "lib/lanewise/lanewise-compiler", "lib/lanewise/lanewise-spirv"]
    for program in [BUILD / name for name in programs if (BUILD / name).exists()] + [SOURCE / "scripts/lanewise-report"]:
        name, version = output(program, "--version").split()
        assert name == program.name, (program, name)
        yield program, version
    for page in sorted((SOURCE / "docs").glob("*.[1-9]")):
        yield page, re.match(r'\.TH \S+ \d "" "Lanewise (\S+)"', page.read_text())[1]
    yield "CHANGELOG.md", re.search(r"^## (\S+)", (SOURCE / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    driver = ctypes.CDLL(str(BUILD / "lib/liblanewise.so"))
    platform, device = ctypes.c_void_p(), ctypes.c_void_p()
    assert driver.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
    assert driver.clGetDeviceIDs(platform, ctypes.c_uint64(CL_DEVICE_TYPE_ALL), 1, ctypes.byref(device), None) == 0
    yield "CL_PLATFORM_VERSION", text_of(driver.clGetPlatformInfo, platform, CL_PLATFORM_VERSION).split()[-1]
    yield "CL_DRIVER_VERSION", text_of(driver.clGetDeviceInfo, device, CL_DRIVER_VERSION)


expected = re.search(r'LANEWISE_VERSION "(.*)"', (SOURCE / "include/lanewise/version.h").read_text())[1]
numbers = expected.split("-")[0]
found = {str(place): version for place, version in versions()}
wrong = [f"{place} has version {version}, not {expected}" for place, version in found.items() if version != expected]
soname = re.search(r"SONAME.*\[(.*)\]", output("readelf", "-d", BUILD / "lib/liblanewise.so"))[1]
if soname != "liblanewise.so." + numbers.split(".")[0]:
    wrong.append(f"the library is named {soname}")
if not (BUILD / f"lib/liblanewise.so.{numbers}").is_file():
    wrong.append(f"there is no liblanewise.so.{numbers}")
print("\n".join(wrong) or f"{len(found)} places have version {expected}")
sys.exit(bool(wrong))
