// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image without a sampler (OpenCL C 6.15.15.3). Coordinates out of range are undefined: here they read the edge.
#include "image.h"

#define READ(Q, T, C, R, NAME, SAMPLE, MAKE)                                                                           \
  LW R NAME(Q T image, C at) {                                                                                         \
    const lw_image i = __lw_image_descriptor(image);                                                                   \
    const lw_level level = lw_level_0(i);                                                                              \
    const lw_shape shape = LW_SHAPE_##T;                                                                               \
    return MAKE(SAMPLE(shape, i, &level, LANEWISE_SAMPLER_NEAREST, lw_spread(at)));                                    \
  }

#define AS_FLOATS(x) (x)
#define AS_HALVES(x) __builtin_convertvector(x, half4)
#define AS_SIGNED(x) as_int4(x)
#define AS_UNSIGNED(x) (x)
#define AS_DEPTH(v) (v).s0

#define READS(Q, T, I)                                                                                                 \
  READ(Q, T, I, float4, read_imagef, lw_sample_at, AS_FLOATS)                                                          \
  READ(Q, T, I, half4, read_imageh, lw_sample_at, AS_HALVES)                                                           \
  READ(Q, T, I, int4, read_imagei, lw_sample_integers_at, AS_SIGNED)                                                   \
  READ(Q, T, I, uint4, read_imageui, lw_sample_integers_at, AS_UNSIGNED)
#define ALL_READS(Q)                                                                                                   \
  READS(Q, image1d_t, int)                                                                                             \
  READS(Q, image1d_buffer_t, int)                                                                                      \
  READS(Q, image1d_array_t, int2)                                                                                      \
  READS(Q, image2d_t, int2)                                                                                            \
  READS(Q, image2d_array_t, int4)                                                                                      \
  READS(Q, image3d_t, int4)                                                                                            \
  READ(Q, image2d_depth_t, int2, float, read_imagef, lw_sample_at, AS_DEPTH)                                           \
  READ(Q, image2d_array_depth_t, int4, float, read_imagef, lw_sample_at, AS_DEPTH)

ALL_READS(read_only)
ALL_READS(read_write)
