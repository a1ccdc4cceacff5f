#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clean_root.py BUILD SOURCE SUITE: the packages of a build in a fresh system of Debian SUITE that has no LLVM and no compiler.

The Debian packages are installed over an older version, used, also as in a container without rights, kept through an edited
configuration file, removed and purged without a trace; the wheel is installed by pip and used with PyOpenCL. LANEWISE_TEST_ROOTS names a folder that keeps the fresh systems; without
it they are made each time. Skipped (exit code 77) without root, debootstrap or a Debian mirror.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

BUILD, SOURCE = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
SUITE = sys.argv[3]
SKIPPED = 77
ICD = "etc/OpenCL/vendors/lanewise.icd"
PACKAGES = ["lanewise-opencl-icd", "lanewise-tools"]

SESSION = r"""
import os, pyopencl as cl, numpy
device = [p for p in cl.get_platforms() if p.name == "Lanewise"][0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
values = numpy.arange(1000, dtype="f4")
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
source = "kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }"
programs = [cl.Program(context, source)]
if os.path.exists("/module.spv"):
    programs.append(cl.Program(context, open("/module.spv", "rb").read()))
for program in programs:
    program.build().twice(queue, values.shape, None, buffer)
result = numpy.empty_like(values)
cl.enqueue_copy(queue, result, buffer)
assert numpy.array_equal(result, values * 2 ** len(programs)), result
print(len(programs), "programs ran on", device.name)
"""


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def run(*command, **options):
    print("$", *command, flush=True)
    return subprocess.run(list(map(str, command)), text=True, **{"check": True, **options})


