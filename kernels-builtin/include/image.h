// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading images by coordinates: addressing modes and filters (SPIR-V environment 7.2).
//
// No access leaves the image, whatever the coordinates are: indices are clamped before memory is touched, and a border
// is chosen afterwards.
#pragma once

#include "texel.h"

// Functions that the compiler replaces (compiler/kernel/image_handles.h): the description of an image, the word of a
// sampler.
#define LW_IMAGE_HANDLES(F, ...)                                                                                       \
  F(read_only, __VA_ARGS__) F(write_only, __VA_ARGS__) F(read_write, __VA_ARGS__)
#define LW_IMAGE_TYPES(F, Q)                                                                                           \
  F(Q, image1d_t) F(Q, image1d_buffer_t) F(Q, image1d_array_t) F(Q, image2d_t) F(Q, image2d_array_t) F(Q, image3d_t)   \
  F(Q, image2d_depth_t) F(Q, image2d_array_depth_t)
#define LW_ALL_IMAGES(F) LW_IMAGE_TYPES(F, read_only) LW_IMAGE_TYPES(F, write_only) LW_IMAGE_TYPES(F, read_write)
#define LW_DESCRIPTOR(Q, T) LW __attribute__((const)) lw_image __lw_image_descriptor(Q T);
LW_ALL_IMAGES(LW_DESCRIPTOR)
__attribute__((const)) ulong __lw_sampler_word(sampler_t);

// The meaning of an image type's coordinates: how many of them are filtered, and whether the next one is a layer.
typedef struct {
  int dims;
  bool layers;
} lw_shape;

#define LW_SHAPE_image1d_t {1, false}
#define LW_SHAPE_image1d_buffer_t {1, false}
#define LW_SHAPE_image1d_array_t {1, true}
#define LW_SHAPE_image2d_t {2, false}
#define LW_SHAPE_image2d_array_t {2, true}
#define LW_SHAPE_image2d_depth_t {2, false}
#define LW_SHAPE_image2d_array_depth_t {2, true}
#define LW_SHAPE_image3d_t {3, false}

LW_INLINE int lw_clamp(int i, int low, int high) {
  const int least = i > low ? i : low;
  return least < high ? least : high;
}

// NaN becomes `low`.
LW_INLINE float lw_bounded(float x, float low, float high) {
  const float least = x > low ? x : low;
  return least < high ? least : high;
}

LW_INLINE int lw_layer(float coordinate, int count) {
  return (int)__builtin_elementwise_rint(lw_bounded(coordinate, 0.0f, (float)(count - 1)));
}

// Up to two neighbours on an axis.
typedef struct {
  int index[2];    // inside of the image
  bool inside[2];  // whether the texel is there, or in the border
  float weight;    // of the second neighbour
  int pair;        // the first of two texels that are in the image, for which the weight is right too; not with a border
} lw_axis;

LW_INLINE float lw_floor(float x) { return __builtin_elementwise_floor(x); }

// The texel at the place `at`, in units of texels, and with `linear` its next neighbour.
LW_INLINE lw_axis lw_clamped_axis(bool linear, float at, int size) {
  lw_axis axis;
  // All places more than one texel outside give the same; NaN becomes one of them.
  const float near = lw_bounded(at, -1.0f, (float)(size + 1));
  const float low = lw_floor(linear ? near - 0.5f : near);
  axis.weight = linear ? (near - 0.5f) - low : 0.0f;
  const int first = (int)low;
  axis.inside[0] = (uint)first < (uint)size;
  axis.inside[1] = (uint)(first + 1) < (uint)size;
  axis.index[0] = lw_clamp(first, 0, size - 1);
  axis.index[1] = lw_clamp(first + 1, 0, size - 1);
  return axis;
}

// The same where the texels at edges go on beyond them: there both neighbours are one texel, and the weight of a pair is 0
// or 1.
LW_INLINE lw_axis lw_edged_axis(bool linear, float at, int size) {
  lw_axis axis = lw_clamped_axis(linear, at, size);
  axis.inside[0] = axis.inside[1] = true;
  if (linear) {
    const float place = lw_bounded(at - 0.5f, 0.0f, (float)(size - 1));
    axis.index[0] = (int)place;
    axis.index[1] = (int)__builtin_elementwise_ceil(place);
    axis.pair = axis.index[0] < size - 2 ? axis.index[0] : size - 2;
    axis.weight = place - (float)axis.pair;
  }
  return axis;
}

