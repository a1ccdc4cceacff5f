// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reused memory for objects that every launch creates: no call of malloc once the pool has blocks, and no lock between
/// the thread that enqueues and the thread that frees.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <thread>

#include "src/base/rounding.h"
#include "src/base/sanitizers.h"

namespace lanewise {

/// The free blocks of one type. `take` pops from a private list, which one exchange refills with all returned blocks,
/// so returning a block is a plain push (no ABA problem). A thread that finds the private list in use calls malloc. A
/// pool that keeps all its blocks would grow each time this happens, so there the thread waits for the few
/// instructions.
///
/// @tparam kKeep  largest number of free blocks; further blocks return to malloc
template <class T, int kKeep = 16384>
class BlockPool {
 public:
  static constexpr int kAll = std::numeric_limits<int>::max();  ///< value of kKeep for a pool that keeps all blocks
  /// Takes a block. Null: out of memory.
  static void* take() noexcept {
    if constexpr (kEnabled) {
      if (enter()) {
        if (free_ == nullptr) free_ = returned_.exchange(nullptr, std::memory_order_acquire);
        PooledBlock* node = free_;
        if (node != nullptr) free_ = node->next;
        busy_.clear(std::memory_order_release);
        if (node != nullptr) {
          count_.fetch_sub(1, std::memory_order_relaxed);
          return node;
        }
      }
    }
    return std::aligned_alloc(kAlign, round_up(sizeof(T), kAlign));
  }

  static void give(void* memory) noexcept {
    if constexpr (kEnabled) {
      if (count_.load(std::memory_order_relaxed) < kKeep) {
        count_.fetch_add(1, std::memory_order_relaxed);
        auto* node = static_cast<PooledBlock*>(memory);
        node->next = returned_.load(std::memory_order_relaxed);
        while (
            !returned_.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
        }
        return;
      }
    }
    std::free(memory);
  }

 private:
  /// Whether the caller may use the private list now.
  static bool enter() noexcept {
    if (!busy_.test_and_set(std::memory_order_acquire)) return true;
    if constexpr (kKeep != kAll) return false;
    while (busy_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    return true;
  }

  struct PooledBlock {
    PooledBlock* next;
  };
  static constexpr std::size_t kAlign = 64;  ///< bytes

 public:
  static constexpr bool kEnabled = !kAddressSanitizer;  // reuse would hide faults from AddressSanitizer

 private:
  static inline constinit std::atomic_flag busy_{};
  static inline constinit PooledBlock* free_ = nullptr;
  static inline constinit std::atomic<PooledBlock*> returned_{nullptr};
  static inline constinit std::atomic<int> count_{0};
};

}  // namespace lanewise
