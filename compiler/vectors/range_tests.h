// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Asks tests in a loop once before the loop, if they hold in all iterations when they hold in the first and the last
/// one:
///
///     for (i = 0; i < n; ++i)                  all = 0 <= x - 7 && x + n - 8 <= last
///       if (0 <= x + i - 7 <= last)       =>   for (i = 0; i < n; ++i)
///         load at x + i - 7                      if (all || 0 <= x + i - 7 <= last)
///       else                                       ...
///         load at the clamped place
///
/// so that LLVM takes the test out of the loop (SimpleLoopUnswitch) and leaves the load. That is what reads of pictures
/// with clamped coordinates look like, once lanes are vectors (lanes/emit/lines.h). Compare inductive range check
/// elimination (Bodik, Gupta & Sarkar, "ABCD", PLDI 2000), which divides the loop instead.
#pragma once

#include <cstdint>

#include "compiler/base/pass.h"

namespace lanewise {

/// The loops and numbers that it applies to. In a loop, a number takes steps that are together less than half of all
/// numbers of its type, so that it comes around if and only if its last value is on the wrong side of the first one.
struct RangeTestLimits {
  unsigned least_bits = 32;
  std::uint64_t largest_step = 64;
  std::uint64_t most_turns = 1U << 24U;
};

/// Rewrites innermost loops whose number of iterations is known when they begin.
/// @param limits  other ones are for tests
void hoist_range_tests(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                       const RangeTestLimits& limits = {});

struct HoistRangeTestsPass : RequiredPass<HoistRangeTestsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
