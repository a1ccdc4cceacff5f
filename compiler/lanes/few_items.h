// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Vectors for kernels whose work-items fill none: iterations of their loops are the lanes (prepare/iterations.h).
#pragma once

#include <vector>

#include "compiler/base/options.h"
#include "compiler/lanes/decision.h"

namespace llvm {
class Function;
class TargetMachine;
}  // namespace llvm

namespace lanewise::spmd {

/// Vectorises loops inside of work-items, in a function none of whose work-item loops has a vector form. The function
/// stays as it is if no loop pays.
/// @returns the loops that have one now
std::vector<Decision> vectorise_iterations(llvm::Function& function, llvm::TargetMachine& machine,
                                           const Options& options);

}  // namespace lanewise::spmd
