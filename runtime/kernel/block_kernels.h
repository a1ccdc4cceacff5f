// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The block kernels of one executable. Its kernels enqueue them by number (KernelInfo::block).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/object/object.h"

namespace lanewise {

class Kernel;
class Program;

/// The block kernels, created with a kernel of an executable with blocks. That kernel and its copies keep them. Block
/// kernels do not keep them: the launch of a block kernel holds the kernel that it was found through.
class BlockKernels {
 public:
  /// Creates the block kernels of the executable of `like`, a Kernel::Variant. Null: the executable has no blocks.
  template <class Variant>
  static std::shared_ptr<const BlockKernels> create(Program& program, const Variant& like);
  BlockKernels() = default;
  ~BlockKernels();
  BlockKernels(const BlockKernels&) = delete;
  BlockKernels& operator=(const BlockKernels&) = delete;

  /// The kernel of the block with this number. Null: there is no such block.
  [[nodiscard]] Kernel* find(std::uint64_t number) const {
    return number != 0 && number <= kernels_.size() ? kernels_[number - 1].get() : nullptr;
  }

 private:
  std::vector<Ref<Kernel>> kernels_;  ///< the kernel of block i + 1 at index i
};

}  // namespace lanewise
