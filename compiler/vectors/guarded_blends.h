// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Moves blends with lanes for which code was skipped to that code. Where no lane is active the code and its blends are
/// both skipped, so that rare cases cost the others a test only:
///
///       br i1 %none, label %after, label %any            br i1 %none, label %after, label %any
///     any:                                             any:
///       %y = ...                                         %y = ...
///       br label %after                                  %r = select <8 x i1> %m, <8 x float> %y, <8 x float> %x
///     after:                                        =>   br label %after
///       %v = phi [ zeroinitializer, %head ], [ %y, %any ]
///       %r = select <8 x i1> %m, %v, %x                after:
///                                                        %v = phi <8 x float> [ %x, %head ], [ %r, %any ]
///
/// %none is the test that %m has no lane.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise::spmd {

struct BlendWhereGuardedPass : RequiredPass<BlendWhereGuardedPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise::spmd