// The same where the image begins again at its end: `at` is in the image or at its end.
LW_INLINE lw_axis lw_repeated_axis(bool linear, float at, int size) {
  lw_axis axis = lw_clamped_axis(linear, at, size);
  axis.inside[0] = axis.inside[1] = true;
  if (linear) {
    const float low = lw_floor(at - 0.5f);
    if (low < 0.0f) axis.index[0] = size - 1;
    if (low >= (float)(size - 1)) axis.index[1] = 0;
  }
  if (!linear && at >= (float)size) axis.index[0] = 0;
  return axis;
}

LW_INLINE lw_axis lw_place(uint sampler, bool linear, float coordinate, int size) {
  const uint mode = sampler & LANEWISE_SAMPLER_ADDRESSING;
  const float extent = (float)size;
  if (mode == LANEWISE_SAMPLER_REPEAT)
    return lw_repeated_axis(linear, (coordinate - lw_floor(coordinate)) * extent, size);
  if (mode == LANEWISE_SAMPLER_MIRROR) {
    const float nearest = 2.0f * __builtin_elementwise_rint(0.5f * coordinate);
    return lw_edged_axis(linear, __builtin_elementwise_abs(coordinate - nearest) * extent, size);
  }
  const bool normalised = (sampler & LANEWISE_SAMPLER_NORMALISED) != 0;
  const float at = normalised ? coordinate * extent : coordinate;
  return mode == LANEWISE_SAMPLER_CLAMP ? lw_clamped_axis(linear, at, size) : lw_edged_axis(linear, at, size);
}

LW_INLINE lw_axis lw_single(int index) {
  lw_axis axis = {{index, index}, {true, true}, 0.0f, index};
  return axis;
}

// All axes of a read; those that the image does not have are at 0.
typedef struct {
  lw_axis axis[3];
} lw_spot;

LW_INLINE lw_spot lw_find(lw_shape shape, const lw_level* level, uint sampler, bool linear, float4 at) {
  const float c[3] = {at.x, at.y, at.z};
  lw_spot spot;
#pragma unroll
  for (int d = 0; d < 3; ++d)
    spot.axis[d] = d < shape.dims                    ? lw_place(sampler, linear, c[d], level->extent[d])
                   : d == shape.dims && shape.layers ? lw_single(lw_layer(c[d], level->extent[d]))
                                                     : lw_single(0);
  return spot;
}

// Integer coordinates: the nearest texel.
LW_INLINE lw_spot lw_find_at(lw_shape shape, const lw_level* level, int4 at) {
  const int c[3] = {at.x, at.y, at.z};
  lw_spot spot;
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    const bool used = d < shape.dims + (shape.layers ? 1 : 0);
    spot.axis[d] = lw_single(used ? lw_clamp(c[d], 0, level->extent[d] - 1) : 0);
    if (d < shape.dims) spot.axis[d].inside[0] = (uint)c[d] < (uint)level->extent[d];
  }
  return spot;
}

LW_INLINE __global char* lw_row(const lw_level* level, int y, int z) {
  return level->data + (ulong)y * level->row + (ulong)z * level->slice;
}

// Loads the texels of all taps. Bit d of a tap's number says which of the two places on axis d it uses.
LW_INLINE void lw_taps(uint bytes, const lw_level* level, const lw_spot* spot, int count, lw_words* texels) {
  __global const char* rows[LW_TAPS];
  int x[LW_TAPS];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    rows[i] = lw_row(level, spot->axis[1].index[(i >> 1) & 1], spot->axis[2].index[i >> 2]);
    x[i] = spot->axis[0].index[i & 1];
  }
  lw_load(bytes, count, rows, x, texels);
}

LW_INLINE void lw_choose(bool second, const lw_words* pair, lw_words* texel) {
#pragma unroll
  for (int w = 0; w < 4; ++w) texel->word[w] = second ? pair[1].word[w] : pair[0].word[w];
}

