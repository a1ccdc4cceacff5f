// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texels of images: from memory to colours and back (SPIR-V environment 7.4).
//
// Everything about the format comes from the image's description (include/lanewise/image_abi.h), which is the same for
// all work-items: branches on it are scalar in vector code. The sources of images are therefore compiled without the
// flag that turns branches into selects (CMakeLists.txt). Colours are arrays of four here, so that a vector of
// work-items has a register for each channel.
#pragma once

#include "define.h"
#include "include/lanewise/image_abi.h"

typedef __private const lanewise_image* lw_image;
typedef __private const lanewise_texel* lw_texel;
typedef uint4 __attribute__((aligned(4))) lw_unaligned4;
typedef uint2 __attribute__((aligned(4))) lw_unaligned2;
typedef uint __attribute__((aligned(2))) lw_unaligned_uint;
typedef ushort __attribute__((aligned(1))) lw_unaligned_ushort;

// The part of an image to which coordinates refer: a mip level.
typedef struct {
  __global char* data;
  ulong row, slice;
  int extent[3];
} lw_level;

// The largest number of texels that one read combines.
#define LW_TAPS 8

typedef struct {
  uint word[4];
} lw_words;

float __lw_srgb_to_linear(uint stored);
float __lw_linear_to_srgb(float linear);

LW_INLINE lw_level lw_level_0(lw_image image) {
  lw_level level = {image->data, image->row_pitch, image->slice_pitch,
                    {image->extent[0], image->extent[1], image->extent[2]}};
  return level;
}

// Level `number`, which may be any number: it is clamped to the levels of the image.
LW_INLINE lw_level lw_level_of(lw_image image, int number) {
  const int last = image->level_count - 1;
  const int index = number < 0 ? 0 : number > last ? last : number;
  const __global lanewise_image_level* from = &image->levels[index];
  lw_level level = {image->data + from->offset, from->row_pitch, from->slice_pitch,
                    {from->extent[0], from->extent[1], from->extent[2]}};
  return level;
}

LW_INLINE void lw_set_words(lw_words* texel, uint4 words) {
  texel->word[0] = words.x;
  texel->word[1] = words.y;
  texel->word[2] = words.z;
  texel->word[3] = words.w;
}

// Loads `count` texels: texel i is the one with index x[i] in the row at rows[i].
LW_INLINE void lw_load(uint bytes, int count, __global const char* const* rows, const int* x, lw_words* out) {
#pragma unroll
  for (int i = 0; i < count; ++i) out[i].word[0] = out[i].word[1] = out[i].word[2] = out[i].word[3] = 0;
  if (bytes == 4) {
#pragma unroll
    for (int i = 0; i < count; ++i) out[i].word[0] = ((__global const uint*)rows[i])[x[i]];
  } else if (bytes == 16) {
#pragma unroll
    for (int i = 0; i < count; ++i) lw_set_words(&out[i], ((__global const lw_unaligned4*)rows[i])[x[i]]);
  } else if (bytes == 8) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const uint2 both = ((__global const lw_unaligned2*)rows[i])[x[i]];
      out[i].word[0] = both.x;
      out[i].word[1] = both.y;
    }
  } else if (bytes == 2) {
#pragma unroll
    for (int i = 0; i < count; ++i) out[i].word[0] = ((__global const ushort*)rows[i])[x[i]];
  } else {
#pragma unroll
    for (int i = 0; i < count; ++i) out[i].word[0] = ((__global const uchar*)rows[i])[x[i]];
  }
}

// Loads the texels x and x + 1 of each row: those of rows[n] become out[2 n] and out[2 n + 1]. One access reads both.
LW_INLINE void lw_load_pairs(uint bytes, int count, __global const char* const* rows, int x, lw_words* out) {
#pragma unroll
  for (int i = 0; i < 2 * count; ++i) out[i].word[0] = out[i].word[1] = out[i].word[2] = out[i].word[3] = 0;
  if (bytes == 4) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const uint2 both = *(__global const lw_unaligned2*)&((__global const uint*)rows[i])[x];
      out[2 * i].word[0] = both.x;
      out[2 * i + 1].word[0] = both.y;
    }
  } else if (bytes == 16) {
#pragma unroll
    for (int i = 0; i < 2 * count; ++i)
      lw_set_words(&out[i], (&((__global const lw_unaligned4*)rows[i / 2])[x])[i & 1]);
  } else if (bytes == 8) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const uint4 both = *(__global const lw_unaligned4*)&((__global const lw_unaligned2*)rows[i])[x];
      out[2 * i].word[0] = both.x;
      out[2 * i].word[1] = both.y;
      out[2 * i + 1].word[0] = both.z;
      out[2 * i + 1].word[1] = both.w;
    }
  } else if (bytes == 2) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const uint both = *(__global const lw_unaligned_uint*)&((__global const ushort*)rows[i])[x];
      out[2 * i].word[0] = both & 0xFFFF;
      out[2 * i + 1].word[0] = both >> 16;
    }
  } else {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const uint both = *(__global const lw_unaligned_ushort*)&((__global const uchar*)rows[i])[x];
      out[2 * i].word[0] = both & 0xFF;
      out[2 * i + 1].word[0] = both >> 8;
    }
  }
}

