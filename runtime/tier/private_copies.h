// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches whose kernel only adds to some buffers (abi::Accumulation): each chunk of work-groups adds to copies in the
/// worker's scratch memory, without locks, and brings the sums to the buffers when it ends. Otherwise every
/// addition takes its cache line from the other threads, so that a histogram of few bins is slower the more threads
/// take part.
///
/// A chunk is not delayed by others, and its changes arrive as it ends, in an order that relaxed atomics permit: the
/// kernel has no other access to the memory. That is known only of memory that the driver itself has allocated, whose
/// address the application does not have, and of which no other argument is a part.
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
    const MemoryRefs& memory;  ///< that the block points to
  };

  /// What the decision depends on besides the arguments.
  struct Size {
    std::uint64_t groups;   ///< of the launch
    std::uint64_t items;    ///< work-items of a group
    std::uint64_t threads;  ///< that may take part
  };

  /// Work-groups that a chunk should have at least. 0 if an argument is not fit for copies, or the launch is too small
  /// for what making and adding them up costs. Allocates nothing: every launch of such a kernel asks, and few have copies.
  static std::uint64_t grain_of(const abi::KernelInfo& info, const Arguments& args, const Size& size);

  /// For a launch that has a grain.
  PrivateCopies(const abi::KernelInfo& info, const Arguments& args);

  /// The copies will lie behind the kernel's own `bytes` of group scratch memory; returns the bytes of both.
  std::uint64_t lie_behind(std::uint64_t bytes);
  /// Makes the copies, after the memory has been reserved. Returns the argument block for the kernel.
  const std::byte* begin(Worker& worker, std::span<const std::byte> block) const;
  /// Adds them to the buffers.
  void end(Worker& worker) const;

 private:
  struct Copy {
    std::byte* real;
    std::uint64_t elements;
    abi::Accumulation what;
    std::uint8_t element_bytes;
    std::uint32_t argument_offset;  ///< in the argument block
    std::uint64_t at;               ///< behind the kernel's own memory
  };
  [[nodiscard]] std::byte* memory(Worker& worker) const;

  std::vector<Copy> copies_;
  std::uint64_t bytes_ = 0;   ///< of the argument block, and behind it all copies
  std::uint64_t behind_ = 0;  ///< what is before them in the worker's memory
};

}  // namespace lanewise
