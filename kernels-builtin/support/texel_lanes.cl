// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane functions for texels (compiler/builtins/lane_functions.h), as machine code: LANES texels of any format at once.
// Kernels of the first tier call them (include/first_tier.h). Bit `i` of `mask` says whether lane i is active; results
// are by channel. Without an active lane (a vector of work-items that have all returned) nothing else that is given means
// anything, `texel` neither.
//
// Everything is a loop over the lanes that the compiler of this file turns into vectors; branches on the format stand
// outside of them.
#include "texel.h"

#define EACH _Pragma("clang loop unroll(disable) vectorize(enable) interleave(disable)") for (int i = 0; i < LANES; ++i)
#define ALL ((1u << LANES) - 1)
#define ACTIVE ((mask >> i & 1) != 0)

typedef uint __attribute__((aligned(4 * LANES))) Lanes[LANES];
typedef ulong Address;

// The address of each lane's texel. True: they are neighbours, and all lanes are active.
LW_INLINE bool find_texels(uint bytes, ulong mask, const ulong* rows, const int* x, Address* at) {
  const int size = __builtin_ctz(bytes);  // the processor shifts vectors faster than it multiplies them
  ulong apart = mask ^ ALL;
  EACH at[i] = rows[i] + ((ulong)(long)x[i] << size);
  EACH apart |= at[i] - at[0] - ((ulong)i << size);
  return apart == 0;
}

// What lanes read that are not active.
static __constant const uint4 kNoTexel = 0;

// N words of each texel. Texels apart from each other are put side by side first: a vector of a texel's words is one
// load.
#define LOAD_WORDS(N, T, V)                                                                                            \
  {                                                                                                                    \
    T texels[N * LANES];                                                                                               \
    const T* from = (const T*)at[0];                                                                                   \
    if (!together) {                                                                                                   \
      for (int i = 0; i < LANES; ++i) *(V*)&texels[(N) * i] = *(const V*)at[i];                                        \
      from = texels;                                                                                                   \
    }                                                                                                                  \
    EACH for (int w = 0; w < (N); ++w) word[w][i] = from[(N) * i + w];                                                 \
  }
#define STORE_WORDS(N, T)                                                                                              \
  {                                                                                                                    \
    if (together) {                                                                                                    \
      __global T* to = (__global T*)at[0];                                                                             \
      EACH for (int w = 0; w < (N); ++w) to[(N) * i + w] = (T)word[w][i];                                              \
    } else {                                                                                                           \
      for (int i = 0; i < LANES; ++i)                                                                                  \
        if (ACTIVE)                                                                                                    \
          for (int w = 0; w < (N); ++w) ((__global T*)at[i])[w] = (T)word[w][i];                                       \
    }                                                                                                                  \
  }

// Texels of four words: the words of four lanes are put side by side by shuffles that work within 128 bits, where a
// vector that was stored in pieces would have to wait for them.
#if LANES == 16
typedef uint16 Row;
#define SHUFFLE(a, b, x, y, z, w)                                                                                      \
  __builtin_shufflevector(a, b, x, y + 16, z, w + 16, x + 4, y + 20, z + 4, w + 20, x + 8, y + 24, z + 8, w + 24,      \
                          x + 12, y + 28, z + 12, w + 28)
#define ROW(j) (Row)(FOUR(j), FOUR(j + 4), FOUR(j + 8), FOUR(j + 12))
#define SHUFFLE_PAIRS(a, b, x)                                                                                         \
  __builtin_shufflevector(a, b, x, x + 1, x + 16, x + 17, x + 4, x + 5, x + 20, x + 21, x + 8, x + 9, x + 24, x + 25,  \
                          x + 12, x + 13, x + 28, x + 29)
#else
typedef uint8 Row;
#define SHUFFLE(a, b, x, y, z, w)                                                                                      \
  __builtin_shufflevector(a, b, x, y + 8, z, w + 8, x + 4, y + 12, z + 4, w + 12)
#define ROW(j) (Row)(FOUR(j), FOUR(j + 4))
#define SHUFFLE_PAIRS(a, b, x)                                                                                         \
  __builtin_shufflevector(a, b, x, x + 1, x + 8, x + 9, x + 4, x + 5, x + 12, x + 13)
#endif
#define FOUR(j) (uint4)(*(const lw_unaligned4*)at[j])

LW_INLINE void load_fours(const Address* at, Lanes* word) {
  const Row a = ROW(0), b = ROW(1), c = ROW(2), d = ROW(3);
  const Row ab = SHUFFLE(a, b, 0, 0, 1, 1), cd = SHUFFLE(c, d, 0, 0, 1, 1);
  const Row ab_high = SHUFFLE(a, b, 2, 2, 3, 3), cd_high = SHUFFLE(c, d, 2, 2, 3, 3);
  *(Row*)word[0] = SHUFFLE_PAIRS(ab, cd, 0);
  *(Row*)word[1] = SHUFFLE_PAIRS(ab, cd, 2);
  *(Row*)word[2] = SHUFFLE_PAIRS(ab_high, cd_high, 0);
  *(Row*)word[3] = SHUFFLE_PAIRS(ab_high, cd_high, 2);
}