LW_INLINE void lw_store(uint bytes, __global char* row, int x, const uint* word) {
  if (bytes == 4) {
    ((__global uint*)row)[x] = word[0];
  } else if (bytes == 16) {
    ((__global lw_unaligned4*)row)[x] = (uint4)(word[0], word[1], word[2], word[3]);
  } else if (bytes == 8) {
    ((__global lw_unaligned2*)row)[x] = (uint2)(word[0], word[1]);
  } else if (bytes == 2) {
    ((__global ushort*)row)[x] = (ushort)word[0];
  } else {
    ((__global uchar*)row)[x] = (uchar)word[0];
  }
}

// Channel `c` of a texel of at most 8 bytes, with its sign.
LW_INLINE uint lw_field(lw_texel t, const lw_words* texel, int c) {
  const uint word = t->word[c] != 0 ? texel->word[1] : texel->word[0];
  const uint field = (word >> t->shift[c]) & t->read_mask[c];
  return (field ^ t->sign) - t->sign;
}

// Half is exact in float; bits that the channel's mask removes read as 0.
LW_INLINE float lw_half_bits_to_float(uint bits) { return (float)as_half((ushort)bits); }

// The number divided by the largest one. The first product is exact, so there is one rounding, with and without fused
// operations. By a factor alone some numbers come out below, and programs that multiply again and round down are off by
// one.
LW_INLINE float lw_fraction(lw_texel t, float number, int c) {
#pragma clang fp contract(on)
  return number * t->read_scale[c] + number * t->read_rest[c];
}

// The number that a `narrow` texel has for channel `c`, and its colour.
LW_INLINE float lw_narrow_number(lw_texel t, uint word, int c) {
  return (float)(int)((word >> t->shift[c]) & t->read_mask[c]);
}
LW_INLINE float lw_narrow_colour(lw_texel t, bool rests, float number, int c) {
  const float value = rests ? lw_fraction(t, number, c) : number * t->read_scale[c];
  return c == 3 ? value + (float)t->missing : value;
}
LW_INLINE float lw_narrow_channel(lw_texel t, bool rests, uint word, int c) {
  return lw_narrow_colour(t, rests, lw_narrow_number(t, word, c), c);
}

// The value of a field of channel `c`, for formats of the other kinds.
LW_INLINE float lw_channel(uint kind, lw_texel t, uint field, int c) {
  if (kind == lanewise_texel_normalised) {
    const float scaled = lw_fraction(t, (float)(int)field, c);
    const float value = c == 3 ? scaled + (float)t->missing : scaled;
    return value > -1.0f ? value : -1.0f;
  }
  if (kind == lanewise_texel_srgb)
    return c < 3 ? __lw_srgb_to_linear(field & 255) : (float)field * t->read_scale[3] + (float)t->missing;
  if (kind == lanewise_texel_half) return lw_half_bits_to_float(field | (c == 3 ? t->missing * 0x3C00 : 0));
  return as_float(field | (c == 3 ? t->missing * 0x3F800000 : 0));
}

LW_INLINE void lw_channels(uint kind, lw_texel t, int count, uint (*fields)[4], float (*out)[4]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int c = 0; c < 4; ++c) out[i][c] = lw_channel(kind, t, fields[i][c], c);
}

LW_INLINE void lw_narrow_channels(lw_texel t, bool rests, int count, const lw_words* texels, float (*out)[4]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int c = 0; c < 4; ++c) out[i][c] = lw_narrow_channel(t, rests, texels[i].word[0], c);
}

LW_INLINE void lw_narrow_numbers(lw_texel t, int count, const lw_words* texels, float (*out)[4]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int c = 0; c < 4; ++c) out[i][c] = lw_narrow_number(t, texels[i].word[0], c);
}

// @param numbers  not scaled
LW_INLINE void lw_decode_narrow(lw_texel t, bool numbers, int count, const lw_words* texels, float (*out)[4]) {
  if (numbers)
    lw_narrow_numbers(t, count, texels, out);
  else if (t->rests != 0)
    lw_narrow_channels(t, true, count, texels, out);
  else
    lw_narrow_channels(t, false, count, texels, out);
}

LW_INLINE void lw_decode_words(int count, const lw_words* texels, float (*out)[4]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int c = 0; c < 4; ++c) out[i][c] = as_float(texels[i].word[c]);
}

