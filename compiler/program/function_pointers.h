// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pointers to functions, of modules (SPV_INTEL_function_pointers) and of sources with virtual functions or
/// __cl_clang_function_pointers. Each kernel is compiled by itself, so machine code has no address that all kernels,
/// tiers and instruction sets of a program share. A pointer is a number instead, which follows from the function's
/// name, and a call through a pointer asks which of the functions of its type it means:
///
///     %r = call i32 %f(i32 %x)     ->       %n = ptrtoint ptr %f to i64
///                                           switch i64 %n, label %none [ i64 <of @twice>, label %twice
///                                                                        i64 <of @negated>, label %negated ]
///                                         twice:                            ; negated: the same
///                                           %r.twice = call i32 @twice(i32 %x)
///                                           br label %called
///
/// Then they are functions like others, which are inlined where they have barriers or work-item functions, and in
/// vectors a branch is taken under a mask: the lanes that call the same function call it together. A call through a
/// pointer that is no such function does nothing, and its result is 0.
///
/// Functions of one type may then seem to call each other in a circle that no run goes through. Those with such calls
/// are marked (marks::kCallsByPointer), so that this is no recursion.
///
/// For programs of SYCL with virtual functions and callbacks, which DPC++ writes as such modules. No program that
/// others wrote has run here yet: the modules of the tests have that form.
#pragma once

#include <vector>

#include "compiler/base/pass.h"
#include "include/lanewise/compiler_abi.h"

namespace lanewise {

/// Replaces the pointers and the calls of a whole program, after linking and while functions have their names.
/// Functions of blocks keep their addresses for program/blocks.h, and so do constructors of variables.
void replace_function_pointers(llvm::Module& module);

/// The functions that may be called through pointers and that other modules may name, as `replace_function_pointers`
/// has noted them in the module (marks::kFunctionPointers), in the order of the module.
[[nodiscard]] std::vector<abi::FunctionPointer> function_pointers_of(const llvm::Module& module);

struct ReplaceFunctionPointersPass : RequiredPass<ReplaceFunctionPointersPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
