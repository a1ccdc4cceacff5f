// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The measured cost of a work-group for every (kernel, local size) that has run.
#pragma once

#include <atomic>
#include <cstdint>

namespace lanewise {

/// A running average of nanoseconds per work-group, with one sample for each measured launch. If the average is small,
/// a single sample far above it may come from a preempted thread: it only makes the estimate doubtful, so that the next
/// launches are measured. A second such sample among them means that there is more work, and is accepted. A smaller
/// sample only halves the difference, because taking an expensive launch for a cheap one costs more than the reverse.
/// Racing updates may lose a sample, which does no harm.
class CostEstimate {
 public:
  /// The slot of a key in a table of fixed size. Two keys with the same slot replace each other.
  static CostEstimate& of(std::uint64_t key);

  /// Nanoseconds per group, at least 1; 0: never measured for `key`.
  [[nodiscard]] std::uint64_t ns(std::uint64_t key) const;
  /// Adds a sample: `groups` groups took `ns` nanoseconds, summed over all threads.
  void add(std::uint64_t key, std::uint64_t groups, std::uint64_t ns);

  /// The key of a kernel's launches with one local size.
  /// @param kernel  Kernel::identity, which unlike an address is never reused for another kernel
  /// @param items   work-items of a group
  static std::uint64_t key_of(std::uint64_t kernel, std::uint64_t items);
  /// The key of launches whose rows are divided among threads (LaunchCost).
  static std::uint64_t key_of_parts(std::uint64_t key) { return key | 2U; }
  /// The key of launches that run one work-item at a time.
  static std::uint64_t key_of_scalar(std::uint64_t key) { return key | 4U; }
  /// The key of launches that work on private copies.
  static std::uint64_t key_of_copies(std::uint64_t key) { return key | 8U; }

 private:
  std::atomic<std::uint64_t> key_{0};
  std::atomic<float> ns_{0};
  std::atomic<int> doubts_{0};  ///< number of next samples in which one far above the average is accepted
};

}  // namespace lanewise
