# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""darktable's command line: develops a picture of two megapixels on the device, with twelve modules one after the other.

Arguments: the folder in which darktable was unpacked. Prints the seconds for loading its programs, all built from source,
and for the pipeline. The picture is compared with what darktable's own code for the processor makes of it. `-v` prints
what darktable says, with the times of modules and kernels.
"""

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import cv2
import numpy
from timing import expect

root = Path(sys.argv[1])
work = Path.cwd()
environment = dict(os.environ, HOME=str(work), XDG_DATA_DIRS=str(root / "usr/share"))
environment["LD_LIBRARY_PATH"] += f"{os.pathsep}{root / 'usr/lib'}"

# Operation, version of its parameters, and these: floats, and integers where Python has one.
MODULES = (
    ("denoise (non-local means)", "nlmeans", 2, (2.0, 50.0, 0.5, 1.0)),
    ("sharpen", "sharpen", 1, (2.0, 0.5, 0.5)),
    ("local contrast", "bilat", 3, (1, 0.5, 0.5, 0.25, 0.5)),
    ("high pass", "highpass", 1, (50.0, 50.0)),
    ("soften", "soften", 1, (50.0, 100.0, 0.33, 50.0)),
    ("bloom", "bloom", 1, (20.0, 90.0, 25.0)),
    ("exposure", "exposure", 6, (0, 0.0, 0.5, 50.0, -4.0, 0)),
    ("vibrance", "vibrance", 2, (25.0,)),
    ("velvia", "velvia", 2, (25.0, 1.0)),
    ("haze", "hazeremoval", 1, (0.2, 0.2)),
    ("shadows and highlights", "shadhi", 5, (0, 100.0, 50.0, 0.0, -50.0, 0.0, 50.0, 100.0, 50.0, 127, 0.000001, 0)),
    ("vignette", "vignette", 4, (80.0, 50.0, -0.5, -0.5, 0.0, 0.0, 0, 1.0, 1.0, 0, 0)),
)


def picture(width, height):
    y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float32)
    noise = numpy.random.default_rng(1).normal(0, 0.02, (height, width, 3))
    waves = [0.5 + 0.4 * numpy.sin(x / (37 + 11 * c)) * numpy.cos(y / (53 + 7 * c)) for c in range(3)]
    disc = ((x - width / 2) ** 2 + (y - height / 2) ** 2 < (height / 3) ** 2)[..., None] * 0.3
    return numpy.clip(numpy.stack(waves, -1) * 0.7 + disc + noise, 0, 1)


def sidecar():
    rows = []
    for number, (_, operation, version, values) in enumerate(MODULES):
        words = b"".join(struct.pack("<i" if isinstance(value, int) else "<f", value) for value in values)
        rows.append(
            f'<rdf:li darktable:num="{number}" darktable:operation="{operation}" darktable:enabled="1" '
            f'darktable:modversion="{version}" darktable:params="{words.hex()}" darktable:multi_name="" '
            'darktable:multi_priority="0"/>'
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        'xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="5" darktable:auto_presets_applied="1" '
        f'darktable:history_end="{len(MODULES)}" darktable:iop_order_version="2">'
        f"<darktable:history><rdf:Seq>{''.join(rows)}</rdf:Seq></darktable:history>"
        "</rdf:Description></rdf:RDF></x:xmpmeta>"
    )


def develop(source, out, *options):
    Path(out).unlink(missing_ok=True)
    command = [root / "usr/bin/darktable-cli", *source, out, "--width", "900", "--hq", "true", "--core"]
    command += ["--configdir", work / "configuration", "--library", ":memory:", "--datadir", root / "usr/share/darktable"]
    command += ["--moduledir", root / "usr/lib/x86_64-linux-gnu/darktable", "-d", "opencl", "-d", "perf", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500, check=False)
    return done.stdout + done.stderr


cv2.imwrite("small.png", picture(16, 16) * 255)
cv2.imwrite("in.png", (picture(1800, 1200) * 65535).astype(numpy.uint16))
Path("in.xmp").write_text(sidecar())
# The first run meets a device of the processor and turns it off; the second uses it.
develop(("small.png",), "none.png")
settings = work / "configuration/darktablerc"
text = settings.read_text()
settings.write_text(re.sub(r"(?m)^(cldevice_v4_\w+=(?:\S+ ){7})1 ", r"\g<1>0 ", text))
text = develop(("in.png", "in.xmp"), "device.png")
if "-v" in sys.argv:
    print(text)
loading = re.search(r"KERNEL LOADING TIME:\s+([0-9.]+)", text)
pipeline = re.search(r"pixel pipeline processing took ([0-9.]+)", text)
expect(loading and pipeline, "no times:\n" + text[-2000:])
expect(text.count("on GPU") >= len(MODULES), f"{text.count('on GPU')} modules on the device")
reference = develop(("in.png", "in.xmp"), "processor.png", "--disable-opencl")
got, want = (cv2.imread(name, cv2.IMREAD_UNCHANGED).astype(float) for name in ("device.png", "processor.png"))
difference = numpy.abs(got - want) / want.max()
expect(difference.mean() < 0.01, f"mean difference {difference.mean()}")
print(f"loading {loading[1]}")
print(f"pipeline {pipeline[1]}")
if "-v" in sys.argv:
    print(reference)
    print("difference", difference.mean(), difference.max())
