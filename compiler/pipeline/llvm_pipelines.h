// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of LLVM's passes run on a range function, depending on how expensive a build may be.
///
/// LLVM's default O3 is made for modules of C++. A kernel is one function, already inlined, in SSA form and vectorised,
/// and half of O3's time on it goes into passes that find nothing. The effort (compiler/base/effort.h) decides how many
/// passes a kernel gets.
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/base/effort.h"

namespace llvm {
class PassBuilder;
}

namespace lanewise {

/// Adds the passes that run after the work-group lowering.
/// @param scalar_code  the vectoriser has left work-item loops scalar, or stores of single elements
void add_passes(llvm::ModulePassManager& passes, llvm::PassBuilder& builder, Effort effort, bool scalar_code);

}  // namespace lanewise
