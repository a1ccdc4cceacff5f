// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What LLVM needs to work on a kernel: its analyses. LLVM's pass pipelines around the work-group lowering are passes of
/// ours (compiler/pipeline/passes.h).
#pragma once

#include "compiler/base/analyses.h"
#include "compiler/base/context.h"

namespace lanewise {

/// The analyses that the passes of one kernel use, including its context. Sets `context.builder`; both arguments must
/// outlive it. Barrier calls are convergent: no pass of LLVM's duplicates one, or moves it into or out of a branch.
struct KernelAnalyses : Analyses {
  explicit KernelAnalyses(KernelContext& context, llvm::PassInstrumentationCallbacks* instrumentation = nullptr);
};

}  // namespace lanewise
