# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The real programs of scripts/bench --programs: where each comes from, how it is run and how its figures are read.

A row is all that the runner knows of a program. `{root}` in a command is the folder in which the packages of Debian
were unpacked, `{python}` the interpreter of the environment with those of PyPI, `{here}` this folder, `{work}` an empty
folder. A figure is found by a pattern whose group is its value; SECONDS stands for our own scripts, which print
"name seconds". `more`: larger figures are better.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Row:
    name: str
    command: tuple
    debian: tuple = ()  # packages
    pypi: tuple = ()
    figures: dict = field(default_factory=dict)  # name -> pattern; none: SECONDS
    more: bool = False
    environment: dict = field(default_factory=dict)
    timeout: int = 300


def script(name, *packages):
    return Row(name.partition("_")[0], ("{python}", "{here}/" + name + ".py"), pypi=("numpy", *packages))


def hashcat(mode, what):
    # A copy beside its modules: it looks for them in its own folder where it was not installed into the system.
    prepare = "cp -rL {root}/usr/share/hashcat/. {root}/usr/lib/hashcat/modules {root}/usr/bin/hashcat {work}/"
    run = f"cd {{work}} && ./hashcat -b -m {mode} --force -D 1 --machine-readable"
    speed = rf"(?m)^1:{mode}:\S*:([0-9.]+)$"
    command = ("sh", "-c", f"{prepare} && {run}")
    return Row(f"hashcat, {what}", command, ("hashcat",), figures={"hashes": speed}, more=True)


def clfft(what, *arguments):
    command = ("{root}/usr/bin/clFFT-client", "-p", "20", *arguments)
    speed = r"Execution gflops: ([0-9.]+)"
    return Row(f"clFFT, {what}", command, ("clfft-client",), figures={"gflops": speed}, more=True)


def clblast(tuner, *arguments):
    """A tuner runs a routine in many forms; counted is the best."""
    command = ("sh", "-c", " ".join(["cd {work} && {root}/usr/bin/clblast_tuner_" + tuner, *arguments]))
    return Row(f"CLBlast, {tuner}", command, ("clblast-utils",), figures={"best": r"Found best result ([0-9.]+) ms"})


def leela():
    """It tunes its kernels first, which takes most of the time, and keeps what it finds in its home."""
    prepare = "cd {work} && export HOME={work} && {python} {here}/leelaz_network.py >network"
    run = "{root}/usr/lib/leelaz/bin/leelaz -w network --gpu 0 --benchmark --noponder -v 400 -t 2 --precision single"
    speed = r"playouts, (\d+) n/s"
    command = ("sh", "-c", f"{prepare} && {run}")
    return Row("Leela Zero", command, ("leela-zero",), ("numpy",), figures={"evaluations": speed}, more=True)


def ffmpeg(filter_name, options=""):
    source = "testsrc2=size=1280x720:rate=25:duration=2"
    steps = f"format=yuv420p,hwupload,{filter_name}_opencl{options},hwdownload,format=yuv420p"
    command = ("{root}/usr/bin/ffmpeg", "-hide_banner", "-benchmark", "-init_hw_device", "opencl=cl:0.0")
    command += ("-filter_hw_device", "cl", "-f", "lavfi", "-i", source, "-vf", steps, "-f", "null", "-")
    return Row(f"ffmpeg, {filter_name}", command, ("ffmpeg",), figures={"seconds": r"rtime=([0-9.]+)s"})


ROWS = (
    script("pyopencl_arrays", "pyopencl"),
    script("reikna_kernels", "pyopencl", "reikna"),
    script("loopy_product", "pyopencl", "loopy"),
    script("vkfft_transforms", "pyopencl", "pyvkfft"),
    script("tinygrad_layers", "tinygrad"),
    script("silx_images", "pyopencl", "silx", "scipy"),
    script("openmm_fluid", "openmm"),
    script("lightgbm_trees", "lightgbm", "scipy"),
    script("pyfai_integration", "pyopencl", "pyFAI"),
    script("opencv_filters", "opencv-python-headless"),
    script("sasmodels_shapes", "pyopencl", "sasmodels"),
    script("gputools_volumes", "pyopencl", "gputools"),
    script("mot_fits", "pyopencl", "mot"),
    script("halide_blur", "halide"),
    Row(
        "darktable",
        ("{python}", "{here}/darktable_picture.py", "{root}"),
        ("darktable",),
        ("numpy", "opencv-python-headless"),
        timeout=600,
    ),
    Row(
        "clpeak",
        ("{root}/usr/bin/clpeak", "--compute-sp", "--global-bandwidth"),
        ("clpeak",),
        figures={
            "float": r"Single-precision compute[\s\S]*?float\s*: ([0-9.]+)",
            "float16": r"Single-precision compute[\s\S]*?float16\s*: ([0-9.]+)",
            "bandwidth": r"memory bandwidth[\s\S]*?float4\s*: ([0-9.]+)",
        },
        more=True,
    ),
    clfft("2^18 points, 8 at once", "-x", "262144", "-b", "8"),
    clfft("1024 x 1024", "-x", "1024", "-y", "1024"),
    clfft("3^9 points, 16 at once", "-x", "19683", "-b", "16"),
    clblast("copy_fast"),
    clblast("transpose_fast"),
    clblast("xaxpy"),
    clblast("xger"),
    hashcat(0, "MD5"),
    hashcat(1400, "SHA-256"),
    hashcat(22000, "WPA2"),
    hashcat(3200, "bcrypt"),
    leela(),
    ffmpeg("avgblur", "=8"),
    ffmpeg("unsharp"),
    ffmpeg("nlmeans", "=s=2:p=5:r=7"),
)

# The programs of scripts/bench --own, each on its own code and on OpenCL.
OWN_ROWS = (Row("OpenCV", ("{python}", "{here}/opencv_own.py"), pypi=("numpy", "opencv-python-headless"), timeout=600),)
