// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files that are part of the compiler: embedded at build time (embed.cmake), so that it needs none at run time.
#pragma once

#include <llvm/ADT/StringRef.h>

#include "src/base/isa.h"

namespace lanewise {

/// Clang's opencl-c-base.h: types, enumerations and macros, no built-in functions; then declarations of extensions that
/// Clang knows nothing of. Followed by a NUL.
llvm::StringRef embedded_base_header();

/// A relocatable object with what the code generator calls for: memcpy, memset, half conversions. Every symbol in a
/// section of its own and hidden.
llvm::StringRef embedded_support_object(Architecture architecture);

/// A relocatable object with the lane functions (builtins/lane_functions.h) for an instruction set that has them. Every
/// symbol in a section of its own and hidden.
llvm::StringRef embedded_lanes_object(Isa isa);

}  // namespace lanewise
