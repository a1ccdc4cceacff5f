// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a work-group of a kernel has cost so far, for every (kernel, local size) that has run.
#pragma once

#include <atomic>
#include <cstdint>

namespace lanewise {

/// A running average of nanoseconds per work-group, one sample for each launch. One sample that is far above a small
/// one may be a thread that was preempted: it only casts a doubt, so that the next launches are measured. A second one
/// among them is another amount of work, and believed. Down it goes by halves: a heavy launch that is taken for a small
/// one costs more than a small one that is taken for a heavy one. Racing updates may lose a sample; nothing depends on
/// one.
class CostEstimate {
 public:
  /// The place of a key. Estimates live in a table of fixed size; two that meet in one place replace each other.
  static CostEstimate& of(std::uint64_t key);

  /// Nanoseconds per group, at least 1; 0: never measured for `key`.
  [[nodiscard]] std::uint64_t ns(std::uint64_t key) const;
  void add(std::uint64_t key, std::uint64_t groups, std::uint64_t ns);

  /// @param kernel  Kernel::identity: unlike an address, it never comes to mean another kernel
  /// @param items   work-items of a group
  static std::uint64_t key_of(std::uint64_t kernel, std::uint64_t items);
  /// Launches whose rows are divided (LaunchCost) are booked apart from those of `key`.
  static std::uint64_t key_of_parts(std::uint64_t key) { return key | 2U; }
  /// And those that run one work-item at a time.
  static std::uint64_t key_of_scalar(std::uint64_t key) { return key | 4U; }

 private:
  std::atomic<std::uint64_t> key_{0};
  std::atomic<float> ns_{0};
  std::atomic<int> doubts_{0};  ///< so many samples ago, or fewer, one was far above a small average
};

}  // namespace lanewise
