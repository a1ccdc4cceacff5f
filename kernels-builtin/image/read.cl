// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image with a sampler (OpenCL C 6.15.15.2): level 0 of an image.
#include "image.h"

#define READ(T, C, R, NAME, SAMPLE, MAKE)                                                                              \
  LW R NAME(read_only T image, sampler_t sampler, C at) {                                                              \
    const lw_image i = __lw_image_descriptor(image);                                                                   \
    const lw_level level = lw_level_0(i);                                                                              \
    const lw_shape shape = LW_SHAPE_##T;                                                                               \
    return MAKE(SAMPLE(shape, i, &level, __lw_sampler_word(sampler), lw_spread(at)));                                  \
  }

#define AS_FLOATS(x) (x)
#define AS_HALVES(x) __builtin_convertvector(x, half4)
#define AS_SIGNED(x) as_int4(x)
#define AS_UNSIGNED(x) (x)
#define AS_DEPTH(v) (v).s0

#define READS(T, F, I)                                                                                                 \
  READ(T, F, float4, read_imagef, lw_sample, AS_FLOATS)                                                                \
  READ(T, I, float4, read_imagef, lw_sample_at, AS_FLOATS)                                                             \
  READ(T, F, half4, read_imageh, lw_sample, AS_HALVES)                                                                 \
  READ(T, I, half4, read_imageh, lw_sample_at, AS_HALVES)                                                              \
  READ(T, F, int4, read_imagei, lw_sample_integers, AS_SIGNED)                                                         \
  READ(T, I, int4, read_imagei, lw_sample_integers_at, AS_SIGNED)                                                      \
  READ(T, F, uint4, read_imageui, lw_sample_integers, AS_UNSIGNED)                                                     \
  READ(T, I, uint4, read_imageui, lw_sample_integers_at, AS_UNSIGNED)
#define DEPTH_READS(T, F, I)                                                                                           \
  READ(T, F, float, read_imagef, lw_sample, AS_DEPTH)                                                                  \
  READ(T, I, float, read_imagef, lw_sample_at, AS_DEPTH)

READS(image1d_t, float, int)
READS(image1d_array_t, float2, int2)
READS(image2d_t, float2, int2)
READS(image2d_array_t, float4, int4)
READS(image3d_t, float4, int4)
DEPTH_READS(image2d_depth_t, float2, int2)
DEPTH_READS(image2d_array_depth_t, float4, int4)
