// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies of blocks of lines (OpenCL C 6.15.11, cl_khr_extended_async_copies), and the fence between async copies.
// As those of a line (async.cl): the work-items of the group share the copy, and waiting for it is a barrier.
#include "define.h"

LW size_t get_local_id(uint);
LW size_t get_local_size(uint);
LW __attribute__((convergent)) void barrier(cl_mem_fence_flags);

// Lengths are counted in units that are copied at once.
typedef struct {
  size_t width, lines, planes;
  size_t from_line, from_plane;
  size_t to_line, to_plane;
} block;

// Long lines one after the other, so that neighbours copy neighbours; short ones together, so that all have work. As
// there is no more than local memory on one side, 32 bits count the units.
#define COPY(TO, FROM, T)                                                                                             \
  LW_INLINE LW void copy_block(TO T* to, const FROM T* from, block b) {                                               \
    const size_t size = get_local_size(0) * get_local_size(1) * get_local_size(2);                                    \
    const size_t first = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0); \
    if (b.width >= size) {                                                                                            \
      for (size_t plane = 0; plane < b.planes; ++plane)                                                               \
        for (size_t line = 0; line < b.lines; ++line)                                                                 \
          for (size_t i = first; i < b.width; i += size)                                                              \
            to[plane * b.to_plane + line * b.to_line + i] = from[plane * b.from_plane + line * b.from_line + i];      \
      return;                                                                                                         \
    }                                                                                                                 \
    const uint width = b.width, lines = b.lines, all = width * lines * (uint)b.planes;                                \
    for (uint i = first; i < all; i += size) {                                                                        \
      const uint row = i / width, column = i - row * width;                                                           \
      const uint plane = b.planes == 1 ? 0 : row / lines, line = row - plane * lines;                                 \
      to[plane * b.to_plane + line * b.to_line + column] = from[plane * b.from_plane + line * b.from_line + column];  \
    }                                                                                                                 \
  }

// `b` in bytes. Words where everything is a multiple of them.
#define BLOCK(TO, FROM)                                                                                      \
  COPY(TO, FROM, uint)                                                                                       \
  COPY(TO, FROM, uchar)                                                                                      \
  LW_INLINE LW void copy_bytes(TO uchar* to, const FROM uchar* from, block b) {                              \
    const size_t odd = (size_t)to | (size_t)from | b.width | b.from_line | b.from_plane | b.to_line | b.to_plane; \
    if (odd % 4 != 0) return copy_block(to, from, b);                                                        \
    b.width /= 4, b.from_line /= 4, b.from_plane /= 4, b.to_line /= 4, b.to_plane /= 4;                      \
    copy_block((TO uint*)to, (const FROM uint*)from, b);                                                     \
  }                                                                                                          \
  LW event_t async_work_group_copy_2D2D(TO void* to, size_t to_offset, const FROM void* from, size_t from_offset, \
                                        size_t bytes, size_t elements, size_t lines, size_t from_line,       \
                                        size_t to_line, event_t event) {                                     \
    const block b = {elements * bytes, lines, 1, from_line * bytes, 0, to_line * bytes, 0};                  \
    copy_bytes((TO uchar*)to + to_offset * bytes, (const FROM uchar*)from + from_offset * bytes, b);         \
    return event;                                                                                            \
  }                                                                                                          \
  LW event_t async_work_group_copy_3D3D(TO void* to, size_t to_offset, const FROM void* from, size_t from_offset, \
                                        size_t bytes, size_t elements, size_t lines, size_t planes,          \
                                        size_t from_line, size_t from_plane, size_t to_line, size_t to_plane, \
                                        event_t event) {                                                     \
    const block b = {elements * bytes,   lines,           planes,          from_line * bytes,                \
                     from_plane * bytes, to_line * bytes, to_plane * bytes};                                 \
    copy_bytes((TO uchar*)to + to_offset * bytes, (const FROM uchar*)from + from_offset * bytes, b);         \
    return event;                                                                                            \
  }
BLOCK(__local, __global)
BLOCK(__global, __local)

// Copies that come before it are complete for those that come after it.
LW __attribute__((convergent)) void async_work_group_copy_fence(cl_mem_fence_flags flags) { barrier(flags); }
