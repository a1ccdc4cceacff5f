// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decides what has to be inlined into a kernel before its barriers are split, and refuses what cannot be inlined.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Functions with more private memory than this are inlined, so that it comes from the worker and not from its stack.
inline constexpr unsigned kLargePrivateBytes = 1024;

/// A kernel with more instructions than this after inlining, where shared bodies count once, is refused.
inline constexpr unsigned kLargestKernel = 2'000'000;

/// A kernel that would have more instructions than this after inlining shares the bodies of functions that it calls
/// more than once. The vectoriser takes no larger loops either.
inline constexpr unsigned kLargestInlined = 20'000;

/// The number of instructions that a barrier counts as: it adds a loop over the work-items, and the loads and stores of
/// values that live across it.
inline constexpr unsigned kBarrierInstructions = 128;

/// For vectors, a function is inlined while its copies together have no more instructions than this.
inline constexpr unsigned kInlinedForVectors = 8000;

/// A function that loops call with the address of private memory is inlined while its copies have no more instructions
/// than this. Its arguments then become values that loops keep in registers. A function that a single place calls is
/// inlined too: that adds no code, and the function is optimised once instead of twice.
inline constexpr unsigned kInlinedForSpeed = 16'000;

/// Marks `alwaysinline` every function that `needs_flattening` (flattening.h) or that has large private arrays, and
/// removes contradicting attributes. Errors, with names, for the log: recursion (OpenCL C 6.11 i forbids it, and Clang
/// does not notice it); a kernel that would exceed `kLargestKernel`, because calls multiply. For vectors it also marks
/// functions that are small for the number of their calls, so that the vectoriser sees inside, and functions that
/// access texels, because each lane would call them.
///
/// Functions that call others through pointers (program/function_pointers.h) may seem to call each other in a circle.
/// They stay calls. It is an error if one of them has to be inlined.
///
/// Where code is optimised, it also marks functions that a single place calls, and functions that run in loops and take
/// the address of private memory, as block functions of hashes do. Their operands become values, and constants among
/// them fold. LLVM's inliner finds them too large. Where all this would make the kernel larger than `kLargestInlined`,
/// they stay calls.
///
/// Calls multiply: ten functions that each call the next one twice are a thousand copies of the last. Where the kernel
/// would exceed `kLargestInlined`, functions whose copies make it so are marked for `ShareCallsPass` (shared_calls.h),
/// or stay calls if vectors alone would gain by inlining them. Functions with operations of sub-groups are not marked:
/// work-items of different calls would take part in one operation.
struct MarkForInliningPass : RequiredPass<MarkForInliningPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Keeps LLVM from inlining functions whose copies together would have more instructions than `kLargestInlined`. Where
/// work-items are lanes, one call in the source is a call for each lane.
void keep_large_calls(llvm::Module& module);

}  // namespace lanewise
