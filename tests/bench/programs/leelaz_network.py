# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A network for Leela Zero with random weights, written to standard output in its text format (version 1): four
residual blocks of 64 filters, the heads of policy and value. It plays badly, and takes as long as one that was trained."""

import numpy

FILTERS, BLOCKS, PLANES, POINTS, HIDDEN = 64, 4, 18, 361, 256
generator = numpy.random.default_rng(1)


def line(values):
    print(" ".join(f"{value:.4f}" for value in values))


def normal(count, deviation):
    line(generator.normal(0, deviation, count))


def convolution(inputs, outputs, edge):
    """Weights, biases, and the means and variances of the normalisation behind."""
    normal(inputs * outputs * edge * edge, (2 / (inputs * edge)) ** 0.5)
    normal(outputs, 0.1)
    normal(outputs, 0.1)
    line(generator.uniform(0.5, 1.5, outputs))


def dense(inputs, outputs):
    normal(inputs * outputs, inputs**-0.5)
    normal(outputs, 0.1)


print(1)
convolution(PLANES, FILTERS, 3)
for _ in range(2 * BLOCKS):
    convolution(FILTERS, FILTERS, 3)
convolution(FILTERS, 2, 1)
dense(2 * POINTS, POINTS + 1)
convolution(FILTERS, 1, 1)
dense(POINTS, HIDDEN)
dense(HIDDEN, 1)
