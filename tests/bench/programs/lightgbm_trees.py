# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LightGBM: gradient-boosted trees whose histograms the device makes, of 63 and of 255 bins; seconds for each tree."""

import lightgbm
import numpy
from timing import expect, first_result, report_each

ROWS, FEATURES, TREES = 200_000, 32, 40
generator = numpy.random.default_rng(1)
samples = generator.random((ROWS, FEATURES), dtype=numpy.float32)
# What the trees have to find: a few features that matter, two of them together.
wanted = samples[:, 0] + 2 * samples[:, 1] * samples[:, 2] + (samples[:, 3] > 0.5)

for bins in (63, 255):
    options = {"objective": "regression", "device_type": "gpu", "max_bin": bins, "num_leaves": 63, "verbosity": -1}
    data = lightgbm.Dataset(samples, wanted, params=options)
    booster = lightgbm.Booster(options, data)
    booster.update()  # the kernels are compiled
    first_result(f"first_{bins}")
    report_each(f"trees_{bins}", TREES, lambda: [booster.update() for _ in range(TREES)])
    error = numpy.abs(booster.predict(samples[:10_000]) - wanted[:10_000]).mean()
    expect(error < 0.06, f"error {error}")
