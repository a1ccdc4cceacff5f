// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_media_block_io: a sub-group reads and writes a region of an image, `width` elements of 1, 2 or 4 bytes wide.
// Counted row by row, element i * S + l of the region is component i of work-item l of S. x is in bytes, whatever the
// image's format is. Out of range, reads repeat the texel at the edge, and writes do nothing.
#include "image.h"

uint __attribute__((overloadable)) get_sub_group_local_id(void);
uint __attribute__((overloadable)) get_max_sub_group_size(void);

// Which element of the region component `i` of this work-item is.
LW_INLINE int place_in_region(int i) { return i * (int)get_max_sub_group_size() + (int)get_sub_group_local_id(); }

// The byte at `x` of a row, which goes on with copies of the texels at its ends.
LW_INLINE uint byte_at(__global const uchar* row, int x, int texels, int texel_bytes) {
  const int inside = x & (texel_bytes - 1);
  return row[lw_clamp(x - inside, 0, (texels - 1) * texel_bytes) + inside];
}

#define ELEMENT(T)                                                                                                     \
  LW_INLINE T read_element_##T(lw_image i, int2 at, int width, int height, int place) {                                \
    const T undefined = 0;                                                                                             \
    if (place >= width * height) return undefined;                                                                     \
    const int size = (int)sizeof(T), texel_bytes = (int)i->texel.bytes;                                                \
    const int x = at.x + place % width * size;                                                                         \
    const int y = lw_clamp(at.y + place / width, 0, i->extent[1] - 1);                                                 \
    __global const uchar* row = (__global const uchar*)i->data + (ulong)y * i->row_pitch;                              \
    if (x >= 0 && x + size <= i->extent[0] * texel_bytes) return *(__global const T*)(row + x);                        \
    uint bytes = 0;                                                                                                    \
    for (int b = 0; b < size; ++b) bytes |= byte_at(row, x + b, i->extent[0], texel_bytes) << (8 * b);                 \
    return (T)bytes;                                                                                                   \
  }                                                                                                                    \
  LW_INLINE void write_element_##T(lw_image i, int2 at, int width, int height, int place, T value) {                   \
    const int size = (int)sizeof(T), x = at.x + place % width * size, y = at.y + place / width;                        \
    const bool inside = x >= 0 && x + size <= i->extent[0] * (int)i->texel.bytes && y >= 0 && y < i->extent[1];        \
    if (place < width * height && inside) *(__global T*)(i->data + (ulong)y * i->row_pitch + (ulong)x) = value;        \
  }
ELEMENT(uchar)
ELEMENT(ushort)
ELEMENT(uint)

#define READ(Q, T, S, N)                                                                                               \
  LW T##N intel_sub_group_media_block_read##S##N(int2 at, int width, int height, Q image2d_t image) {                  \
    T##N block;                                                                                                        \
    const lw_image i = __lw_image_descriptor(image);                                                                   \
    for (int c = 0; c < N; ++c) block[c] = read_element_##T(i, at, width, height, place_in_region(c));                 \
    return block;                                                                                                      \
  }
#define WRITE(Q, T, S, N)                                                                                              \
  LW void intel_sub_group_media_block_write##S##N(int2 at, int width, int height, T##N block, Q image2d_t image) {     \
    const lw_image i = __lw_image_descriptor(image);                                                                   \
    for (int c = 0; c < N; ++c) write_element_##T(i, at, width, height, place_in_region(c), block[c]);                 \
  }
#define READS(Q, T, S)                                                                                                 \
  LW T intel_sub_group_media_block_read##S(int2 at, int width, int height, Q image2d_t image) {                        \
    return read_element_##T(__lw_image_descriptor(image), at, width, height, place_in_region(0));                      \
  }                                                                                                                    \
  READ(Q, T, S, 2) READ(Q, T, S, 4) READ(Q, T, S, 8)
#define WRITES(Q, T, S)                                                                                                \
  LW void intel_sub_group_media_block_write##S(int2 at, int width, int height, T value, Q image2d_t image) {           \
    write_element_##T(__lw_image_descriptor(image), at, width, height, place_in_region(0), value);                     \
  }                                                                                                                    \
  WRITE(Q, T, S, 2) WRITE(Q, T, S, 4) WRITE(Q, T, S, 8)
#define BLOCKS(T, S) READS(read_only, T, S) READS(read_write, T, S) WRITES(write_only, T, S) WRITES(read_write, T, S)
#define BLOCKS_16(T, S)                                                                                                \
  BLOCKS(T, S) READ(read_only, T, S, 16) READ(read_write, T, S, 16) WRITE(write_only, T, S, 16)                        \
  WRITE(read_write, T, S, 16)

BLOCKS(uint, _ui)
BLOCKS_16(ushort, _us)
BLOCKS_16(uchar, _uc)