class Root:
    """A system in a folder."""

    def __init__(self, path):
        self.path = path
        kept = os.environ.get("LANEWISE_TEST_ROOTS")
        archive = pathlib.Path(kept or path.parent) / f"{SUITE}.tar"
        if not archive.exists():
            archive.parent.mkdir(parents=True, exist_ok=True)
            made = path.parent / "made"
            if subprocess.run(["debootstrap", "--variant=minbase", SUITE, made]).returncode:
                skip(f"there is no mirror with {SUITE}")
            run("tar", "-cf", archive, "-C", made, ".")
            shutil.rmtree(made)
        path.mkdir()
        run("tar", "-xf", archive, "-C", path)
        shutil.copy("/etc/resolv.conf", path / "etc/resolv.conf")

    def __call__(self, command, **options):
        """Runs a command in the system, in a namespace of its own, with which the mounts end."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        mounts = 'for folder in proc sys dev; do mount --rbind "/$folder" "$0/$folder"; done; exec chroot "$0" sh -ec "$1"'
        return run("unshare", "--mount", "sh", "-ec", mounts, self.path, command, env=environment, **options)

    def files(self):
        """What our packages could leave behind."""
        places = ["etc", "usr", "opt", "srv"]
        return {str(path.relative_to(self.path)) for place in places for path in (self.path / place).rglob("*")
                if "lanewise" in path.name.lower() or path.name == "OpenCL"}


def older(package, place):
    """The same package with a lower version."""
    folder = place / "older"
    run("dpkg-deb", "--raw-extract", package, folder)
    control = folder / "DEBIAN/control"
    control.write_text("".join("Version: 0.9\n" if line.startswith("Version:") else line for line in control.open()))
    run("dpkg-deb", "-Zgzip", "--build", folder, place / "older.deb")
    shutil.rmtree(folder)
    return place / "older.deb"


def debian_packages(root, place):
    before = root.files()
    run("cpack", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", "-B", place / "deb", cwd=BUILD, stdout=subprocess.DEVNULL)
    for package in (place / "deb").glob("lanewise-*.deb"):
        shutil.copy(package, root.path)
    shutil.copy(older(next((place / "deb").glob("lanewise-opencl-icd_*.deb")), place), root.path)
    root("apt-get update -qq; "
         "apt-get install -y -qq --no-install-recommends /older.deb clinfo ocl-icd-libopencl1 python3-pyopencl python3-venv >/dev/null; "
         "if dpkg-query -W -f '${Package}\\n' | grep -E 'llvm|clang|tbb|^g[+][+]|^gcc-[0-9]+$'; then exit 1; fi")
    root("apt-get install -y -qq --no-install-recommends /lanewise-*.deb >/dev/null")  # an upgrade
    root("clinfo -l; lanewise-info")
    (root.path / "module.cl").write_text("kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }")
    if (BUILD / "lib/lanewise/lanewise-spirv").exists():
        root("lanewise-cc --source=/module.cl --output=/module.spv")
    (root.path / "session.py").write_text(SESSION)
    root("python3 /session.py; man -w lanewise 2>/dev/null || ls /usr/share/man/man7/lanewise.7.gz")

    confined(root)

    # An edited configuration file stays through an upgrade and a removal, and goes with the purge.
    edited = "# edited\n" + (root.path / ICD).read_text()
    (root.path / ICD).write_text(edited)
    root("apt-get install -y -qq --allow-downgrades --allow-remove-essential /older.deb lanewise-tools- >/dev/null; "
         "apt-get install -y -qq /lanewise-*.deb >/dev/null")
    assert (root.path / ICD).read_text() == edited
    # By dpkg: apt would install another driver in its place, for PyOpenCL.
    root(f"dpkg --force-depends --remove {' '.join(PACKAGES)} >/dev/null")
    assert root.files() - before - {"etc/OpenCL"} == {ICD}, root.files() - before
    root(f"dpkg --force-depends --purge {' '.join(PACKAGES)} >/dev/null")
    left = {name for name in root.files() - before if name != "etc/OpenCL"}
    assert not left, left


def confined(root):
    """As in a container with --read-only, an unprivileged user, no network, and no place to write to; then with a /tmp."""
    if not shutil.which("bwrap"):
        print("bubblewrap is not installed: no container is tried")
        return
    sandbox = ["bwrap", "--unshare-all", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--die-with-parent", "--clearenv", "--setenv", "PATH",
               "/usr/bin:/bin", "--ro-bind", root.path, "/", "--proc", "/proc", "--dev", "/dev"]
    # lanewise-info runs a kernel, and says that nothing can be kept. PyOpenCL itself wants a folder that it can write to.
    told = json.loads(run(*sandbox, "lanewise-info", "--json", stdout=subprocess.PIPE, check=False).stdout)
    assert "ran in" in told["device"]["test"], told
    run(*sandbox, "--setenv", "HOME", "/tmp", "--tmpfs", "/tmp", "python3", "/session.py")
    run(*sandbox, "--setenv", "HOME", "/tmp", "--tmpfs", "/tmp", "lanewise-info", stdout=subprocess.DEVNULL)


def wheel(root, place):
    before = root.files()
    run(sys.executable, SOURCE / "packaging/wheel/build_wheel.py", BUILD, place / "wheel",
        env={**os.environ, "PYTHONPATH": str(SOURCE / "build/deps/python")})
    shutil.copy(next((place / "wheel").glob("*.whl")), root.path)
    # What pip would load, from outside: a fresh system does not know by which mirror this machine reaches PyPI.
    version = root("python3 -c 'import sys; print(\"%d.%d\" % sys.version_info[:2])'", stdout=subprocess.PIPE).stdout.strip()
    platforms = [f"--platform=manylinux_2_{glibc}_x86_64" for glibc in (34, 28, 27, 26, 17, 12, 5)]
    run(sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--python-version", version, *platforms,
        "--platform=manylinux2014_x86_64", "--dest", root.path / "wheels", "pyopencl")
    root("python3 -m venv /venv; /venv/bin/pip install -q --no-index --find-links /wheels /lanewise-*.whl pyopencl; "
         "/venv/bin/python /session.py; /venv/bin/python -m lanewise")
    root("/venv/bin/python -m lanewise --register; clinfo -l | grep Lanewise; /venv/bin/python /session.py; /venv/bin/python -m lanewise; "
         "/venv/bin/python -m lanewise --unregister; if clinfo -l | grep Lanewise; then exit 1; fi")
    root("/venv/bin/pip uninstall -q -y lanewise; if find /venv | grep -i lanewise; then exit 1; fi")
    assert root.files() <= before, root.files() - before


def main():
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        skip("debootstrap and root are needed")
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        root = Root(place / "root")
        debian_packages(root, place)
        wheel(root, place)
    return 0


if __name__ == "__main__":
    sys.exit(main())
