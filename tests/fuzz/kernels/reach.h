// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which transformations of the compiler random kernels reach: each pass of compiler/pipeline/passes.def, and each row of
/// compiler/base/transformations.def. Kernels are only compiled, so that the result does not depend on the machine.
#pragma once

#include <cstdint>
#include <string>

#include "tests/fuzz/kernels/program.h"

namespace lanewise::fuzz {

/// What is tried, and what is known of it.
struct ReachTrial {
  std::uint64_t seed = 1;   ///< the first of the seeds that are tried after those of `first`
  std::uint64_t count = 1;  ///< so many seeds of these at least, where `first` is empty
  std::string first;        ///< a file with seeds to try first, one a line, `#` before a remark; empty: none
  /// A file with the names that no random kernel reaches, in the same form; empty: none. If an unlisted one is missing, up
  /// to ten times `count` seeds are tried: what is rare is no reason to fail.
  std::string unreached;
};

/// Compiles the kernels of some seeds, each for one of the levels, in the first tier and in the second, and prints how
/// many kernels each transformation changed at each level. Where those of `first` were not enough, it also prints few seeds that are.
///
/// @returns whether all kernels compile, and exactly the listed transformations are not reached; else it says what to do
bool check_reach(const ReachTrial& trial, const Features& features);

}  // namespace lanewise::fuzz
