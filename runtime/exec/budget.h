// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A limit on the memory of all commands enqueued to one queue: CL_QUEUE_SIZE of a queue on the device.
#pragma once

#include <atomic>
#include <cstdint>

namespace lanewise {

/// The bytes that a queue has left. Thread-safe.
class Budget {
 public:
  explicit Budget(std::uint64_t bytes) : left_(static_cast<std::int64_t>(bytes)) {}

  /// Takes `bytes`. False: fewer are left, and none has been taken.
  [[nodiscard]] bool take(std::uint64_t bytes) {
    const auto wanted = static_cast<std::int64_t>(bytes);
    if (left_.fetch_sub(wanted, std::memory_order_relaxed) >= wanted) return true;
    give(bytes);
    return false;
  }
  void give(std::uint64_t bytes) { left_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> left_;
};

}  // namespace lanewise
