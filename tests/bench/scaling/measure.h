// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The costs of this machine from which the simulation starts.
#pragma once

namespace lanewise::scaling {

/// Prints a line for each: "name nanoseconds". Shortest of many, so that other programs do not count.
int measure();

}  // namespace lanewise::scaling
