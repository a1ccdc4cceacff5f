// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_image of a mip level (cl_khr_mipmap_image): the level is given, or follows from gradients as in OpenGL 4.6, 8.14.
#include "image.h"

LW float log2(float);

// The level of detail within the sampler's bounds and those of the image. NaN is the lowest.
LW_INLINE float bounded_lod(lw_image image, ulong word, float lod) {
  const float unit = 1.0f / (float)(1 << LANEWISE_SAMPLER_LOD_FRACTION);
  const uint mask = (1u << LANEWISE_SAMPLER_LOD_BITS) - 1;
  const float low = (float)((uint)(word >> LANEWISE_SAMPLER_LOD_MIN) & mask) * unit;
  const float high = (float)((uint)(word >> LANEWISE_SAMPLER_LOD_MAX) & mask) * unit;
  const float last = (float)(image->level_count - 1);
  const float least = lod > low ? lod : low;
  const float most = least < high ? least : high;
  return most < last ? most : last;
}

LW_INLINE float4 sample_level(lw_shape shape, lw_image image, ulong word, float lod, float4 at) {
  const float bounded = bounded_lod(image, word, lod);
  if ((word & LANEWISE_SAMPLER_MIP_LINEAR) != 0) {
    const float low = lw_floor(bounded);
    const float weight = bounded - low;
    const lw_level fine = lw_level_of(image, (int)low);
    const lw_level coarse = lw_level_of(image, (int)low + 1);
    const float4 a = lw_sample(shape, image, &fine, word, at);
    const float4 b = lw_sample(shape, image, &coarse, word, at);
    return a * (1.0f - weight) + b * weight;
  }
  const lw_level level = lw_level_of(image, (int)__builtin_elementwise_ceil(bounded + 0.5f) - 1);
  return lw_sample(shape, image, &level, word, at);
}

LW_INLINE uint4 integers_of_level(lw_shape shape, lw_image image, ulong word, float lod, float4 at) {
  const float bounded = bounded_lod(image, word, lod);
  const lw_level level = lw_level_of(image, (int)__builtin_elementwise_ceil(bounded + 0.5f) - 1);
  return lw_sample_integers(shape, image, &level, word, at);
}

// The length of a gradient in texels, squared.
LW_INLINE float squared_length(lw_shape shape, lw_image image, ulong word, float4 gradient) {
  const bool normalised = (word & LANEWISE_SAMPLER_NORMALISED) != 0;
  const float g[3] = {gradient.x, gradient.y, gradient.z};
  float sum = 0.0f;
#pragma unroll
  for (int d = 0; d < shape.dims; ++d) {
    const float texels = normalised ? g[d] * (float)image->extent[d] : g[d];
    sum += texels * texels;
  }
  return sum;
}

LW_INLINE float lod_of(lw_shape shape, lw_image image, ulong word, float4 dx, float4 dy) {
  const float x = squared_length(shape, image, word, dx);
  const float y = squared_length(shape, image, word, dy);
  return 0.5f * log2(x > y ? x : y);
}

#define AS_FLOATS(x) (x)
#define AS_SIGNED(x) as_int4(x)
#define AS_UNSIGNED(x) (x)
#define AS_DEPTH(v) (v).s0

#define READ(Q, T, C, G, R, NAME, SAMPLE, MAKE)                                                                        \
  LW R NAME(Q T image, sampler_t sampler, C at, float lod) {                                                           \
    const lw_shape shape = LW_SHAPE_##T;                                                                               \
    return MAKE(SAMPLE(shape, __lw_image_descriptor(image), __lw_sampler_word(sampler), lod, lw_spread(at)));          \
  }                                                                                                                    \
  LW R NAME(Q T image, sampler_t sampler, C at, G dx, G dy) {                                                          \
    const lw_shape shape = LW_SHAPE_##T;                                                                               \
    const float lod = lod_of(shape, __lw_image_descriptor(image), __lw_sampler_word(sampler), lw_spread(dx), lw_spread(dy)); \
    return NAME(image, sampler, at, lod);                                                                              \
  }
#define READS(Q, T, C, G)                                                                                              \
  READ(Q, T, C, G, float4, read_imagef, sample_level, AS_FLOATS)                                                       \
  READ(Q, T, C, G, int4, read_imagei, integers_of_level, AS_SIGNED)                                                    \
  READ(Q, T, C, G, uint4, read_imageui, integers_of_level, AS_UNSIGNED)
#define ALL_READS(Q)                                                                                                   \
  READS(Q, image1d_t, float, float)                                                                                    \
  READS(Q, image1d_array_t, float2, float)                                                                             \
  READS(Q, image2d_t, float2, float2)                                                                                  \
  READS(Q, image2d_array_t, float4, float2)                                                                            \
  READS(Q, image3d_t, float4, float4)                                                                                  \
  READ(Q, image2d_depth_t, float2, float2, float, read_imagef, sample_level, AS_DEPTH)                                 \
  READ(Q, image2d_array_depth_t, float4, float2, float, read_imagef, sample_level, AS_DEPTH)

ALL_READS(read_only)
ALL_READS(read_write)