// The same where both places on axis 0 are neighbours, or one place at an edge: pairs of texels are loaded from the
// place that has a neighbour.
// @param weighted  weights are those of the pairs; else the texels of places are chosen from them
LW_INLINE void lw_taps_of_neighbours(uint bytes, bool weighted, const lw_level* level, const lw_spot* spot, int count,
                                     lw_words* texels) {
  const int width = level->extent[0];
  __global const char* rows[LW_TAPS];
  lw_words pairs[LW_TAPS];
#pragma unroll
  for (int i = 0; i < count / 2; ++i) rows[i] = lw_row(level, spot->axis[1].index[i & 1], spot->axis[2].index[i >> 1]);
  if (width == 1) {
    const int x[LW_TAPS / 2] = {0, 0, 0, 0};
    lw_load(bytes, count / 2, rows, x, pairs);
#pragma unroll
    for (int i = 0; i < count; ++i) texels[i] = pairs[i / 2];
    return;
  }
  if (weighted) {
    lw_load_pairs(bytes, count / 2, rows, spot->axis[0].pair, texels);
    return;
  }
  const int* index = spot->axis[0].index;
  const int x = lw_clamp(index[0], 0, width - 2);
  lw_load_pairs(bytes, count / 2, rows, x, pairs);
  if (bytes > 4) {
    // Many words to choose, which work-items that are all in the interior skip.
#pragma unroll
    for (int i = 0; i < count; ++i) texels[i] = pairs[i];
    if (!__builtin_expect(index[0] != x || index[1] == x, 0)) return;
  }
#pragma unroll
  for (int i = 0; i < count; ++i) lw_choose(index[i & 1] != x, &pairs[i & ~1], &texels[i]);
}

LW_INLINE void lw_taps_for(uint bytes, uint kind, uint sampler, const lw_level* level, const lw_spot* spot, int count,
                           lw_words* texels) {
  const uint mode = sampler & LANEWISE_SAMPLER_ADDRESSING;
  // A weight of 0 does not take an infinite texel away.
  const bool finite = kind != lanewise_texel_float && kind != lanewise_texel_half;
  if (count > 1 && bytes <= 8 && mode != LANEWISE_SAMPLER_REPEAT)
    lw_taps_of_neighbours(bytes, finite && mode != LANEWISE_SAMPLER_CLAMP, level, spot, count, texels);
  else
    lw_taps(bytes, level, spot, count, texels);
}

#ifdef LW_FIRST_TIER
#include "first_tier.h"
#else
// The colours of all taps, or their numbers (lw_adds_numbers).
LW_INLINE void lw_read_floats(lw_texel t, uint sampler, const lw_level* level, const lw_spot* spot, bool numbers,
                              int count, float (*colours)[4]) {
  lw_words texels[LW_TAPS];
  lw_taps_for(t->bytes, t->kind, sampler, level, spot, count, texels);
  lw_decode_floats(t, numbers, count, texels, colours);
}

LW_INLINE void lw_read_integers(lw_texel t, const lw_level* level, const lw_spot* spot, uint* colour) {
  lw_words texel[LW_TAPS];
  lw_taps(t->bytes, level, spot, 1, texel);
  lw_decode_integers(t, &texel[0], colour);
}
#endif

LW_INLINE bool lw_tap_inside(const lw_spot* spot, int i) {
  return spot->axis[0].inside[i & 1] & spot->axis[1].inside[(i >> 1) & 1] & spot->axis[2].inside[i >> 2];
}

// Fused where the machine can, as in a kernel's own sums: the bounds of filtered reads are wide.
LW_INLINE float4 lw_weighted(int count, const float* weights, float (*colours)[4]) {
#pragma clang fp contract(on)
  float sum[4];
#pragma unroll
  for (int c = 0; c < 4; ++c) sum[c] = weights[0] * colours[0][c];
#pragma unroll
  for (int i = 1; i < count; ++i)
#pragma unroll
    for (int c = 0; c < 4; ++c) sum[c] = sum[c] + weights[i] * colours[i][c];
  return (float4)(sum[0], sum[1], sum[2], sum[3]);
}

// Whether a filter adds numbers as they are stored, and scales their sum. A border has colours only.
LW_INLINE bool lw_adds_numbers(lw_texel t, uint sampler, int count) {
  return count > 1 && t->bytes == 4 && t->kind == lanewise_texel_narrow &&
         (sampler & LANEWISE_SAMPLER_ADDRESSING) != LANEWISE_SAMPLER_CLAMP;
}

LW_INLINE float4 lw_narrow_colours(lw_texel t, bool rests, float4 sum) {
  return (float4)(lw_narrow_colour(t, rests, sum.x, 0), lw_narrow_colour(t, rests, sum.y, 1),
                  lw_narrow_colour(t, rests, sum.z, 2), lw_narrow_colour(t, rests, sum.w, 3));
}

