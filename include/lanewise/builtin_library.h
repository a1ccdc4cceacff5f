// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The files of the built-in library, one for each architecture, beside the helper. Their layout is in
/// compiler/builtins/shard_format.h.
#pragma once

#include "src/base/isa.h"

namespace lanewise {

/// The file with the levels of the architecture.
constexpr const char* builtin_library(Architecture architecture) {
  return architecture == Architecture::aarch64 ? "builtins-aarch64.lwb" : "builtins-x86-64.lwb";
}

/// The file for the processor that this program is compiled for.
inline constexpr const char* kBuiltinLibrary = builtin_library(Isa().architecture());

}  // namespace lanewise
