// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions of the direct harness beyond tests/kernels/harness.h: they show the build and the calls of services.
#pragma once

#include "tests/compiler/direct_launch.h"

namespace lanewise::test {

/// Compiles in this process. A failure is in the reply's status and log.
abi::Reply build(const std::string& source, const std::string& options = "-cl-std=CL3.0", bool debug_barriers = false);

/// As `build`, for `width` work-items in a vector (1: scalar; 0: the compiler chooses); the log reports the result.
abi::Reply build_vectors(const std::string& source, unsigned width, Isa isa,
                         const std::string& options = "-cl-std=CL3.0");

/// Runs a kernel of a successful build.
void run_direct(const abi::Reply& reply, const std::string& kernel, const Range& range, const std::vector<Arg>& args,
                Observed* observed);

}  // namespace lanewise::test
