// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multi-sampled images (cl_khr_gl_msaa_sharing). Each sample of a layer is a slice, and the number of samples stands in
// the place of the number of mip levels, which these images do not have (runtime/layout/description.cpp).
#include "image.h"

#define FLAT_TYPES(F, Q) F(Q, image2d_msaa_t) F(Q, image2d_msaa_depth_t)
#define ARRAY_TYPES(F, Q) F(Q, image2d_array_msaa_t) F(Q, image2d_array_msaa_depth_t)
#define TYPES(F, Q) FLAT_TYPES(F, Q) ARRAY_TYPES(F, Q)
#define EVERY_TYPE(F) TYPES(F, read_only) TYPES(F, write_only) TYPES(F, read_write)
EVERY_TYPE(LW_DESCRIPTOR)

// The coordinates of a sample in the array of all slices.
LW_INLINE int4 lw_slice(lw_image i, int2 at, int layer, int sample) {
  const int samples = i->level_count;
  return (int4)(at.x, at.y, layer * samples + lw_clamp(sample, 0, samples - 1), 0);
}

#define READ(Q, T, C, LAYER, R, NAME, SAMPLE, MAKE)                                                                    \
  LW R NAME(Q T image, C at, int sample) {                                                                             \
    const lw_image i = __lw_image_descriptor(image);                                                                   \
    const lw_level level = lw_level_0(i);                                                                              \
    const lw_shape shape = LW_SHAPE_image2d_array_t;                                                                   \
    return MAKE(SAMPLE(shape, i, &level, LANEWISE_SAMPLER_NEAREST, lw_slice(i, at.xy, LAYER, sample)));                \
  }

#define AS_FLOATS(x) (x)
#define AS_SIGNED(x) as_int4(x)
#define AS_UNSIGNED(x) (x)
#define AS_DEPTH(v) (v).s0

#define READS(Q, T, C, LAYER)                                                                                          \
  READ(Q, T, C, LAYER, float4, read_imagef, lw_sample_at, AS_FLOATS)                                                   \
  READ(Q, T, C, LAYER, int4, read_imagei, lw_sample_integers_at, AS_SIGNED)                                            \
  READ(Q, T, C, LAYER, uint4, read_imageui, lw_sample_integers_at, AS_UNSIGNED)
#define ALL_READS(Q)                                                                                                   \
  READS(Q, image2d_msaa_t, int2, 0)                                                                                    \
  READS(Q, image2d_array_msaa_t, int4, at.z)                                                                           \
  READ(Q, image2d_msaa_depth_t, int2, 0, float, read_imagef, lw_sample_at, AS_DEPTH)                                   \
  READ(Q, image2d_array_msaa_depth_t, int4, at.z, float, read_imagef, lw_sample_at, AS_DEPTH)
ALL_READS(read_only)
ALL_READS(read_write)

#define QUERY(Q, T, R, NAME, VALUE)                                                                                    \
  LW R NAME(Q T image) {                                                                                               \
    const lw_image i = __lw_image_descriptor(image);                                                                   \
    return VALUE;                                                                                                      \
  }
#define QUERIES(Q, T)                                                                                                  \
  QUERY(Q, T, int, get_image_width, i->extent[0])                                                                      \
  QUERY(Q, T, int, get_image_height, i->extent[1])                                                                     \
  QUERY(Q, T, int2, get_image_dim, (int2)(i->extent[0], i->extent[1]))                                                 \
  QUERY(Q, T, int, get_image_channel_data_type, (int)i->texel.type)                                                    \
  QUERY(Q, T, int, get_image_channel_order, (int)i->texel.order)                                                       \
  QUERY(Q, T, int, get_image_num_samples, i->level_count)
EVERY_TYPE(QUERIES)
#define LAYERS(Q, T) QUERY(Q, T, ulong, get_image_array_size, (ulong)(i->extent[2] / i->level_count))
ARRAY_TYPES(LAYERS, read_only)
ARRAY_TYPES(LAYERS, write_only)
ARRAY_TYPES(LAYERS, read_write)
