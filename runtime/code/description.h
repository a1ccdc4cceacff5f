// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Checks of the descriptions in a reply.
///
/// Replies come from the compiler, from the cache and from program binaries, and a checksum keeps nobody from changing
/// the latter two. The list of fields (compiler_abi.h) has the bound of each number; this header checks what must
/// agree. The queries and the arguments of a description that passes are harmless. Whether the machine code keeps to
/// the description cannot be known: a program binary is native code.
#pragma once

#include "include/lanewise/compiler_abi.h"
#include "src/base/result.h"

namespace lanewise {

/// Checks the reply for an executable or for code of one kernel. Errors: CL_INVALID_BINARY, with the reason.
Result<void> check_description(const abi::Reply& reply);

/// Whether all offsets of the description are in bounds and no number overflows.
[[nodiscard]] bool is_plausible(const abi::VariableStorage& storage);

}  // namespace lanewise
