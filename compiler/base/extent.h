// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The sizes of a function on whose square or cube the time of some of LLVM's passes depends. An ordinary kernel has
/// little of each, and a generated one may have thousands:
///
///     loop vectoriser                 blocks of one loop      (a `switch` of 1,000 cases: half a minute)
///     loop load elimination           accesses of one loop    (500 strided loads: half a minute; 200: 0.1 s)
///     induction variables, idioms,    loops of one function   (1,200 loops one after the other: minutes)
///       deletion and unrolling of
///       loops, strength reduction,
///       machine code sinking
///     machine instruction scheduler   instructions of one block  (20,000 statements in a row: half a minute)
///
/// The passes are left out above these sizes (compiler/pipeline/growth_limits.h, compiler/object/generator_passes.h).
/// The limits depend on the code alone and never on a clock, so that the same source always gives the same code.
#pragma once

namespace llvm {
class Function;
}

namespace lanewise {

/// Largest sizes at which these passes run.
inline constexpr unsigned kVectorisedBlocks = 128;
inline constexpr unsigned kComparedAccesses = 256;
inline constexpr unsigned kQuicklyComparedAccesses = 32;  ///< limit for first code: takes a millisecond
inline constexpr unsigned kCountedLoops = 256;
inline constexpr unsigned kScheduledInstructions = 8'000;

/// The quantities with which the time of some pass grows.
struct Extent {
  unsigned loops = 0;
  unsigned blocks = 0;    ///< blocks of the largest innermost loop
  unsigned accesses = 0;  ///< accesses in the innermost loop that has most of them
};

/// @param few_accesses  the limit that the caller compares `accesses` with; what cannot be above it counts as nothing
[[nodiscard]] Extent measure(const llvm::Function& function, unsigned few_accesses = kComparedAccesses);

}  // namespace lanewise
