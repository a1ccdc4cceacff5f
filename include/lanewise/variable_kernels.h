// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The kernels that construct and destroy the program variables of C++ for OpenCL. They are among the kernels of a
/// reply, and applications do not see them.
#pragma once

#include <string_view>

namespace lanewise {

// No name of a program has a dot.
inline constexpr const char* kConstructors = "lanewise.constructors";
inline constexpr const char* kDestructors = "lanewise.destructors";

constexpr bool is_variable_kernel(std::string_view name) {
  return name == kConstructors || name == kDestructors;
}

}  // namespace lanewise
