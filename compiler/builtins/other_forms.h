// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Other forms of built-in functions, which the library has under their names with a prefix: shorter math functions
/// where a program allows them, image functions that are less to compile.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include "compiler/base/pass.h"

namespace lanewise::builtins {

/// Under -cl-unsafe-math-optimizations and -cl-fast-relaxed-math Clang marks calls as `afn` ("approximate functions").
/// Those that have a form with the relaxed bounds (OpenCL C 7.4) call it from then on:
///
///     %y = call reassoc nsz arcp afn float @_Z3powff(float %x, float %e)
///     %y = call reassoc nsz arcp afn float @_Z16__lw_relaxed_powff(float %x, float %e)
///
/// The flag belongs to the call and not to the program, so that programs with different options can be linked. ggml's
/// softmax and activations are built with such options, as is Leela Zero.
/// @param defines  whether the library has a function of this name
/// @returns whether anything changed
bool call_relaxed_forms(llvm::Module& module, llvm::function_ref<bool(llvm::StringRef)> defines);

struct CallRelaxedFormsPass : RequiredPass<CallRelaxedFormsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Reads and writes of images call forms in which only the usual formats are in the kernel (lane_functions.h):
///
///     %c = call <4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i(...)
///     %c = call <4 x float> @_Z22__lw_first_read_imagef14ocl_image2d_roDv2_i(...)
struct CallFirstTierFormsPass : RequiredPass<CallFirstTierFormsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise::builtins
