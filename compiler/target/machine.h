// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LLVM's description of the machine that kernels are compiled for.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Support/Error.h>

#include <memory>

#include "src/base/isa.h"

namespace llvm {
class TargetMachine;
class Triple;
}  // namespace llvm

namespace lanewise {

/// A code generator for `isa`: position-independent, small code model, a section per function. Error: this LLVM has no
/// back end for it.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> make_target_machine(Isa isa, bool optimise);

/// The functions of the C library that code objects have: those that the support object defines. A user's function
/// that happens to be called `sin` is not the C library's.
llvm::TargetLibraryInfoImpl library_functions(const llvm::Triple& triple);

}  // namespace lanewise
