// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of images that a sub-group reads and writes together (cl_intel_subgroups, _short, _char, _long): work-item i
// takes element i of each row, whatever the image's format is. x is in bytes. Out of range, reads give the texel at the
// edge, and writes do nothing.
#include "image.h"

uint __attribute__((overloadable)) get_sub_group_local_id(void);

// The byte offset of a work-item's element in its row.
LW_INLINE int place_in_row(int2 at, int size) { return at.x + (int)get_sub_group_local_id() * size; }

#define ROW(T)                                                                                                         \
  LW_INLINE T read_row_##T(lw_image i, int2 at, int row) {                                                             \
    const int last = i->extent[0] * (int)i->texel.bytes - (int)sizeof(T);                                              \
    const int x = lw_clamp(place_in_row(at, (int)sizeof(T)), 0, last > 0 ? last : 0);                                  \
    const int y = lw_clamp(at.y + row, 0, i->extent[1] - 1);                                                           \
    const T outside = 0;                                                                                               \
    return last < 0 ? outside : *(__global const T*)(i->data + (ulong)y * i->row_pitch + (ulong)x);                    \
  }                                                                                                                    \
  LW_INLINE void write_row_##T(lw_image i, int2 at, int row, T value) {                                                \
    const int last = i->extent[0] * (int)i->texel.bytes - (int)sizeof(T);                                              \
    const int x = place_in_row(at, (int)sizeof(T)), y = at.y + row;                                                    \
    if (x >= 0 && x <= last && y >= 0 && y < i->extent[1])                                                             \
      *(__global T*)(i->data + (ulong)y * i->row_pitch + (ulong)x) = value;                                            \
  }
ROW(uchar)
ROW(ushort)
ROW(uint)
ROW(ulong)

#define READ(Q, T, S, N)                                                                                               \
  LW T##N intel_sub_group_block_read##S##N(Q image2d_t image, int2 at) {                                               \
    T##N block;                                                                                                        \
    const lw_image i = __lw_image_descriptor(image);                                                                   \
    for (int row = 0; row < N; ++row) block[row] = read_row_##T(i, at, row);                                           \
    return block;                                                                                                      \
  }
#define WRITE(Q, T, S, N)                                                                                              \
  LW void intel_sub_group_block_write##S##N(Q image2d_t image, int2 at, T##N block) {                                  \
    const lw_image i = __lw_image_descriptor(image);                                                                   \
    for (int row = 0; row < N; ++row) write_row_##T(i, at, row, block[row]);                                           \
  }
#define READS(Q, T, S)                                                                                                 \
  LW T intel_sub_group_block_read##S(Q image2d_t image, int2 at) {                                                     \
    return read_row_##T(__lw_image_descriptor(image), at, 0);                                                          \
  }                                                                                                                    \
  READ(Q, T, S, 2) READ(Q, T, S, 4) READ(Q, T, S, 8)
#define WRITES(Q, T, S)                                                                                                \
  LW void intel_sub_group_block_write##S(Q image2d_t image, int2 at, T value) {                                        \
    write_row_##T(__lw_image_descriptor(image), at, 0, value);                                                         \
  }                                                                                                                    \
  WRITE(Q, T, S, 2) WRITE(Q, T, S, 4) WRITE(Q, T, S, 8)
#define BLOCKS(T, S) READS(read_only, T, S) READS(read_write, T, S) WRITES(write_only, T, S) WRITES(read_write, T, S)
#define BLOCKS_16(T, S)                                                                                                \
  BLOCKS(T, S) READ(read_only, T, S, 16) READ(read_write, T, S, 16) WRITE(write_only, T, S, 16)                        \
  WRITE(read_write, T, S, 16)

BLOCKS(uint, )
BLOCKS(uint, _ui)
BLOCKS(ulong, _ul)
BLOCKS_16(ushort, _us)
BLOCKS_16(uchar, _uc)
