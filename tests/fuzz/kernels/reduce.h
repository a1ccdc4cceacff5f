// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes a failing program smaller (Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, TSE 2002).
#pragma once

#include <functional>

#include "tests/fuzz/kernels/program.h"

namespace lanewise::fuzz {

/// Removes statements, replaces statements by their blocks and expressions by their parts, as long as `fails` says that
/// the fault is still there and `seconds` have not passed. No step makes a legal program illegal.
void reduce(Program& program, const std::function<bool(const Program&)>& fails, double seconds);

}  // namespace lanewise::fuzz
