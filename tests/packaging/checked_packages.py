#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""checked_packages.py BUILD SOURCE CHECK: CHECK is `lintian` (the Debian packages) or `auditwheel` (the wheel), programs of others
that know the rules. Skipped (exit code 77) where the program is not installed, and auditwheel cannot be had from PyPI."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv

BUILD, SOURCE = map(pathlib.Path, sys.argv[1:3])
SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def lintian(place):
    if not shutil.which("lintian"):
        skip("lintian is not installed")
    subprocess.run(["cpack", "-B", place], cwd=BUILD, check=True, stdout=subprocess.DEVNULL)
    packages = sorted(map(str, place.glob("*.deb")))
    assert len(packages) == 3, packages
    allowed = ["--allow-root"] if os.geteuid() == 0 else []
    return subprocess.run(["lintian", *allowed, "--fail-on", "error,warning", *packages]).returncode


def auditwheel(place):
    venv.create(place / "venv", with_pip=True)
    python = place / "venv/bin/python"
    if subprocess.run([python, "-m", "pip", "install", "--quiet", "auditwheel", "wheel"]).returncode:
        skip("auditwheel cannot be installed")
    subprocess.run([python, SOURCE / "packaging/wheel/build_wheel.py", BUILD, place], check=True)
    wheel = next(place.glob("*.whl"))
    said = subprocess.run([python, "-m", "auditwheel", "show", wheel], check=True, capture_output=True, text=True).stdout
    print(said)
    return 0 if '"manylinux_2_34_x86_64"' in " ".join(said.split()) else 1


with tempfile.TemporaryDirectory() as folder:
    sys.exit({"lintian": lintian, "auditwheel": auditwheel}[sys.argv[3]](pathlib.Path(folder)))
