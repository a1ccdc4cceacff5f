#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A session of OpenCV, whose functions for cv2.UMat are OpenCL kernels, with this driver as their device: opencv_session.py
DRIVER. Every result is compared with what the same function gives on the processor without OpenCL.

Skipped (exit code 77) where OpenCV or an OpenCL loader is not installed: python3 -m pip install opencv-python-headless
"""
import ctypes.util
import sys

import session


def borders(cv2):
    return {"reflect101": cv2.BORDER_REFLECT_101, "replicate": cv2.BORDER_REPLICATE, "constant": cv2.BORDER_CONSTANT,
            "reflect": cv2.BORDER_REFLECT}


def corner_steps(cv2, images):
    """Their kernels bring rows and columns back into the image by loops, and keep products in private arrays."""
    for kind, image in images.items():
        for block, kernel, border in ((2, 3, "reflect101"), (3, 3, "replicate"), (3, 5, "constant"), (5, 3, "reflect")):
            name = f"{kind}, block {block}, kernel {kernel}, {border}"
            mode = borders(cv2)[border]
            yield ("Harris corners of " + name, image, 1e-4,
                   lambda x, b=block, k=kernel, m=mode: cv2.cornerHarris(x, b, k, 0.04, borderType=m))
            yield ("eigenvalues of corners of " + name, image, 1e-4,
                   lambda x, b=block, k=kernel, m=mode: cv2.cornerMinEigenVal(x, b, ksize=k, borderType=m))
        yield "corners of " + kind, image, 1e-4, lambda x: cv2.preCornerDetect(x, 3)


def other_steps(cv2, numpy, images):
    """Results in whole numbers may be off by one where both sides round."""
    random = numpy.random.default_rng(2)
    color = random.integers(0, 256, (97, 131, 3)).astype("u1")
    gray, real = images["bytes"], images["floats"]
    turned = cv2.getRotationMatrix2D((60, 40), 30, 0.8)
    one = 1 / 255
    return [
        ("Gaussian blur", color, one, lambda x: cv2.GaussianBlur(x, (5, 5), 1.3)),
        ("box filter", real, 1e-5, lambda x: cv2.boxFilter(x, -1, (7, 3))),
        ("median", color, 0, lambda x: cv2.medianBlur(x, 5)),
        ("bilateral filter", gray, one, lambda x: cv2.bilateralFilter(x, 5, 30, 3)),
        ("dilation", color, 0, lambda x: cv2.dilate(x, numpy.ones((3, 5), "u1"), iterations=2)),
        ("gradient", gray, 0, lambda x: cv2.morphologyEx(x, cv2.MORPH_GRADIENT, numpy.ones((3, 3), "u1"))),
        ("Laplacian", real, 1e-5, lambda x: cv2.Laplacian(x, cv2.CV_32F, ksize=5)),
        ("resized", color, one, lambda x: cv2.resize(x, None, fx=1.7, fy=0.9, interpolation=cv2.INTER_LINEAR)),
        ("shrunk", color, one, lambda x: cv2.resize(x, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)),
        ("turned", real, 2e-2, lambda x: cv2.warpAffine(x, turned, (131, 97))),
        ("gray", color, one, lambda x: cv2.cvtColor(x, cv2.COLOR_BGR2GRAY)),
        ("hue", color, 2 * one, lambda x: cv2.cvtColor(x, cv2.COLOR_BGR2HSV)),
        ("luminance", color, one, lambda x: cv2.cvtColor(x, cv2.COLOR_BGR2YCrCb)),
        ("histogram", gray, 0, lambda x: cv2.calcHist([x], [0], None, [256], [0, 256])),
        ("equalised", gray, one, lambda x: cv2.equalizeHist(x)),
        ("equalised by tiles", gray, one, lambda x: cv2.createCLAHE(4, (8, 8)).apply(x)),
        ("integral", gray, 0, lambda x: cv2.integral(x)),
        ("threshold", gray, 0, lambda x: cv2.adaptiveThreshold(x, 255, cv2.ADAPTIVE_THRESH_MEAN_C, 0, 7, 2)),
        ("matched", gray, 1e-3, lambda x: cv2.matchTemplate(x, gray[5:15, 7:21].copy() if isinstance(x, numpy.ndarray)
                                                            else cv2.UMat(gray[5:15, 7:21].copy()), 5)),
        ("smaller", color, one, lambda x: cv2.pyrDown(x)),
        ("spectrum", real, 1e-5, lambda x: cv2.dft(x, flags=cv2.DFT_COMPLEX_OUTPUT)),
        ("sum of rows", real, 1e-5, lambda x: cv2.reduce(x, 0, cv2.REDUCE_SUM)),
        ("weighted", color, one, lambda x: cv2.addWeighted(x, 0.3, x, 0.6, 2.5)),
    ]


def run(cv2, numpy):
    if not cv2.ocl.haveOpenCL() or "Lanewise" not in cv2.ocl.Device.getDefault().version():
        print("OpenCV does not use the driver")
        return 1
    cv2.ipp.setUseIPP(False)  # has borders of its own
    image = cv2.GaussianBlur(numpy.random.default_rng(1).integers(0, 256, (97, 131)).astype("u1"), (5, 5), 1.2)
    images = {"bytes": image, "floats": image.astype("f4") / 255}
    wrong = 0
    for name, source, tolerance, step in [*corner_steps(cv2, images), *other_steps(cv2, numpy, images)]:
        cv2.ocl.setUseOpenCL(False)
        expected = step(source)
        cv2.ocl.setUseOpenCL(True)
        result = step(cv2.UMat(source))
        result = result.get() if isinstance(result, cv2.UMat) else result
        largest = 255.0 if expected.dtype == numpy.uint8 else numpy.abs(expected).max()
        close = result.shape == expected.shape and bool(
            (numpy.abs(result.astype("f8") - expected) <= tolerance * largest + 1e-12).all())
        print(f"{name}: {'ok' if close else 'WRONG'}", flush=True)
        wrong += not close
    return 1 if wrong else 0


def main():
    loader = ctypes.util.find_library("OpenCL")
    if loader is None:
        print("skipped: there is no OpenCL loader")
        return session.SKIPPED
    return session.main(run, ["cv2", "numpy"],
                        {"OPENCV_OPENCL_RUNTIME": loader, "OPENCV_OPENCL_DEVICE": "Lanewise:CPU:",
                         "OPENCV_OPENCL_CACHE_ENABLE": "false"})


if __name__ == "__main__":
    sys.exit(main())
