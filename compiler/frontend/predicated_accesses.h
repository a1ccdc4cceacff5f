// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loads and stores of SPV_INTEL_predicated_io, which the module calls as functions (compiler/spirv/translated_form.h),
/// with the alignment in the name; 0 for that of the type.
///
///     %v = call i32 @__lw_predicated_load.4.x(ptr addrspace(1) %p, i1 %b, i32 %default)    ; before
///
///     br i1 %b, label %access, label %behind                                               ; after
///   access:
///     %loaded = load i32, ptr addrspace(1) %p, align 4
///     br label %behind
///   behind:
///     %v = phi i32 [ %loaded, %access ], [ %default, %... ]
#pragma once

namespace llvm {
class Module;
}

namespace lanewise {

void lower_predicated_accesses(llvm::Module& module);

}  // namespace lanewise
