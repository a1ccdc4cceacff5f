// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK=arith, overflow: reports operations whose result OpenCL C does not define, or defines in a way that
/// few expect, on canonical IR, before divisions get a result for every pair of operands:
///
///     integer division and remainder    by zero, and of the smallest number by -1
///     shifts                            by the width or more: the language takes the amount modulo the width
///     floating point to integer         a value that the type does not have, without _sat
///     -cl-fast-relaxed-math             a NaN of operands that are numbers; NaN is taken for a value like others then
///     overflow: +, -, * of signed       an exact result that the type does not have
///
///     %q = sdiv i32 %x, %y        =>    %bad = icmp eq i32 %y, 0
///                                       br %bad, %fault, %rest
///                                     fault:
///                                       call i64 @__lw_check(...)
///                                     rest:
///                                       %q = sdiv i32 %x, %y
///
/// The operation itself stays.
///
/// Oclgrind's test kernels have faults of this kind; docs/checker.md says how many are found.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct CheckArithmeticPass : RequiredPass<CheckArithmeticPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Marks the variables of the program (`lanewise.program`), which no variable of the library is.
struct MarkProgramVariablesPass : RequiredPass<MarkProgramVariablesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
