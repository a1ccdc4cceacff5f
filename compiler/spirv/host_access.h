// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SPV_INTEL_global_variable_host_access: names by which the host finds variables, and what it may do with them. The
/// translator drops them, and gives variables that no other module sees no name, so that they are named before it reads
/// the module and marked when it has:
///
///     OpDecorate %v HostAccessINTEL ReadINTEL "name"      OpName %v "lanewise.host.7" as well
///     @lanewise.host.7 = addrspace(1) global i32 2        ... , !spirv.Decorations !{!{i32 6188, i32 1, !"name"}}
///
/// The mark is that of the translator's other mode; program/variable_storage.h reads it.
#pragma once

#include <string>
#include <vector>

#include "compiler/spirv/instructions.h"

namespace llvm {
class Module;
}

namespace lanewise::spirv {

struct HostVariable {
  std::string symbol;  ///< the variable's name in the translation
  std::string name;
  std::uint32_t mode = 0;  ///< 0: none, 1: read, 2: write, 3: both
};

/// Names such variables in the words of a module. Takes any words; those that are no instructions stay as they are.
std::vector<HostVariable> name_host_variables(Words& words);

void mark_host_variables(llvm::Module& module, const std::vector<HostVariable>& variables);

}  // namespace lanewise::spirv
