// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Does an atomic minimum, maximum, `and` or `or` whose result nobody uses only where it would change something:
///
///     %old = atomicrmw umax ptr %p, i32 %v monotonic    =>    %seen = load atomic i32, ptr %p monotonic
///                                                             %new = call i32 @llvm.umax.i32(i32 %seen, i32 %v)
///                                                             %changes = icmp ne i32 %new, %seen
///                                                             br i1 %changes, label %lock, label %done
///                                                           lock:
///                                                             %old = atomicrmw umax ptr %p, i32 %v monotonic
///                                                             br label %done
///                                                           done:
///
/// The same is done with a compare-exchange whose new value is computed from the expected one, as in loops that repeat
/// it until it succeeds:
///
///     %pair = cmpxchg ptr %p, i32 %e, i32 %n       =>    %changes = icmp ne i32 %n, %e
///                                                        br i1 %changes, label %lock, label %look
///                                                      lock:
///                                                        %pair = cmpxchg ptr %p, i32 %e, i32 %n
///                                                        ...
///                                                      look:
///                                                        %seen = load atomic i32, ptr %p monotonic
///                                                        %is.there = icmp eq i32 %seen, %e       ; its success
///
/// Most operations of a kernel that looks for a maximum change nothing, and a load leaves the cache line where all
/// cores can read it. The effect is that of the operation, placed in the order of all changes of %p after the one that
/// the load has seen: it would have stored what was there, so nobody can tell whether it did. That holds for relaxed
/// order only. In any other one the operation, although it changes nothing, may be what another thread synchronises
/// with.
///
/// For pyFAI's histograms, which add a variance of zero for each pixel (0.78 of the time), and for searches of maxima.
#pragma once

#include "compiler/base/pass.h"

namespace lanewise {

/// Runs after vectorisation, which combines the operands of lanes first.
struct SkipIdleAtomicsPass : RequiredPass<SkipIdleAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lanewise
