// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries of images (OpenCL C 6.15.15.5).
#include "image.h"

#define QUERY(Q, T, R, NAME, VALUE)                                                                                    \
  LW R NAME(Q T image) {                                                                                               \
    const lw_image i = __lw_image_descriptor(image);                                                                   \
    return VALUE;                                                                                                      \
  }

#define EVERY(Q, T)                                                                                                    \
  QUERY(Q, T, int, get_image_width, i->extent[0])                                                                      \
  QUERY(Q, T, int, get_image_channel_data_type, (int)i->texel.type)                                                    \
  QUERY(Q, T, int, get_image_channel_order, (int)i->texel.order)
LW_ALL_IMAGES(EVERY)

#define PLANE(Q, T)                                                                                                    \
  QUERY(Q, T, int, get_image_height, i->extent[1])                                                                     \
  QUERY(Q, T, int2, get_image_dim, (int2)(i->extent[0], i->extent[1]))
#define LEVELS(Q, T) QUERY(Q, T, int, get_image_num_mip_levels, i->level_count)

#define ALL_QUERIES(Q)                                                                                                 \
  PLANE(Q, image2d_t)                                                                                                  \
  PLANE(Q, image2d_array_t)                                                                                            \
  PLANE(Q, image2d_depth_t)                                                                                            \
  PLANE(Q, image2d_array_depth_t)                                                                                      \
  QUERY(Q, image3d_t, int, get_image_height, i->extent[1])                                                             \
  QUERY(Q, image3d_t, int, get_image_depth, i->extent[2])                                                              \
  QUERY(Q, image3d_t, int4, get_image_dim, (int4)(i->extent[0], i->extent[1], i->extent[2], 0))                        \
  QUERY(Q, image1d_array_t, ulong, get_image_array_size, (ulong)i->extent[1])                                          \
  QUERY(Q, image2d_array_t, ulong, get_image_array_size, (ulong)i->extent[2])                                          \
  QUERY(Q, image2d_array_depth_t, ulong, get_image_array_size, (ulong)i->extent[2])                                    \
  LEVELS(Q, image1d_t)                                                                                                 \
  LEVELS(Q, image1d_array_t)                                                                                           \
  LEVELS(Q, image2d_t)                                                                                                 \
  LEVELS(Q, image2d_array_t)                                                                                           \
  LEVELS(Q, image3d_t)                                                                                                 \
  LEVELS(Q, image2d_depth_t)                                                                                           \
  LEVELS(Q, image2d_array_depth_t)

ALL_QUERIES(read_only)
ALL_QUERIES(write_only)
ALL_QUERIES(read_write)
