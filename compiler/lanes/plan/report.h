// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the build log says about a vectorised loop: which memory accesses are expensive, and in which line they are.
#pragma once

#include <vector>

#include "compiler/lanes/analysis/body.h"
#include "compiler/lanes/analysis/shapes.h"
#include "include/lanewise/vector_report.h"

namespace lanewise::spmd {

/// Source line (1-based) of the first instruction of the loop that has one; 0 if none has. Lines are there if the
/// program was compiled with debug information.
unsigned first_line(const llvm::Loop& loop);

/// One entry per kind of access and line, in the order of the program. Accesses of consecutive lanes to consecutive
/// places, and of all lanes to one place, are not mentioned.
std::vector<abi::AccessReport> describe_accesses(const Body& body, const Shapes& shapes);

}  // namespace lanewise::spmd
