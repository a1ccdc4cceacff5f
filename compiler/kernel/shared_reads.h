// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads of one image at many places, one after the other, as filters do that were written out: each is some hundred
/// instructions where the format is not known, so a kernel with 25 of them took several times as long to build as one on
/// buffers. They get a function of their own, which ShareCallsPass (shared_calls.h) merges into the kernel once:
///
///     %a = call <4 x float> @_Z11read_imagef...(ptr %in, ptr %s, <2 x i32> %p)       ... @_Z11read_imagef....shared(
///     %b = call <4 x float> @_Z11read_imagef...(ptr %in, ptr %s, <2 x i32> %q)  =>   ... @_Z11read_imagef....shared(
///     ...                                                                            ...
///
/// The merged calls are a loop whose iterations all work-items do together, because the calls are in one block. Nothing
/// is shared in a kernel that has other loops: one that diverges and merged calls exclude each other in vectors. Hot
/// kernels are built again with all reads in place.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Fewer reads than this are copied.
inline constexpr unsigned kFewestSharedReads = 8;

/// Whether it is a function of the library, with a body, that reads or writes texels.
[[nodiscard]] bool accesses_texels(const llvm::Function& function);

struct ShareImageReadsPass : RequiredPass<ShareImageReadsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
