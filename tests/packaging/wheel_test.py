#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel_test.py BUILD SOURCE: the wheel of a build has what it should, and PyOpenCL beside it finds the driver without a variable.

Skipped (exit code 77) without `wheel`, NumPy or PyOpenCL, which scripts/setup puts into build/deps/python.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

BUILD, SOURCE = map(pathlib.Path, sys.argv[1:])
MODULES = SOURCE / "build/deps/python"
LARGEST = 40_000_000
#: Suffixes of files and how many there are.
CONTENT = {"/liblanewise.so.1": 1, "/liblanewise-compiler.so": 1, "/lanewise-compiler": 1, ".lwb": 1, "bin/lanewise-info": 1,
           "bin/lanewise-cc": 1, "pyopencl/.libs/lanewise.icd": 1, "licenses/LICENSE": 1, "licenses/copyright": 1}

SESSION = r"""
import numpy, pyopencl as cl
platforms = [p for p in cl.get_platforms() if p.name == "Lanewise"]
assert len(platforms) == 1, cl.get_platforms()
context = cl.Context(platforms[0].get_devices())
queue = cl.CommandQueue(context)
values = numpy.arange(1000, dtype="f4")
buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
program = cl.Program(context, "kernel void root(global float* x) { x[get_global_id(0)] = sqrt(x[get_global_id(0)]); }").build()
program.root(queue, values.shape, None, buffer)
result = numpy.empty_like(values)
cl.enqueue_copy(queue, result, buffer)
assert numpy.allclose(result, numpy.sqrt(values))
"""


def check_content(wheel):
    assert re.fullmatch(r"lanewise-[0-9.]+(rc\d+)?-py3-none-manylinux_2_34_x86_64\.whl", wheel.name), wheel.name
    assert wheel.stat().st_size <= LARGEST, wheel.stat().st_size
    names = zipfile.ZipFile(wheel).namelist()
    spirv = {}
    if (BUILD / "lib/lanewise/lanewise-spirv").exists():
        needed = (BUILD / "lib/lanewise/lanewise-spirv.libraries").read_text().split()
        spirv = {f"/{name}": 1 for name in ["lanewise-spirv", *needed]}
    for suffix, count in {**CONTENT, **spirv}.items():
        assert sum(name.endswith(suffix) for name in names) == count, (suffix, names)
    print(f"{wheel.name}: {len(names)} files, {wheel.stat().st_size / 1e6:.1f} MB")


def use(site, home):
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": f"{site}:{MODULES}", "OPENCL_VENDOR_PATH": str(home)}

    def python(*arguments, code=0, **variables):
        done = subprocess.run([sys.executable, *arguments], env={**environment, **variables}, cwd=home, capture_output=True, text=True)
        assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
        return done.stdout

    python("-c", SESSION)
    # The system's folder is not asked: home stands for it, and has no file.
    assert "LLVM 22" in python("-m", "lanewise", "--json")
    assert python("-m", "lanewise", "--version").startswith("lanewise-info ")
    # Registered for the user, PyOpenCL finds it there, and once.
    python("-m", "lanewise", "--register", "--user")
    vendors = home / ".local/share/OpenCL/vendors"
    python("-c", SESSION, OCL_ICD_VENDORS=str(vendors))
    python("-m", "lanewise", OCL_ICD_VENDORS=str(vendors))
    python("-m", "lanewise", "--unregister", "--user")
    assert not vendors.exists()
    python("-m", "lanewise", "--unregister", "--user", code=1)
    python("-c", SESSION)


def main():
    sys.path.append(str(MODULES))
    try:
        import numpy, pyopencl, wheel  # noqa: E401, F401
    except ImportError as reason:
        print(f"skipped: {reason}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        home = place / "home"
        home.mkdir()
        subprocess.run([sys.executable, SOURCE / "packaging/wheel/build_wheel.py", BUILD, place], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "PYTHONPATH": str(MODULES)})
        made = next(place.glob("*.whl"))
        check_content(made)
        # As pip unpacks it; zipfile forgets which files are programs.
        site = place / "site"
        with zipfile.ZipFile(made) as archive:
            archive.extractall(site)
            for entry in archive.infolist():
                (site / entry.filename).chmod(entry.external_attr >> 16 & 0o777)
        shutil.copytree(pathlib.Path(pyopencl.__file__).parent, site / "pyopencl", dirs_exist_ok=True)
        if not list((site / "pyopencl/.libs").glob("libOpenCL*")):
            print("skipped: this PyOpenCL has no loader of its own, it is no wheel")
            return 77
        use(site, home)
    return 0


if __name__ == "__main__":
    sys.exit(main())
