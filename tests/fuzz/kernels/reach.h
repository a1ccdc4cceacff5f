// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which transformations of the compiler random kernels reach: each pass of compiler/pipeline/passes.def, and each row of
/// compiler/base/transformations.def. Kernels are only compiled, so that the result does not depend on the machine.
#pragma once

#include <cstdint>
#include <string>

#include "tests/fuzz/kernels/program.h"

namespace lanewise::fuzz {

/// Compiles the kernels of `count` seeds, each for one of the levels, in the first tier and in the second, and prints how
/// many kernels each transformation changed at each level.
///
/// @param list  a file with the names that no random kernel reaches, one a line, `#` before a remark; empty: none. If an
///              unlisted one is missing, up to nine times as many more seeds are tried: what is rare is no reason to fail
/// @returns whether all kernels compile, and exactly the listed transformations are not reached; else it says what to do
bool check_reach(std::uint64_t seed, std::uint64_t count, const Features& features, const std::string& list);

}  // namespace lanewise::fuzz
