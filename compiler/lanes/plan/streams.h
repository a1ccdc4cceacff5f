// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Straight code that walks through many arrays side by side, like a chemical mechanism that keeps an array for each
/// reaction (ratx2 and ratx4 of SHOC's S3D, where it is 4 to 5 times as fast).
///
///     rf[0][i] *= c[1][i];  rf[1][i] *= c[2][i];  ...  rf[205][i] *= c[7][i]      211 streams
///
/// Prefetchers follow a few dozen streams, and arrays of a power of two in bytes share the few lines of one set of the
/// caches: with one vector, each access takes a line from far away and leaves the next line of its array to be evicted.
/// With several vectors in an iteration it takes neighbouring lines at once, which the memory brings together.
#pragma once

#include "compiler/lanes/analysis/facts.h"
#include "src/base/isa.h"

namespace lanewise::spmd {

/// How many vectors side by side such code gains from, within the registers of the machine: a power of two; 1 for
/// other code.
[[nodiscard]] unsigned vectors_for_streams(const Body& body, const Shapes& shapes, Isa isa);

}  // namespace lanewise::spmd
