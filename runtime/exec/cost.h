// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a work-group of a kernel has cost so far, for every (code, local size) that has run.
#pragma once

#include <atomic>
#include <cstdint>

namespace lanewise {

/// An exponential average of nanoseconds per work-group. Racing updates may lose a sample; nothing depends on one.
class CostEstimate {
 public:
  /// Of this code at this many work-items per group. Estimates live in a table of fixed size; two kernels that meet in
  /// one place replace each other.
  static CostEstimate& of(const void* code, std::uint64_t items);

  /// Nanoseconds per group, at least 1; 0: never measured for `key`.
  [[nodiscard]] std::uint64_t ns(std::uint64_t key) const;
  void add(std::uint64_t key, std::uint64_t groups, std::uint64_t ns);

  static std::uint64_t key_of(const void* code, std::uint64_t items);

 private:
  std::atomic<std::uint64_t> key_{0};
  std::atomic<float> ns_{0};
};

}  // namespace lanewise
