// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files that are part of the compiler: embedded at build time (embed.cmake), so that it needs none at run time.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace lanewise {

/// Clang's opencl-c-base.h: types, enumerations and macros, no built-in functions; then declarations of extensions that
/// Clang knows nothing of. Followed by a NUL.
llvm::StringRef embedded_base_header();

/// A relocatable object with what the code generator calls for: memcpy, memset, half conversions. Every symbol in a
/// section of its own and hidden.
llvm::StringRef embedded_support_object();

/// A relocatable object with the lane functions (builtins/lane_functions.h) for x86-64-v4, or without mask registers
/// for x86-64-v3. Every symbol in a section of its own and hidden.
llvm::StringRef embedded_lanes_object(bool mask_registers);

}  // namespace lanewise
