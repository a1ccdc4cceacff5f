// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory for objects that applications hold handles of and that every launch creates.
#pragma once

#include <cstddef>

#include "runtime/object/handle_memory.h"
#include "runtime/object/pool.h"

namespace lanewise {

/// The pool of one class T of objects, whose first base is an Object. It returns nothing to malloc, because handles are
/// read even after their object's end (handle_memory.h).
template <class T>
struct HandlePool {
  /// Takes a block of `size` bytes. Null: out of memory.
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