LW_INLINE float4 lw_filtered(lw_shape shape, lw_texel t, uint sampler, const lw_level* level, const lw_spot* spot,
                             int count) {
  float colours[LW_TAPS][4];
  const bool numbers = lw_adds_numbers(t, sampler, count);
  lw_read_floats(t, sampler, level, spot, numbers, count, colours);
  if ((sampler & LANEWISE_SAMPLER_ADDRESSING) == LANEWISE_SAMPLER_CLAMP) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const bool inside = lw_tap_inside(spot, i);
#pragma unroll
      for (int c = 0; c < 4; ++c)
        colours[i][c] = inside ? colours[i][c] : c == 3 ? (float)t->border_alpha : 0.0f;
    }
  }
  if (count == 1) return (float4)(colours[0][0], colours[0][1], colours[0][2], colours[0][3]);
  float weights[LW_TAPS];
#pragma unroll
  for (int i = 0; i < count; ++i) {
    weights[i] = 1.0f;
#pragma unroll
    for (int d = 0; d < shape.dims; ++d) {
      const float w = spot->axis[d].weight;
      weights[i] *= ((i >> d) & 1) != 0 ? w : 1.0f - w;
    }
  }
  const float4 sum = lw_weighted(count, weights, colours);
  if (!numbers) return sum;
  return t->rests != 0 ? lw_narrow_colours(t, true, sum) : lw_narrow_colours(t, false, sum);
}

LW_INLINE float4 lw_sample(lw_shape shape, lw_image image, const lw_level* level, ulong word, float4 at) {
  const uint sampler = (uint)word;
  if ((sampler & LANEWISE_SAMPLER_LINEAR) != 0) {
    const lw_spot spot = lw_find(shape, level, sampler, true, at);
    return lw_filtered(shape, &image->texel, sampler, level, &spot, 1 << shape.dims);
  }
  const lw_spot spot = lw_find(shape, level, sampler, false, at);
  return lw_filtered(shape, &image->texel, sampler, level, &spot, 1);
}

LW_INLINE float4 lw_sample_at(lw_shape shape, lw_image image, const lw_level* level, ulong word, int4 at) {
  const lw_spot spot = lw_find_at(shape, level, at);
  return lw_filtered(shape, &image->texel, (uint)word, level, &spot, 1);
}

// Integer formats have no filter.
LW_INLINE uint4 lw_nearest_integers(lw_texel t, uint sampler, const lw_level* level, const lw_spot* spot) {
  uint colour[4];
  lw_read_integers(t, level, spot, colour);
  if ((sampler & LANEWISE_SAMPLER_ADDRESSING) == LANEWISE_SAMPLER_CLAMP) {
    const bool inside = lw_tap_inside(spot, 0);
#pragma unroll
    for (int c = 0; c < 4; ++c) colour[c] = inside ? colour[c] : c == 3 ? t->border_alpha : 0;
  }
  return (uint4)(colour[0], colour[1], colour[2], colour[3]);
}

LW_INLINE uint4 lw_sample_integers(lw_shape shape, lw_image image, const lw_level* level, ulong word, float4 at) {
  const lw_spot spot = lw_find(shape, level, (uint)word, false, at);
  return lw_nearest_integers(&image->texel, (uint)word, level, &spot);
}

LW_INLINE uint4 lw_sample_integers_at(lw_shape shape, lw_image image, const lw_level* level, ulong word, int4 at) {
  const lw_spot spot = lw_find_at(shape, level, at);
  return lw_nearest_integers(&image->texel, (uint)word, level, &spot);
}

// Coordinates of all types, extended to four components.
LW_INLINE LW float4 lw_spread(float x) { return (float4)(x, 0.0f, 0.0f, 0.0f); }
LW_INLINE LW float4 lw_spread(float2 x) { return (float4)(x.x, x.y, 0.0f, 0.0f); }
LW_INLINE LW float4 lw_spread(float4 x) { return x; }
LW_INLINE LW int4 lw_spread(int x) { return (int4)(x, 0, 0, 0); }
LW_INLINE LW int4 lw_spread(int2 x) { return (int4)(x.x, x.y, 0, 0); }
LW_INLINE LW int4 lw_spread(int4 x) { return x; }
