// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Private copies for launches whose kernel only accumulates in some buffers (abi::Accumulation). Each chunk of
/// work-groups adds to copies in the worker's scratch memory, without atomics, and adds the copies to the buffers when
/// it ends. Without copies, every addition takes its cache line from the other threads: a histogram of few bins becomes
/// slower with each thread.
///
/// A chunk does not wait for others. Its changes arrive when it ends, in an order that relaxed atomics permit, because
/// the kernel has no other access to the memory. This is known only of memory that the driver itself has allocated,
/// whose address the application does not have, and that no other argument overlaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "runtime/memory/memory_refs.h"

namespace lanewise {

class Worker;

class PrivateCopies {
 public:
  /// The arguments of a launch.
  struct Arguments {
    std::span<const std::byte> block;
    const MemoryRefs& memory;  ///< the memory that the block points to
  };

  /// What the decision depends on besides the arguments.
  struct Size {
    std::uint64_t groups;   ///< groups of the launch
    std::uint64_t items;    ///< work-items of a group
    std::uint64_t threads;  ///< the largest number of participants
  };

  /// The least number of work-groups that a chunk should have. 0: an argument is not fit for copies, or the launch is
  /// too small for the cost of making copies and adding them up. Allocates nothing, because every launch of such a
  /// kernel asks and few have copies.
  static std::uint64_t grain_of(const abi::KernelInfo& info, const Arguments& args, const Size& size);

  /// Makes the copies of a launch whose `grain_of` is not 0.
  PrivateCopies(const abi::KernelInfo& info, const Arguments& args);

  /// Places the copies after the kernel's own `bytes` bytes of group scratch memory. Returns the bytes of both
  /// together.
  std::uint64_t lie_behind(std::uint64_t bytes);
  /// Makes the copies in memory that has been reserved. Returns the argument block for the kernel.
  const std::byte* begin(Worker& worker, std::span<const std::byte> block) const;
  /// Adds the copies to the buffers.
  void end(Worker& worker) const;

 private:
  struct Copy {
    std::byte* real;
    std::uint64_t elements;
    abi::Accumulation what;
    std::uint8_t element_bytes;
    std::uint32_t argument_offset;  ///< bytes from the start of the argument block
    std::uint64_t at;               ///< bytes from the end of the kernel's own memory
  };
  [[nodiscard]] std::byte* memory(Worker& worker) const;

  std::vector<Copy> copies_;
  std::uint64_t bytes_ = 0;   ///< bytes of the argument block and of all copies after it
  std::uint64_t behind_ = 0;  ///< bytes of the kernel's own memory before them
};

}  // namespace lanewise
