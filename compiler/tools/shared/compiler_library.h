// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The driver's compiler as a library, for programs that use it without the driver.
#pragma once

#include <string>

#include "include/lanewise/compiler_abi.h"

namespace lanewise {

/// Opens the compiler of `private_directory` in this process and runs a request. A library that cannot be opened is a
/// reply with CL_COMPILER_NOT_AVAILABLE whose log says why.
abi::Reply run_in_library(const std::string& private_directory, const abi::Request& request);

}  // namespace lanewise
