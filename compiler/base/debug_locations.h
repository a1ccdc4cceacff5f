// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Debug info of variables in code that has been moved.
#pragma once

namespace llvm {
class DICompileUnit;
class Function;
class Module;
}  // namespace llvm

namespace lanewise {

[[nodiscard]] bool describes_variables(const llvm::DICompileUnit& unit);

/// True if `module` was built with -g: variables, not just lines.
[[nodiscard]] bool has_variables_described(const llvm::Module& module);

/// Removes the locations of variables that do not dominate their place: values of other regions, or of code that the
/// vectoriser has replaced.
void drop_unreachable_locations(llvm::Function& function);

}  // namespace lanewise
