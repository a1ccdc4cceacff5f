// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The kernels that construct and destroy the program variables of C++ for OpenCL. A reply has them among its kernels;
/// applications do not see them.
#pragma once

#include <string_view>

namespace lanewise {

// The dot keeps these names apart from all names of a program.
inline constexpr const char* kConstructors = "lanewise.constructors";
inline constexpr const char* kDestructors = "lanewise.destructors";

constexpr bool is_variable_kernel(std::string_view name) {
  return name == kConstructors || name == kDestructors;
}

}  // namespace lanewise
