// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of LLVM's passes run on a range function, depending on how expensive a build may be.
///
/// LLVM's default O3 is made for modules of C++: on a kernel, which is one function, already inlined, in SSA form and
/// vectorised, half of its time goes into passes that find nothing. Build time is bounded by the size of the kernel,
/// never by a clock: the same source gives the same code on every machine. Many kernels that are large together count
/// like one large kernel, because a program seldom runs all of them. Kernels that proved hot get everything, whatever
/// their size, in the background (time_budget.h).
#pragma once

#include <llvm/IR/PassManager.h>

#include "compiler/base/effort.h"

namespace llvm {
class PassBuilder;
}

namespace lanewise {

/// Adds to `passes` those that run after the work-group lowering. `scalar_code`: our own vectoriser left work-item
/// loops scalar, or stores of single elements.
void add_passes(llvm::ModulePassManager& passes, llvm::PassBuilder& builder, Effort effort, bool scalar_code);

}  // namespace lanewise
