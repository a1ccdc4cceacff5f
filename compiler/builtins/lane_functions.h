// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of the built-in library that exist as machine code already, for all lanes of a register at once
/// (kernels-builtin/support/texel_lanes.cl). A kernel calls them where code of its own would seldom run, but would have
/// to be compiled with each kernel: the unusual formats of images.
///
/// A source of the library calls such a function with scalars and small vectors; the vectoriser widens the call with
/// the mask of the active lanes and a parameter for each component; before LLVM optimises, both forms become calls with
/// operands in memory, by component, each of as many lanes as a register has elements of 32 bits:
///
///     %c = call <4 x float> @__lw_lanes_read_floats(ptr %t, i64 %row, i32 %x)
///     %c = call { <8 x float>, ... } @__lw_lanes_read_floats.8(ptr %t, <8 x i1> %mask, <8 x i64> %row, <8 x i32> %x)
///     call void @__lw_lanes_read_floats_all(ptr %t, i64 %mask, ptr %rows, ptr %xs, ptr %result)            lowered
///
/// The first parameter is a pointer that is the same for all lanes.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "compiler/base/pass.h"
#include "src/base/isa.h"

namespace lanewise {

/// Begins the names of these functions, in objects too.
inline constexpr llvm::StringLiteral kLaneFunctionPrefix = "__lw_lanes_";

bool is_lane_function(const llvm::Function& function);
/// `i` if it calls such a function; else null.
const llvm::CallInst* lane_call(const llvm::Instruction& i);

/// The declaration for `width` lanes.
llvm::Function& wide_lane_function(const llvm::Function& scalar, unsigned width);

/// Replaces every call, scalar or widened.
struct LowerLaneFunctionsPass : RequiredPass<LowerLaneFunctionsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
