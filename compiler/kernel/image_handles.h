// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Replaces the handles of images and samplers inside kernels. After retargeting both are pointers: that of an image is
/// the address of its description, that of a sampler its word (include/lanewise/image_abi.h). The built-in library
/// reaches both through two functions, and Clang makes samplers of a program with a third:
///
///     %d = call ptr @_Z21__lw_image_descriptor14ocl_image2d_ro(ptr %image)     %d is %image
///     %w = call i64 @__lw_sampler_word(ptr %sampler)                    =>     %w = ptrtoint ptr %sampler to i64
///     %s = call ptr @__translate_sampler_initializer(i32 19)                   %s is inttoptr (i64 ... to ptr)
///
/// So a constant sampler becomes a constant word, and every branch on it folds. The description does not change while a
/// kernel runs: image parameters of kernels are marked, and the range function copies the description
/// (groups/range_function.cpp), so that its fields are values that are computed outside of all loops.
///
/// What is known of the launches that the code is for (abi::Specialisation::known_arguments) becomes constants here,
/// where everything else still has its full size: a sampler its word, an image a variable with the description's place
/// and extents and the texel that is known.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Images and samplers that are known to be the arguments of all launches are constants (abi::Specialisation).
struct ResolveImageHandlesPass : RequiredPass<ResolveImageHandlesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
