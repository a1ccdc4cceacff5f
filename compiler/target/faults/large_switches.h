// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns a `switch` of more than `kCasesInSwitch` cases into a binary tree of switches, each with a range of the cases:
///
///     switch i32 %x, label %default [ 1,000 cases ]
///                       =>
///       %c = icmp ult i32 %x, 512
///       br i1 %c, label %below, label %switch.2
///     below:                                                 ; and so on, down to
///     switch.0:
///       switch i32 %x, label %default [ cases 0 to 255 ]
///
/// LLVM finds the probability of an edge by a search among all successors of its block, and block placement asks for
/// all pairs of them: 4,000 cases took it six seconds, 10,000 minutes. A few comparisons cost less than the jump
/// through a table that follows them. Cases of neighbouring values stay together, so that tables stay dense.
///
/// Not reported: LLVM 22.1 has it. (Pull request 142584, in LLVM 21, bounds a search of predecessors in the same pass.)
/// Reproducer: tests/lit/faults/large_switches.ll.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// No switch has more cases than this afterwards.
inline constexpr unsigned kCasesInSwitch = 256;

struct SplitLargeSwitchesPass : RequiredPass<SplitLargeSwitchesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
