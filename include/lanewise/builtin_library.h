// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The file of the built-in library, beside the helper. compiler/builtins/shard_format.h has its layout.
#pragma once

namespace lanewise {

inline constexpr const char* kBuiltinLibrary = "builtins-x86-64.lwb";

}  // namespace lanewise
