// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory for objects that applications hold handles of.
///
/// A block that has held an object of one type is reused for objects of that type only, so the tag of a released handle
/// can always be read. The tag is `dead` until the block is reused; afterwards the two handles cannot be told apart.
/// Applications use released handles by mistake. Kernels use them by design, because they hold the handles of their
/// arguments without a reference (API 5.9.2).
#pragma once

#include <cstddef>

#include "src/base/list.h"
#include "src/base/mutex.h"

namespace lanewise {

/// The blocks of one type. Free blocks are kept. Under AddressSanitizer a free block is poisoned except for its handle
/// and its first two words, and is reused only after many others.
class HandleMemory {
 public:
  constexpr HandleMemory() = default;
  HandleMemory(const HandleMemory&) = delete;
  HandleMemory& operator=(const HandleMemory&) = delete;

  /// Takes a block. `bytes` is the same at every call. Null: out of memory.
  void* take(std::size_t bytes) noexcept;
  /// Gives a block back.
  /// @param handle  bytes from the start of the block to its `Handle`
  void give(void* block, std::size_t handle) noexcept;

 private:
  struct FreeBlock {
    FreeBlock* next;
  };
  struct Next {
    static FreeBlock*& of(FreeBlock& node) { return node.next; }
  };

  Mutex mutex_;  ///< innermost
  ForwardList<FreeBlock, Next> free_ GUARDED_BY(mutex_);
  std::size_t count_ GUARDED_BY(mutex_) = 0;  ///< number of free blocks
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;  ///< bytes of a block
};

}  // namespace lanewise
