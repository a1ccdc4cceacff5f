// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/object/handle_memory.h"

#include <cstdlib>

#include "include/lanewise/handle.h"
#include "src/base/rounding.h"
#include "src/base/sanitizers.h"

#if LANEWISE_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace lanewise {

namespace {

constexpr std::size_t kLine = 64;

#if LANEWISE_ADDRESS_SANITIZER
constexpr std::size_t kQuarantine = 4096;
/// Poisons everything except the handle and the first two words: the link, which LeakSanitizer must see, and the
/// internal count, which may be read while the object is being destroyed.
void poison(void* block, std::size_t bytes, std::size_t handle) {
  constexpr std::size_t kReadable = 2 * sizeof(void*);
  auto* begin = static_cast<std::byte*>(block);
  __asan_poison_memory_region(begin + kReadable, handle - kReadable);
  __asan_poison_memory_region(begin + handle + sizeof(Handle), bytes - handle - sizeof(Handle));
}
void unpoison(void* block, std::size_t bytes) {
  __asan_unpoison_memory_region(block, bytes);
}
#else
constexpr std::size_t kQuarantine = 0;
void poison(void*, std::size_t, std::size_t) {}
void unpoison(void*, std::size_t) {}
#endif

}  // namespace

void* HandleMemory::take(std::size_t bytes) noexcept {
  bytes = round_up(bytes, kLine);
  {
    const MutexLock lock(mutex_);
    bytes_ = bytes;
    if (count_ > kQuarantine) {
      FreeBlock* node = free_.pop();
      unpoison(node, bytes);
      --count_;
      return node;
    }
  }
  return std::aligned_alloc(kLine, bytes);
}

void HandleMemory::give(void* block, std::size_t handle) noexcept {
  const MutexLock lock(mutex_);
  auto* node = static_cast<FreeBlock*>(block);
  free_.push_back(*node);
  ++count_;
  if (bytes_ != 0) poison(node, bytes_, handle);  // else it is the first, of a parent process
}

}  // namespace lanewise
