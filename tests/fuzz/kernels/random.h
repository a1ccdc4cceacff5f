// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a generator of kernels asks of random numbers (src/base/random.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/base/random.h"

namespace lanewise::fuzz {

class Random : public SplitMix {
 public:
  using SplitMix::SplitMix;
  /// In [0, n); n > 0.
  unsigned below(std::uint64_t n) { return static_cast<unsigned>(next() % n); }
  /// In [low, high].
  unsigned between(unsigned low, unsigned high) { return low + below(high - low + 1); }
  bool percent(unsigned p) { return below(100) < p; }
  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[below(list.size())];
  }
};

}  // namespace lanewise::fuzz
