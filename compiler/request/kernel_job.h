// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One kernel from canonical IR to an object file.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Error.h>

#include <vector>

#include "compiler/base/options.h"
#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace lanewise {

/// Compiles kernel `info.name` of `module`, which cannot be used afterwards: every other kernel in it is dropped. Fills
/// the fields of `info` that depend on the body and returns the object, whose only visible symbol is `info.symbol`.
/// Thread-safe for distinct contexts. `report`, if given, receives what became of each work-item loop.
/// Errors, for the build log: what the user's program cannot do (recursion and so on), or "internal compiler error".
llvm::Expected<llvm::SmallVector<char, 0>> compile_kernel(llvm::Module& module, abi::KernelInfo& info,
                                                          const CodegenOptions& options,
                                                          std::vector<abi::LoopReport>* report = nullptr);

}  // namespace lanewise
