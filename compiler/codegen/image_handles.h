// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images and samplers inside kernels. After retargeting both are pointers: that of an image is the address of its
/// description, that of a sampler its word (include/lanewise/image_abi.h). The built-in library reaches both through two
/// functions, and Clang makes samplers of a program with a third:
///
///     %d = call ptr @_Z21__lw_image_descriptor14ocl_image2d_ro(ptr %image)     %d is %image
///     %w = call i64 @__lw_sampler_word(ptr %sampler)                    =>     %w = ptrtoint ptr %sampler to i64
///     %s = call ptr @__translate_sampler_initializer(i32 19)                   %s is inttoptr (i64 ... to ptr)
///
/// A constant sampler so becomes a constant word, and every branch on it folds. The description does not change while a
/// kernel runs: image parameters of kernels are marked, and the range function copies it (workgroup/range_function.cpp),
/// which makes its fields values outside of all loops.
#pragma once

#include <llvm/ADT/ArrayRef.h>

#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Module;
}

namespace lanewise {

void resolve_image_handles(llvm::Module& module, llvm::ArrayRef<abi::KernelInfo*> kernels);

}  // namespace lanewise
