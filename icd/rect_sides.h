// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The arguments of rectangular commands on linear memory, checked (API 5.2.2).
#pragma once

#include <CL/cl.h>

#include <cstddef>

#include "icd/boundary.h"
#include "runtime/layout/rect.h"

namespace lanewise {

/// Throws CL_INVALID_VALUE.
inline Region region_of(const std::size_t* region) {
  require(region != nullptr, CL_INVALID_VALUE, "region is NULL");
  require(region[0] != 0 && region[1] != 0 && region[2] != 0, CL_INVALID_VALUE, "a region element is 0");
  return {region[0], region[1], region[2]};
}

/// One side of a rectangular command: its pitches and the offset of its first byte.
struct Side {
  Pitch pitch;
  std::size_t begin;
};

/// Throws CL_INVALID_VALUE.
inline Side side_of(const std::size_t* origin, const Region& region, std::size_t row_pitch, std::size_t slice_pitch) {
  require(origin != nullptr, CL_INVALID_VALUE, "origin is NULL");
  Side side{};
  require(resolve_pitch(region, row_pitch, slice_pitch, side.pitch), CL_INVALID_VALUE, "pitch too small");
  require(rect_begin({origin[0], origin[1], origin[2]}, side.pitch, side.begin), CL_INVALID_VALUE, "origin overflows");
  return side;
}

}  // namespace lanewise
