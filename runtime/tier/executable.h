// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The code of a program on one device: an artifact whose code object is open, or whose kernels get their code when it
/// is wanted, and the second-tier code of its hot kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "include/lanewise/kernel_abi.h"
#include "runtime/code/artifact.h"
#include "runtime/code/code_object.h"
#include "runtime/tier/kernel_code.h"
#include "runtime/tier/tiers.h"
#include "src/base/result.h"

namespace lanewise {

/// Shared by the program and every kernel created from it. Immutable, except for the code and the tiers, which are
/// thread-safe.
struct Executable {
  ArtifactPtr artifact;
  Ref<CodeObject> code_object;                    ///< null: the program has no kernels, or Reply::lacks_code
  std::vector<std::unique_ptr<KernelCode>> code;  ///< code of each of `artifact->reply.kernels`
  std::vector<std::size_t> blocks;                ///< index in `code` of the block with number i + 1
  std::unique_ptr<Tiers> tiers;                   ///< code for hot local sizes
  ProgramIr ir = {};                              ///< IR of the artifact
  /// LANEWISE_VERIFY: the same program, one work-item at a time; else null.
  std::shared_ptr<const Executable> scalar = nullptr;

  /// The description of a kernel: complete if its code is there.
  [[nodiscard]] const abi::KernelInfo& info(std::size_t kernel) const { return code[kernel]->info(); }

  /// Opens the code object, if there is one, and finds the range function of each kernel. Errors: CL_INVALID_BINARY
  /// (the code object cannot be opened, a symbol is missing, or a description is refused).
  static Result<std::shared_ptr<const Executable>> open(ArtifactPtr artifact,
                                                        std::shared_ptr<const Executable> scalar = nullptr);
};
using ExecutablePtr = std::shared_ptr<const Executable>;

}  // namespace lanewise
