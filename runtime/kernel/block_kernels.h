// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The kernels of the blocks of one executable, which its kernels enqueue by their numbers (KernelInfo::block).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/object/object.h"

namespace lanewise {

class Kernel;
class Program;

/// Made with the first kernel of the program that is created from an executable with blocks, and kept by that one and
/// its copies. Kernels of blocks do not keep it: whoever launches one holds the kernel that it has it from.
class BlockKernels {
 public:
  /// Those of the executable that `like`, a Kernel::Variant, is of. Null: it has none.
  template <class Variant>
  static std::shared_ptr<const BlockKernels> create(Program& program, const Variant& like);
  BlockKernels() = default;
  ~BlockKernels();
  BlockKernels(const BlockKernels&) = delete;
  BlockKernels& operator=(const BlockKernels&) = delete;

  /// Null: there is no such block.
  [[nodiscard]] Kernel* find(std::uint64_t number) const {
    return number != 0 && number <= kernels_.size() ? kernels_[number - 1].get() : nullptr;
  }

 private:
  std::vector<Ref<Kernel>> kernels_;  ///< of block i + 1 at i
};

}  // namespace lanewise
