#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""build_wheel.py BUILD OUTPUT: makes the Python package of a build directory, OUTPUT/lanewise-VERSION-py3-none-PLATFORM.whl.

The package is an installation (`cmake --install`) in the folder `lanewise`, two Python files, and the .icd file that PyOpenCL's
loader looks for. Its platform says which C and C++ libraries it runs with, as read from its files. The same build gives the same
bytes (SOURCE_DATE_EPOCH is the time of all files). Needs `wheel` of PyPI.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
#: glibc by the versions of libstdc++'s and libgcc's symbols that systems with it have at least (PEP 600's policies).
GLIBC_OF_GLIBCXX = {29: 34, 30: 35, 31: 38, 32: 38, 33: 39}
GLIBC_OF_LIBGCC_12 = 35
LEAST_GLIBC = 34
ARCHITECTURES = {62: "x86_64", 183: "aarch64"}  # by e_machine

METADATA = """\
Metadata-Version: 2.4
Name: lanewise
Version: {version}
Summary: OpenCL driver for multicore processors
License-Expression: Apache-2.0 WITH LLVM-exception
License-File: LICENSE
License-File: copyright
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Scientific/Engineering
Requires-Python: >=3.8
Provides-Extra: pyopencl
Requires-Dist: pyopencl; extra == "pyopencl"
Description-Content-Type: text/markdown

{description}"""

ENTRY_POINTS = """\
[console_scripts]
lanewise-info = lanewise:info
lanewise-cc = lanewise:cc
lanewise-report = lanewise:report
"""


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, text=True, **options)


def version():
    """The version in the form of PEP 440: 1.0.0rc1."""
    text = (SOURCE / "include/lanewise/version.h").read_text()
    return re.search(r'LANEWISE_VERSION "(.*)"', text)[1].replace("-rc", "rc")


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def architecture(file):
    with open(file, "rb") as content:
        return ARCHITECTURES[int.from_bytes(content.read(20)[18:], "little")]


def platform(files):
    """The tag of the oldest system that these files run on."""
    least = LEAST_GLIBC
    for file in files:
        needed = run("readelf", "-W", "--version-info", file, capture_output=True).stdout
        if "GLIBC_ABI_DT_RELR" in needed:
            least = max(least, 36)
        if "GCC_12.0.0" in needed:
            least = max(least, GLIBC_OF_LIBGCC_12)
        least = max([least, *(int(minor) for minor in re.findall(r"Name: GLIBC_2\.(\d+)\b", needed))])
        for minor in map(int, re.findall(r"Name: GLIBCXX_3\.4\.(\d+)\b", needed)):
            least = max([least, *(glibc for glibcxx, glibc in GLIBC_OF_GLIBCXX.items() if glibcxx <= minor)])
    return f"manylinux_2_{least}_{architecture(files[0])}"


def install(build, prefix):
    """An installation without what only a system's package needs."""
    for component in ("driver", "tools"):
        run("cmake", "--install", build, "--prefix", prefix, "--component", component, "--strip", stdout=subprocess.DEVNULL)
    shutil.rmtree(prefix / "etc")
    shutil.rmtree(prefix / "share")
    (prefix / "bin/lanewise-report").rename(prefix / "bin/lanewise-report.py")
    # A Python package has no symbolic links: the library keeps the name by which programs ask for it.
    links = [path for path in prefix.rglob("*") if path.is_symlink()]
    for link in links:
        target = link.resolve()
        link.unlink()
        target.rename(link)


def assemble(build, root):
    package = root / "lanewise"
    install(build, package)
    for file in sorted((SOURCE / "packaging/wheel/lanewise").glob("*.py")):
        shutil.copy(file, package)
    driver = next(package.glob("lib/**/liblanewise.so.*"))
    # PyOpenCL's loader opens what the file names; $ORIGIN is the loader's own folder, which is that of the file.
    icd = root / "pyopencl/.libs/lanewise.icd"
    icd.parent.mkdir(parents=True)
    icd.write_text(f"$ORIGIN/../../{driver.relative_to(root)}\n")

    info = root / f"lanewise-{version()}.dist-info"
    (info / "licenses").mkdir(parents=True)
    for file in ("LICENSE", "packaging/copyright"):
        shutil.copy(SOURCE / file, info / "licenses")
    description = (SOURCE / "packaging/wheel/README.md").read_text()
    (info / "METADATA").write_text(METADATA.format(version=version(), description=description))
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    tag = "py3-none-" + platform([path for path in package.rglob("*") if path.is_file() and is_elf(path)])
    (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: build_wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n")
    for path in root.rglob("*"):
        programs = path.is_dir() or path.parent.name == "bin" or path.name in ("lanewise-compiler", "lanewise-spirv")
        path.chmod(0o755 if programs else 0o644)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / f"lanewise-{version()}"
        assemble(arguments.build.resolve(), root)
        environment = {"SOURCE_DATE_EPOCH": "1577836800", **os.environ}
        run(sys.executable, "-m", "wheel", "pack", root, "--dest-dir", arguments.output, env=environment)


if __name__ == "__main__":
    main()
