# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gputools: a transform, a convolution and a denoising of pictures and volumes from a microscope."""

import gputools
import numpy
from timing import expect, report

picture = numpy.random.default_rng(1).random((512, 512), dtype=numpy.float32)
volume = numpy.random.default_rng(2).random((64, 64, 64), dtype=numpy.float32)
gputools.init_device(id_platform=0, id_device=0, use_gpu=False)
report("fft", lambda: gputools.fft(picture.astype(numpy.complex64)))
kernel = numpy.ones((5, 5, 5), numpy.float32)
report("convolve", lambda: gputools.convolve(volume, kernel))
report("nlm2", lambda: gputools.denoise.nlm2(picture, 0.1))
expect(numpy.allclose(gputools.fft(picture.astype(numpy.complex64)), numpy.fft.fft2(picture), rtol=1e-2, atol=1), "fft")
