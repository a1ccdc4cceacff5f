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

#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Function;
}

namespace lanewise {

struct WorkgroupOptions {
  /// Report work-items of a group that stop at different barriers (lanewise_services::divergent_barrier).
  bool debug_barriers = false;
  /// Regions share their blocks (one copy, entered by a switch) once copies would exceed this many instructions.
  unsigned copied_instructions_limit = 5000;
  /// Kernels that cannot tell where a group ends in x run several groups as one row (strips.h).
  bool merge_groups = false;
  /// That the code is for; null: all. Says which dimension takes the place of x (dimension_order.h), which is else chosen
  /// where groups can be merged, and how many neighbouring groups may run as a team (teams.h).
  const abi::Specialisation* launches = nullptr;
  bool always_teams = false;  ///< wherever they are possible
  /// Private variables keep a place while the kernel runs, and debug info says where (-g -cl-opt-disable;
  /// debug_info.h). Expects them in allocas, as Clang makes them.
  bool every_value = false;
  /// Work-items in a sub-group, a power of two. With more than one, every work-item loop is for the vectoriser at just
  /// this width (`lanewise.sub_group` in its metadata), and has no meaning before.
  unsigned sub_group_size = 1;
};

/// True if `function` has, itself or through functions that it calls, a barrier, a work-item query, a printf or a
/// __local variable: such functions have to be inlined into their kernels before `lower_kernel`. Indirect calls count
/// as no.
[[nodiscard]] bool needs_flattening(const llvm::Function& function);

/// True if `kernel` has a query about sub-groups or an operation of them.
[[nodiscard]] bool uses_sub_groups(const llvm::Function& kernel);

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

}  // namespace lanewise
