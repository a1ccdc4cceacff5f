# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenCV: each operation on its own vectorised, threaded code and on its OpenCL path (UMat), with the same results.

What both do with one picture of bytes, of three bytes a pixel where that is usual.
"""

import os

os.environ["OPENCV_OPENCL_DEVICE"] = ":CPU:"  # without it OpenCV takes GPUs only
os.environ["OPENCV_OPENCL_RUNTIME"] = "libOpenCL.so.1"

import cv2  # noqa: E402
import numpy  # noqa: E402
from timing import expect, report  # noqa: E402

WIDTH, HEIGHT = 1920, 1080
cv2.ocl.setUseOpenCL(True)
expect(cv2.ocl.useOpenCL(), "OpenCL is not used")
generator = numpy.random.default_rng(1)


def picture(channels):
    """Noise of some pixels' size, as edges and areas matter to some operations."""
    coarse = generator.integers(0, 256, (HEIGHT // 8, WIDTH // 8, channels), dtype=numpy.uint8)
    return cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)


grey, colour = picture(1), picture(3)
other_grey, other_colour = numpy.roll(grey, 7, 1).copy(), numpy.roll(colour, 7, 1).copy()
square = numpy.ones((3, 3), numpy.uint8)
turn = numpy.float32([[0.9, 0.1, 5], [-0.1, 0.95, 20]])
table = generator.integers(0, 256, (1, 256), dtype=numpy.uint8)

# name: (the operation, its operands, by how much results may differ)
OPERATIONS = {
    "erode": (lambda a: cv2.erode(a, square), [grey], 0),
    "erode_colour": (lambda a: cv2.erode(a, square), [colour], 0),
    "median": (lambda a: cv2.medianBlur(a, 3), [grey], 0),
    "median_5": (lambda a: cv2.medianBlur(a, 5), [grey], 0),
    "transpose": (cv2.transpose, [grey], 0),
    "transpose_colour": (cv2.transpose, [colour], 0),
    "flip": (lambda a: cv2.flip(a, 1), [grey], 0),
    "to_grey": (lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2GRAY), [colour], 1),
    "to_hsv": (lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2HSV), [colour], 1),
    "to_ycrcb": (lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2YCrCb), [colour], 1),
    "to_lab": (lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2Lab), [colour], 1),
    "from_grey": (lambda a: cv2.cvtColor(a, cv2.COLOR_GRAY2BGR), [grey], 0),
    "blur": (lambda a: cv2.blur(a, (5, 5)), [grey], 1),
    "gaussian": (lambda a: cv2.GaussianBlur(a, (5, 5), 0), [grey], 1),
    "gaussian_colour": (lambda a: cv2.GaussianBlur(a, (5, 5), 0), [colour], 1),
    "sobel": (lambda a: cv2.Sobel(a, cv2.CV_16S, 1, 0), [grey], 0),
    "laplacian": (lambda a: cv2.Laplacian(a, cv2.CV_8U, ksize=3), [grey], 0),
    "filter": (lambda a: cv2.filter2D(a, -1, numpy.full((5, 5), 0.04, numpy.float32)), [grey], 1),
    "bilateral": (lambda a: cv2.bilateralFilter(a, 5, 50, 50), [grey], 1),
    "canny": (lambda a: cv2.Canny(a, 50, 150), [grey], 0),
    "threshold": (lambda a: cv2.threshold(a, 127, 255, cv2.THRESH_BINARY)[1], [grey], 0),
    "half": (lambda a: cv2.resize(a, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_LINEAR), [colour], 1),
    "half_area": (lambda a: cv2.resize(a, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA), [colour], 1),
    "pyramid_down": (cv2.pyrDown, [grey], 1),
    "affine": (lambda a: cv2.warpAffine(a, turn, (WIDTH, HEIGHT)), [grey], 1),
    "affine_colour": (lambda a: cv2.warpAffine(a, turn, (WIDTH, HEIGHT)), [colour], 1),
    "add": (cv2.add, [colour, other_colour], 0),
    "weighted": (lambda a, b: cv2.addWeighted(a, 0.3, b, 0.6, 4), [colour, other_colour], 1),
    "range": (lambda a: cv2.inRange(a, (20, 30, 40), (200, 190, 180)), [colour], 0),
    "table": (lambda a: cv2.LUT(a, table), [colour], 0),
    "split": (cv2.split, [colour], 0),
    "histogram": (lambda a: cv2.calcHist([a], [0], None, [256], [0, 256]), [grey], 0),
    "equalise": (cv2.equalizeHist, [grey], 0),
    "integral": (cv2.integral, [grey], 0),
    "norm": (cv2.norm, [grey, other_grey], 1e-3),
    "means": (lambda a: cv2.fastNlMeansDenoising(a, None, 5, 5, 11), [grey[:270, :480].copy()], 1),
}


def plain(result):
    """The numbers of a result: of a picture, of several, or a number."""
    if isinstance(result, (tuple, list)):
        return numpy.concatenate([plain(part).ravel() for part in result])
    return numpy.asarray(result.get() if isinstance(result, cv2.UMat) else result, numpy.float64)


for name, (operation, operands, tolerance) in OPERATIONS.items():
    cv2.ocl.setUseOpenCL(False)
    expected = plain(operation(*operands))
    report(f"own_{name}", lambda: operation(*operands))
    cv2.ocl.setUseOpenCL(True)
    images = [cv2.UMat(operand) for operand in operands]
    expect(numpy.abs(plain(operation(*images)) - expected).max() <= tolerance, name)
    report(f"opencl_{name}", lambda: operation(*images), cv2.ocl.finish)
