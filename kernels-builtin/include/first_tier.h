// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images in code of the first tier, for which no format is known: part of image.h where LW_FIRST_TIER is defined.
//
// The most usual formats are read and written in place. All others are left to machine code that is there already
// (texel_lanes.cl): a kernel calls it for all lanes of a vector at once, and code for them need not be made with each
// kernel.
#define read_imagef __lw_first_read_imagef
#define read_imageh __lw_first_read_imageh
#define read_imagei __lw_first_read_imagei
#define read_imageui __lw_first_read_imageui
#define write_imagef __lw_first_write_imagef
#define write_imageh __lw_first_write_imageh
#define write_imagei __lw_first_write_imagei
#define write_imageui __lw_first_write_imageui

// Lane functions (compiler/builtins/lane_functions.h): the texel with index `x` in the row at the address `row`.
__attribute__((pure)) float4 __lw_lanes_read_floats(lw_texel t, ulong row, int x);
__attribute__((pure)) uint4 __lw_lanes_read_integers(lw_texel t, ulong row, int x);
void __lw_lanes_write_floats(lw_texel t, ulong row, int x, float4 colour);
void __lw_lanes_write_integers(lw_texel t, ulong row, int x, uint4 fields);

LW_INLINE ulong lw_row_of_tap(const lw_level* level, const lw_spot* spot, int tap) {
  return (ulong)lw_row(level, spot->axis[1].index[(tap >> 1) & 1], spot->axis[2].index[tap >> 2]);
}

// One number of 32 bits in each texel, for one channel or several.
LW_INLINE void lw_decode_single(lw_texel t, int count, const lw_words* texels, float (*out)[4]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int c = 0; c < 4; ++c)
      out[i][c] = as_float((texels[i].word[0] & t->read_mask[c]) | (c == 3 ? t->missing * 0x3F800000 : 0));
}

LW_INLINE void lw_read_floats(lw_texel t, uint sampler, const lw_level* level, const lw_spot* spot, bool numbers,
                              int count, float (*colours)[4]) {
  lw_words texels[LW_TAPS];
  if (t->bytes == 4 && (t->kind == lanewise_texel_narrow || t->kind == lanewise_texel_float)) {
    lw_taps_for(4, t->kind, sampler, level, spot, count, texels);
    if (t->kind == lanewise_texel_narrow)
      lw_decode_narrow(t, numbers, count, texels, colours);
    else
      lw_decode_single(t, count, texels, colours);
  } else if (count == 1 && t->bytes == 16) {
    lw_taps(16, level, spot, count, texels);
    lw_decode_words(count, texels, colours);
  } else {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const float4 colour = __lw_lanes_read_floats(t, lw_row_of_tap(level, spot, i), spot->axis[0].index[i & 1]);
      colours[i][0] = colour.x;
      colours[i][1] = colour.y;
      colours[i][2] = colour.z;
      colours[i][3] = colour.w;
    }
  }
}

LW_INLINE void lw_read_integers(lw_texel t, const lw_level* level, const lw_spot* spot, uint* colour) {
  if (t->bytes == 4) {
    lw_words texels[LW_TAPS];
    lw_taps(4, level, spot, 1, texels);
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      const uint field = (texels[0].word[0] >> t->shift[c]) & t->read_mask[c];
      colour[c] = ((field ^ t->sign) - t->sign) | (c == 3 ? t->missing : 0);
    }
    return;
  }
  const uint4 all = __lw_lanes_read_integers(t, lw_row_of_tap(level, spot, 0), spot->axis[0].index[0]);
  colour[0] = all.x;
  colour[1] = all.y;
  colour[2] = all.z;
  colour[3] = all.w;
}

// The word of a texel of 4 bytes.
LW_INLINE void lw_pack_word(lw_texel t, const uint* fields, uint* words) {
  words[0] = words[1] = words[2] = words[3] = 0;
#pragma unroll
  for (int c = 0; c < 4; ++c) words[0] |= (fields[c] & t->write_mask[c]) << t->shift[c];
}
