// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory for objects that applications hold handles of and that every launch makes.
#pragma once

#include <cstddef>

#include "runtime/object/handle_memory.h"
#include "runtime/object/pool.h"

namespace lanewise {

/// For one class of objects: all of one size, with their handle in the same place. Gives nothing back to malloc, because
/// handles are looked at after their end as well (handle_memory.h). T derives from an Object first.
template <class T>
struct HandlePool {
  /// Null: out of memory.
  static void* take(std::size_t size) noexcept {
    if constexpr (Pool::kEnabled) return Pool::take();
    return memory_.take(size);
  }
  static void give(void* block) noexcept {
    if constexpr (Pool::kEnabled) return Pool::give(block);
    memory_.give(block, T::kHandleOffset);
  }

 private:
  using Pool = BlockPool<T, BlockPool<T>::kAll>;
  static inline constinit HandleMemory memory_{};
};

}  // namespace lanewise
