// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known about the kernels of a program before their code is made: whether it can be made, and how much memory
/// it needs at most (design D30).
#pragma once

#include <cstdint>
#include <vector>

#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace lanewise {

/// The kernels of a module whose variables have been placed (variable_storage.h).
class Foresight {
 public:
  Foresight(llvm::Module& module, const std::vector<llvm::Function*>& kernels);

  /// Whether the code of each kernel can be made, and by itself. False if an error of the program may show only when
  /// code is made (recursion, sub-groups of a required size, sizes close to a limit, types and intrinsic functions that
  /// OpenCL does not have), or if kernels know each other (blocks, constructors of variables).
  /// @param infos  descriptions of the kernels, in their order
  [[nodiscard]] bool can_wait(const std::vector<abi::KernelInfo>& infos) const;

  /// Sets upper bounds of the memory that kernel `number` needs: `local_bytes` and `item_bytes`.
  void bound(std::size_t number, abi::KernelInfo& info) const;

  /// Whether the kernels are large together (effort.h).
  [[nodiscard]] bool large_program() const { return large_program_; }

 private:
  struct Bounds {
    std::uint64_t instructions = 0;   ///< after inlining, where functions share bodies (compiler/kernel/call_graph.h)
    std::uint64_t private_bytes = 0;  ///< bytes of all variables then
    std::uint64_t local_bytes = 0;    ///< bytes of the variables in local memory that it reaches
    bool used = false;                ///< something refers to the kernel
  };

  bool plain_ = true;  ///< no recursion, no calls of unknown functions, no variables of unknown size
  bool large_program_ = false;
  std::vector<Bounds> kernels_;
};

}  // namespace lanewise