// The colours of `count` texels as floats, or the numbers of narrow ones; for an integer format the result has no meaning.
LW_INLINE void lw_decode_floats(lw_texel t, bool numbers, int count, const lw_words* texels, float (*out)[4]) {
  if (t->bytes == 16) {
    lw_decode_words(count, texels, out);
    return;
  }
  if (t->kind == lanewise_texel_narrow) {
    lw_decode_narrow(t, numbers, count, texels, out);
    return;
  }
  uint fields[LW_TAPS][4];
#pragma unroll
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int c = 0; c < 4; ++c) fields[i][c] = lw_field(t, &texels[i], c);
  if (t->kind == lanewise_texel_normalised)
    lw_channels(lanewise_texel_normalised, t, count, fields, out);
  else if (t->kind == lanewise_texel_srgb)
    lw_channels(lanewise_texel_srgb, t, count, fields, out);
  else if (t->kind == lanewise_texel_half)
    lw_channels(lanewise_texel_half, t, count, fields, out);
  else
    lw_channels(lanewise_texel_float, t, count, fields, out);
}

// The colour of a texel of an integer format.
LW_INLINE void lw_decode_integers(lw_texel t, const lw_words* texel, uint* out) {
  if (t->bytes == 16) {
#pragma unroll
    for (int c = 0; c < 4; ++c) out[c] = texel->word[c];
    return;
  }
#pragma unroll
  for (int c = 0; c < 4; ++c) out[c] = lw_field(t, texel, c) | (c == 3 ? t->missing : 0);
}

// Combines the fields of a texel of at most 8 bytes.
LW_INLINE void lw_pack(lw_texel t, const uint* fields, uint* words) {
  words[0] = words[1] = words[2] = words[3] = 0;
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const uint field = (fields[c] & t->write_mask[c]) << t->shift[c];
    words[0] |= t->word[c] == 0 ? field : 0;
    words[1] |= t->word[c] == 0 ? 0 : field;
  }
}

// The value clamped to [low, high] and rounded to nearest even; NaN gives 0.
LW_INLINE uint lw_normalise(float value, float low, float high) {
  const float least = value > low ? value : low;
  const float scaled = value == value ? least : 0.0f;
  return (uint)(int)__builtin_elementwise_rint(scaled < high ? scaled : high);
}

// The bits of channel `c` of a `narrow` texel.
LW_INLINE uint lw_narrow_bits(lw_texel t, float value, int c) {
  const float scaled = value * t->write_scale[c];
  const float least = scaled > 0.0f ? scaled : 0.0f;  // NaN gives 0
  const float most = least < t->write_scale[c] ? least : t->write_scale[c];
  return (uint)(int)__builtin_elementwise_rint(most) << t->shift[c];
}

// The field of channel `c` for a value, for formats of the other kinds.
LW_INLINE uint lw_stored(uint kind, lw_texel t, float value, int c) {
  if (kind == lanewise_texel_normalised) return lw_normalise(value * t->write_scale[c], t->write_low, t->write_scale[c]);
  if (kind == lanewise_texel_srgb)
    return lw_normalise(c < 3 ? __lw_linear_to_srgb(value) : value * 255.0f, 0.0f, 255.0f);
  if (kind == lanewise_texel_half) return as_ushort((half)value);
  return as_uint(value);
}

LW_INLINE void lw_encode_narrow(lw_texel t, const float* colour, uint* words) {
  words[0] = words[1] = words[2] = words[3] = 0;
#pragma unroll
  for (int c = 0; c < 4; ++c) words[0] |= lw_narrow_bits(t, colour[c], c);
}

LW_INLINE void lw_encode_words(const float* colour, uint* words) {
#pragma unroll
  for (int c = 0; c < 4; ++c) words[c] = as_uint(colour[c]);
}

LW_INLINE void lw_stored_fields(uint kind, lw_texel t, const float* colour, uint* fields) {
#pragma unroll
  for (int c = 0; c < 4; ++c) fields[c] = lw_stored(kind, t, colour[c], c);
}

LW_INLINE void lw_encode_floats(lw_texel t, const float* colour, uint* words) {
  if (t->bytes == 16) {
    lw_encode_words(colour, words);
    return;
  }
  if (t->kind == lanewise_texel_narrow) {
    lw_encode_narrow(t, colour, words);
    return;
  }
  uint fields[4];
  if (t->kind == lanewise_texel_normalised)
    lw_stored_fields(lanewise_texel_normalised, t, colour, fields);
  else if (t->kind == lanewise_texel_srgb)
    lw_stored_fields(lanewise_texel_srgb, t, colour, fields);
  else if (t->kind == lanewise_texel_half)
    lw_stored_fields(lanewise_texel_half, t, colour, fields);
  else
    lw_stored_fields(lanewise_texel_float, t, colour, fields);
  lw_pack(t, fields, words);
}

LW_INLINE uint lw_saturated_signed(lw_texel t, int value) {
  const int high = (int)t->integer_high;
  const int least = value > t->integer_low ? value : t->integer_low;
  return (uint)(least < high ? least : high);
}

LW_INLINE uint lw_saturated_unsigned(lw_texel t, uint value) {
  return value < t->integer_high ? value : t->integer_high;
}

// The words of a texel of an integer format, of saturated fields.
LW_INLINE void lw_encode_integers(lw_texel t, const uint* fields, uint* words) {
  if (t->bytes == 16) {
#pragma unroll
    for (int c = 0; c < 4; ++c) words[c] = fields[c];
    return;
  }
  lw_pack(t, fields, words);
}
