// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns a kernel, which describes one work-item, into a function for a range of work-groups: the `lanewise_range_fn`
/// of include/lanewise/kernel_abi.h. Barriers are lowered by continuation splitting, at width 1.
///
///     define void @scale(ptr addrspace(1) %x, float %f)       define void @symbol(ptr %launch, ptr %args, ptr %worker,
///       %i = call i64 @_Z13get_global_idj(i32 0)                                  i64 %first, i64 %last)
///       ...                                              =>     load launch and arguments
///       call void @_Z7barrierj(i32 1)                           for each work-group in [first, last)
///       ...                                                       for z, y, x: first region
///       ret void                                                  for z, y, x: second region
///
/// This part does not depend on optimisation, code generation or the OpenCL API.
#pragma once

#include <llvm/Support/Error.h>

#include "compiler/base/options.h"
#include "compiler/base/pass.h"
#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Function;
}

namespace lanewise {

/// Makes the range function of `kernel` in the same module.
///
/// Expects: the module re-targeted (host triple and data layout, C calling convention, address spaces 1 to 4 kept,
/// `target(...)` types gone); built-ins linked; everything that `needs_flattening` inlined; SSA form (SROA ran);
/// work-item functions, barriers, fences and printf still calls of their mangled names.
///
/// In `info` it reads `symbol`, `args` (kind and offset, one per parameter) and `reqd_work_group_size`, and fills in
/// `local_bytes`, `item_bytes`, `group_bytes`, `private_bytes`, `has_barrier` and `uses_print`.
///
/// The range function has external linkage, the kernel's target attributes and its debug-info subprogram. `kernel` is
/// erased, or loses its body if something still refers to it; so do __local variables that nothing uses any more.
/// Thread-safe for distinct LLVMContexts. Errors (the module must then be destroyed): a message for the build log about
/// a construct that cannot be lowered.
[[nodiscard]] llvm::Expected<llvm::Function*> lower_kernel(llvm::Function& kernel, const WorkgroupOptions& options,
                                                           abi::KernelInfo& info);

/// Lowers the kernels that are compiled. What `lower-sub-groups` has lowered already is left as it is.
struct LowerWorkGroupsPass : RequiredPass<LowerWorkGroupsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
