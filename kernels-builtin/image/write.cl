// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// write_image (OpenCL C 6.15.15.4), to level 0 and to a given one. Out of range nothing is written.
#include "image.h"

LW_INLINE bool is_inside(lw_shape shape, const lw_level* level, int4 at) {
  const int axes = shape.dims + (shape.layers ? 1 : 0);
  bool inside = (uint)at.x < (uint)level->extent[0];
  if (axes > 1) inside = inside & ((uint)at.y < (uint)level->extent[1]);
  if (axes > 2) inside = inside & ((uint)at.z < (uint)level->extent[2]);
  return inside;
}

LW_INLINE __global char* row_of(lw_shape shape, const lw_level* level, int4 at) {
  const int axes = shape.dims + (shape.layers ? 1 : 0);
  return lw_row(level, axes > 1 ? at.y : 0, axes > 2 ? at.z : 0);
}

LW_INLINE void store_inside(lw_shape shape, uint bytes, const lw_level* level, int4 at, const uint* words) {
  if (is_inside(shape, level, at)) lw_store(bytes, row_of(shape, level, at), at.x, words);
}

LW_INLINE LW void write_to(lw_shape shape, lw_image image, const lw_level* level, int4 at, float4 colour) {
  const lw_texel t = &image->texel;
  const float channels[4] = {colour.x, colour.y, colour.z, colour.w};
  uint words[4];
#ifdef LW_FIRST_TIER
  if (t->kind == lanewise_texel_narrow && t->bytes == 4) {
    lw_encode_narrow(t, channels, words);
    store_inside(shape, 4, level, at, words);
  } else if (t->bytes == 16) {
    lw_encode_words(channels, words);
    store_inside(shape, 16, level, at, words);
  } else if (is_inside(shape, level, at)) {
    __lw_lanes_write_floats(t, (ulong)row_of(shape, level, at), at.x, colour);
  }
#else
  lw_encode_floats(t, channels, words);
  store_inside(shape, t->bytes, level, at, words);
#endif
}

LW_INLINE void write_fields(lw_shape shape, lw_texel t, const lw_level* level, int4 at, const uint* fields) {
  uint words[4];
#ifdef LW_FIRST_TIER
  if (t->bytes == 4) {
    lw_pack_word(t, fields, words);
    store_inside(shape, 4, level, at, words);
  } else if (is_inside(shape, level, at)) {
    const uint4 all = (uint4)(fields[0], fields[1], fields[2], fields[3]);
    __lw_lanes_write_integers(t, (ulong)row_of(shape, level, at), at.x, all);
  }
#else
  lw_encode_integers(t, fields, words);
  store_inside(shape, t->bytes, level, at, words);
#endif
}

LW_INLINE LW void write_to(lw_shape shape, lw_image image, const lw_level* level, int4 at, int4 colour) {
  const lw_texel t = &image->texel;
  const uint fields[4] = {lw_saturated_signed(t, colour.x), lw_saturated_signed(t, colour.y),
                          lw_saturated_signed(t, colour.z), lw_saturated_signed(t, colour.w)};
  write_fields(shape, t, level, at, fields);
}

LW_INLINE LW void write_to(lw_shape shape, lw_image image, const lw_level* level, int4 at, uint4 colour) {
  const lw_texel t = &image->texel;
  const uint fields[4] = {lw_saturated_unsigned(t, colour.x), lw_saturated_unsigned(t, colour.y),
                          lw_saturated_unsigned(t, colour.z), lw_saturated_unsigned(t, colour.w)};
  write_fields(shape, t, level, at, fields);
}

#define AS_IS(x) (x)
#define AS_FLOATS(x) __builtin_convertvector(x, float4)
#define AS_RED(x) ((float4)(x, 0.0f, 0.0f, 1.0f))

#define WRITE(Q, T, C, A, NAME, TAKE)                                                                                  \
  LW void NAME(Q T image, C at, A colour) {                                                                            \
    const lw_image i = __lw_image_descriptor(image);                                                                   \
    const lw_level level = lw_level_0(i);                                                                              \
    const lw_shape shape = LW_SHAPE_##T;                                                                               \
    write_to(shape, i, &level, lw_spread(at), TAKE(colour));                                                           \
  }
// A level that the image does not have is out of range.
#define WRITE_LEVEL(Q, T, C, A, NAME, TAKE)                                                                            \
  LW void NAME(Q T image, C at, int lod, A colour) {                                                                   \
    const lw_image i = __lw_image_descriptor(image);                                                                   \
    if ((uint)lod >= (uint)i->level_count) return;                                                                     \
    const lw_level level = lw_level_of(i, lod);                                                                        \
    const lw_shape shape = LW_SHAPE_##T;                                                                               \
    write_to(shape, i, &level, lw_spread(at), TAKE(colour));                                                           \
  }
#define WRITES(W, Q, T, C)                                                                                             \
  W(Q, T, C, float4, write_imagef, AS_IS)                                                                              \
  W(Q, T, C, int4, write_imagei, AS_IS)                                                                                \
  W(Q, T, C, uint4, write_imageui, AS_IS)                                                                              \
  W(Q, T, C, half4, write_imageh, AS_FLOATS)
#define ALL_WRITES(W, Q)                                                                                               \
  WRITES(W, Q, image1d_t, int)                                                                                         \
  WRITES(W, Q, image1d_array_t, int2)                                                                                  \
  WRITES(W, Q, image2d_t, int2)                                                                                        \
  WRITES(W, Q, image2d_array_t, int4)                                                                                  \
  WRITES(W, Q, image3d_t, int4)                                                                                        \
  W(Q, image2d_depth_t, int2, float, write_imagef, AS_RED)                                                             \
  W(Q, image2d_array_depth_t, int4, float, write_imagef, AS_RED)

ALL_WRITES(WRITE, write_only)
ALL_WRITES(WRITE, read_write)
ALL_WRITES(WRITE_LEVEL, write_only)
ALL_WRITES(WRITE_LEVEL, read_write)
WRITES(WRITE, write_only, image1d_buffer_t, int)
WRITES(WRITE, read_write, image1d_buffer_t, int)