LW_INLINE void load_texels(uint bytes, ulong mask, const ulong* rows, const int* x, Lanes* word) {
  Address at[LANES];
  const bool together = find_texels(bytes, mask, rows, x, at);
  if (mask != ALL) EACH at[i] = ACTIVE ? at[i] : (Address)&kNoTexel;
  for (int w = 1; w < 4; ++w) EACH word[w][i] = 0;
  switch (bytes) {
    case 1: LOAD_WORDS(1, uchar, uchar) break;
    case 2: LOAD_WORDS(1, ushort, ushort) break;
    case 4: LOAD_WORDS(1, uint, uint) break;
    case 8: LOAD_WORDS(2, uint, lw_unaligned2) break;
    default: load_fours(at, word); break;
  }
}

LW_INLINE void store_texels(uint bytes, ulong mask, const ulong* rows, const int* x, Lanes* word) {
  Address at[LANES];
  const bool together = find_texels(bytes, mask, rows, x, at);
  switch (bytes) {
    case 1: STORE_WORDS(1, uchar) break;
    case 2: STORE_WORDS(1, ushort) break;
    case 4: STORE_WORDS(1, uint) break;
    case 8: STORE_WORDS(2, uint) break;
    default: STORE_WORDS(4, uint) break;
  }
}

#define EACH_CHANNEL _Pragma("unroll") for (int c = 0; c < 4; ++c)

LW_INLINE void fields_of(lw_texel t, const Lanes* word, Lanes* field) {
  EACH_CHANNEL EACH {
    const lw_words texel = {{word[0][i], word[1][i], 0, 0}};
    field[c][i] = lw_field(t, &texel, c);
  }
}

#define DECODE(K)                                                                                                      \
  case K:                                                                                                              \
    EACH_CHANNEL EACH out[c][i] = lw_channel(K, &t, field[c][i], c);                                                   \
    break;

void __lw_lanes_read_floats_all(lw_texel texel, ulong mask, const ulong* rows, const int* x, float (*out)[LANES]) {
  if (mask == 0) return;
  const lanewise_texel t = *texel;  // which no store below can change
  Lanes word[4], field[4];
  load_texels(t.bytes, mask, rows, x, word);
  if (t.bytes == 16) {
    EACH_CHANNEL EACH out[c][i] = as_float(word[c][i]);
    return;
  }
  if (t.kind == lanewise_texel_narrow) {
    if (t.rests != 0)
      EACH_CHANNEL EACH out[c][i] = lw_narrow_channel(&t, true, word[0][i], c);
    else
      EACH_CHANNEL EACH out[c][i] = lw_narrow_channel(&t, false, word[0][i], c);
    return;
  }
  fields_of(&t, word, field);
  switch (t.kind) {
    DECODE(lanewise_texel_normalised)
    DECODE(lanewise_texel_srgb)
    DECODE(lanewise_texel_half)
    default:
      DECODE(lanewise_texel_float)
  }
}

void __lw_lanes_read_integers_all(lw_texel texel, ulong mask, const ulong* rows, const int* x, Lanes* out) {
  if (mask == 0) return;
  const lanewise_texel t = *texel;
  Lanes word[4];
  load_texels(t.bytes, mask, rows, x, word);
  if (t.bytes == 16) {
    EACH_CHANNEL EACH out[c][i] = word[c][i];
    return;
  }
  fields_of(&t, word, out);
  EACH out[3][i] |= t.missing;
}

LW_INLINE void pack_fields(lw_texel t, const Lanes* field, Lanes* word) {
  EACH {
    const uint fields[4] = {field[0][i], field[1][i], field[2][i], field[3][i]};
    uint words[4];
    lw_pack(t, fields, words);
    word[0][i] = words[0];
    word[1][i] = words[1];
  }
}

#define ENCODE(K)                                                                                                      \
  case K:                                                                                                              \
    EACH_CHANNEL EACH field[c][i] = lw_stored(K, &t, colour[c][i], c);                                                 \
    break;

void __lw_lanes_write_floats_all(lw_texel texel, ulong mask, const ulong* rows, const int* x,
                                 const float (*colour)[LANES]) {
  if (mask == 0) return;
  const lanewise_texel t = *texel;
  Lanes word[4], field[4];
  if (t.bytes == 16) {
    EACH_CHANNEL EACH word[c][i] = as_uint(colour[c][i]);
  } else if (t.kind == lanewise_texel_narrow) {
    EACH word[0][i] = 0;
    EACH_CHANNEL EACH word[0][i] |= lw_narrow_bits(&t, colour[c][i], c);
  } else {
    switch (t.kind) {
      ENCODE(lanewise_texel_normalised)
      ENCODE(lanewise_texel_srgb)
      ENCODE(lanewise_texel_half)
      default:
        ENCODE(lanewise_texel_float)
    }
    pack_fields(&t, field, word);
  }
  store_texels(t.bytes, mask, rows, x, word);
}

void __lw_lanes_write_integers_all(lw_texel texel, ulong mask, const ulong* rows, const int* x, const Lanes* field) {
  if (mask == 0) return;
  const lanewise_texel t = *texel;
  Lanes word[4];
  if (t.bytes == 16) {
    EACH_CHANNEL EACH word[c][i] = field[c][i];
  } else {
    pack_fields(&t, field, word);
  }
  store_texels(t.bytes, mask, rows, x, word);
}
