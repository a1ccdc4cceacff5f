// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The compiler of random programs: in this process, or behind the driver's helper where the compiler does not run on the
/// processor that the code is for. A program links one of both.
#pragma once

#include "compiler/base/observer.h"
#include "include/lanewise/compiler_abi.h"

namespace lanewise::fuzz {

/// Runs a request. `observer` may be null; behind a helper it sees nothing.
abi::Reply compile(const abi::Request& request, const PipelineObserver* observer = nullptr);

}  // namespace lanewise::fuzz
