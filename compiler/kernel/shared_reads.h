// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shares the code of many reads of one image that follow each other, as in filters whose loops are written out. Where
/// the format is not known, a read is some hundred instructions: a kernel with 25 of them took several times as long to
/// build as one on buffers. The reads get a function of their own, which ShareCallsPass (shared_calls.h) merges into
/// the kernel once:
///
///     %a = call <4 x float> @_Z11read_imagef...(ptr %in, ptr %s, <2 x i32> %p)       ... @_Z11read_imagef....shared(
///     %b = call <4 x float> @_Z11read_imagef...(ptr %in, ptr %s, <2 x i32> %q)  =>   ... @_Z11read_imagef....shared(
///     ...                                                                            ...
///
/// The merged calls are a loop whose iterations all work-items run together, because the calls are in one block. A
/// kernel that has other loops is left alone: vectors cannot have both merged calls and a loop that diverges. Hot
/// kernels are built again with all reads in place.
///
/// MNN's Winograd transforms are such kernels: 0.15 instead of 0.54 s of first build.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Fewer reads than this are copied.
inline constexpr unsigned kFewestSharedReads = 8;

/// True for a function of the library, with a body, that reads or writes texels.
[[nodiscard]] bool accesses_texels(const llvm::Function& function);

struct ShareImageReadsPass : RequiredPass<ShareImageReadsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
