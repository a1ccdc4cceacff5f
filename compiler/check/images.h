// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_CHECK=memory: reports coordinates outside of an image, in writes and in reads without a sampler, for which
/// OpenCL C defines no result. This driver leaves such a write out and reads the edge; others write anywhere.
///
///     call void write_imagef(%image, %at, %colour)     =>     %width = call i64 get_image_width(%image)
///                                                             %bad = icmp ugt i32 %at, %width - 1
///                                                             br %bad, %fault, %rest
///                                                           fault:
///                                                             call i64 @__lw_check(...)
///                                                           rest:
///                                                             call void write_imagef(%image, %at, %colour)
///
/// The pass comes before the library, which defines the functions. Calls with a mip level are not tested.
///
/// clEsperanto copies into images by coordinates before it samples them.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

struct CheckImagesPass : RequiredPass<CheckImagesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
