// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which functions have to be inlined into their kernels before work-groups are lowered.
#pragma once

namespace llvm {
class Function;
}

namespace lanewise {

/// True if `function` has, itself or through functions that it calls, a barrier, a work-item query, a printf or a
/// __local variable: such functions have to be inlined into their kernels before `lower_kernel`. Indirect calls count
/// as no.
[[nodiscard]] bool needs_flattening(const llvm::Function& function);

}  // namespace lanewise
