// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of the objects that applications hold handles of. A block that has held an object of one type is used only
/// for objects of that type again, so the tag behind a released handle can always be read: it is `dead` until the block
/// is reused (and then the two handles cannot be told apart). Released handles are read by mistakes of applications,
/// and by design by kernels, which hold the handles of their arguments without a reference (API 5.9.2).
#pragma once

#include <cstddef>

#include "src/base/list.h"
#include "src/base/mutex.h"

namespace lanewise {

/// The blocks of one type; free blocks stay here. Under AddressSanitizer a free block is poisoned except for its handle
/// and its first two words, and is reused only after many others.
class HandleMemory {
 public:
  constexpr HandleMemory() = default;
  HandleMemory(const HandleMemory&) = delete;
  HandleMemory& operator=(const HandleMemory&) = delete;

  /// `bytes` is the same at every call. Null: out of memory.
  void* take(std::size_t bytes) noexcept;
  /// @param handle  offset of the `Handle` in the block
  void give(void* block, std::size_t handle) noexcept;

 private:
  struct Node {
    Node* next;
  };
  struct Next {
    static Node*& of(Node& node) { return node.next; }
  };

  Mutex mutex_;  ///< innermost
  ForwardList<Node, Next> free_ GUARDED_BY(mutex_);
  std::size_t count_ GUARDED_BY(mutex_) = 0;  ///< of them
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;  ///< size of a block
};

}  // namespace lanewise
