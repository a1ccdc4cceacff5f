// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The arguments of one launch, copied at the enqueue: plain bytes, and the references that keep memory objects alive.
///
/// Every launch makes such an object, so the usual sizes are stored inside it and need no allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "include/lanewise/kernel_abi.h"
#include "runtime/exec/device_queue.h"
#include "runtime/memory/memory_refs.h"

namespace lanewise {

/// The argument block of kernel_abi.h. Up to kInline bytes, and alignments up to 16, stay inside the object.
class ArgumentBlock {
 public:
  static constexpr std::size_t kInline = 256;  ///< bytes

  ArgumentBlock() = default;
  ArgumentBlock(ArgumentBlock&& other) noexcept : heap_(std::exchange(other.heap_, nullptr)), size_(other.size_) {
    if (heap_ == nullptr) std::memcpy(inline_, other.inline_, size_);
  }
  ArgumentBlock& operator=(ArgumentBlock&&) = delete;
  ~ArgumentBlock() { release(); }

  /// Makes room for `size` uninitialised bytes. `align` is the largest alignment of an argument, in bytes.
  std::byte* reset(std::size_t size, std::size_t align) {
    release();
    size_ = size;
    if (size <= kInline && align <= alignof(std::max_align_t)) return inline_;
    heap_ = static_cast<std::byte*>(::operator new(size, std::align_val_t{LANEWISE_SCRATCH_ALIGN}));
    return heap_;
  }
  void set_address(std::size_t offset, const void* address) {
    std::memcpy((heap_ != nullptr ? heap_ : inline_) + offset, &address, sizeof address);
  }
  [[nodiscard]] const std::byte* data() const { return heap_ != nullptr ? heap_ : inline_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data(), size_}; }

 private:
  void release() noexcept {
    if (heap_ != nullptr) ::operator delete(std::exchange(heap_, nullptr), std::align_val_t{LANEWISE_SCRATCH_ALIGN});
  }

  alignas(std::max_align_t) std::byte inline_[kInline];
  std::byte* heap_ = nullptr;
  std::size_t size_ = 0;
};

/// The arguments of one launch, with the references that they need.
struct LaunchArgs {
  ArgumentBlock block;                     ///< `args` of the range function (kernel_abi.h)
  MemoryRefs memory;                       ///< every buffer that the block points to
  std::vector<Ref<DeviceQueue>> queues;    ///< every queue that the block has a handle of
  std::vector<std::uint64_t> local_sizes;  ///< LANEWISE_CHECK: bytes of each __local argument; empty: not known
  std::uint64_t local_bytes = 0;  ///< bytes of static __local variables and of the dynamic __local arguments after them
};

}  // namespace lanewise
