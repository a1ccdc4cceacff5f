// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether the runtime may rely on what a reply says of a program's code.
///
/// Replies come from the compiler, from the cache and out of program binaries; a checksum keeps nobody from changing the
/// last two. The bound of each number stands in the list of fields (compiler_abi.h); here is what must agree. A
/// description that passes can be queried, and its arguments set, without harm. Whether the machine code keeps to it
/// cannot be known: a program binary is native code.
#pragma once

#include "include/lanewise/compiler_abi.h"
#include "src/base/result.h"

namespace lanewise {

/// Of an executable, or of code for one kernel. Errors: CL_INVALID_BINARY, with what is wrong.
Result<void> check_description(const abi::Reply& reply);

/// Whether nothing that the description names is out of bounds, and no number overflows.
[[nodiscard]] bool is_plausible(const abi::VariableStorage& storage);

}  // namespace lanewise
