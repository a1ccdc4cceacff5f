# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenCV: filters of images on its OpenCL path (UMat)."""

import os

os.environ["OPENCV_OPENCL_DEVICE"] = ":CPU:"  # without it OpenCV takes GPUs only
os.environ["OPENCV_OPENCL_RUNTIME"] = "libOpenCL.so.1"

import cv2  # noqa: E402
import numpy  # noqa: E402
from timing import expect, report  # noqa: E402

cv2.ocl.setUseOpenCL(True)
expect(cv2.ocl.useOpenCL(), "OpenCL is not used")
generator = numpy.random.default_rng(1)
host = generator.integers(0, 256, (1080, 1920, 3), dtype=numpy.uint8)
image = cv2.UMat(host)
grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)

report("cvt_color", lambda: cv2.cvtColor(image, cv2.COLOR_BGR2HSV), cv2.ocl.finish)
report("gaussian_blur", lambda: cv2.GaussianBlur(grey, (5, 5), 1.5), cv2.ocl.finish)
report("bilateral", lambda: cv2.bilateralFilter(grey, 5, 50, 50), cv2.ocl.finish)
report("resize", lambda: cv2.resize(image, (1280, 720), interpolation=cv2.INTER_LINEAR), cv2.ocl.finish)
report("canny", lambda: cv2.Canny(grey, 50, 150), cv2.ocl.finish)
report("threshold", lambda: cv2.threshold(grey, 127, 255, cv2.THRESH_BINARY), cv2.ocl.finish)
plain = cv2.GaussianBlur(cv2.cvtColor(host, cv2.COLOR_BGR2GRAY), (5, 5), 1.5)
expect(abs(cv2.GaussianBlur(grey, (5, 5), 1.5).get().astype(int) - plain).max() <= 2, "blur")
