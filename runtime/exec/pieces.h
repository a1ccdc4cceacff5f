// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ranges of pieces of a work, and the size of chunks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "src/base/rounding.h"

namespace lanewise {

/// Pieces [first, last) of a work.
struct Pieces {
  static constexpr unsigned kNoPart = ~0u;

  std::uint64_t first = 0;
  std::uint64_t last = 0;
  unsigned part = kNoPart;  ///< index of the part of Parts that they were taken from
  bool closes = false;      ///< no piece was left after these were taken
  [[nodiscard]] std::uint64_t count() const { return last - first; }
};

/// The number of pieces to take next. Chunks become smaller towards the end, so that all threads finish at about the
/// same time.
/// @param open     pieces that are left, as far as the thread knows
/// @param chunk    pieces that take the intended time
/// @param grain    the result is a multiple of this many pieces
/// @param threads  the largest number of participants
inline std::uint64_t next_size(std::uint64_t open, std::uint64_t chunk, std::uint64_t grain, unsigned threads) {
  const std::uint64_t fair = open / (2u * std::uint64_t{threads});
  const std::uint64_t size = std::min(chunk, std::max({fair, chunk / 4, grain}));
  return grain == 1 ? size : round_up(size, grain);
}

}  // namespace lanewise
