// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Gives each program-scope variable in global memory a place in one block of memory, which the runtime keeps for a
/// program on a device:
///
///     @n = addrspace(1) global i32 7                  @lanewise.variable.0 = external addrspace(1) global i32
///     @p = addrspace(1) global ptr addrspace(1) @n      , !lanewise.stored !{i64 0}
///     @t = addrspace(1) constant [2 x i32] ...   =>   @lanewise.variable.1 = ... !{i64 8}
///                                                     @t = internal addrspace(1) constant ... !{i64 16}
///
/// So all code of the program uses the same memory, whatever it was compiled for and however often. The lowering of a
/// kernel replaces the variables by addresses (groups/stored_variables.h). Constants keep their values too, because
/// the optimiser needs them; their address is the place in the storage, so that it is the same in all code as well.
#pragma once

#include <llvm/Support/Error.h>

#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Module;
}

namespace lanewise {

/// Notes the names by which the application finds variables (cl_intel_global_variable_access): first those of
/// SPV_INTEL_global_variable_host_access, then those under which modules offer them to others. Runs after linking,
/// before everything but the kernels becomes internal.
void name_variables(llvm::Module& module);

/// Places the variables of a whole program (after linking, before it is taken apart), in an order that follows from the
/// module alone. Constants in the constant address space stay part of the code, except those that point to a placed
/// variable or are pointed to by one. After it, no placed variable has an initialiser that names another global.
/// Errors, for the build log: an initialiser that is no constant of the language.
llvm::Expected<abi::VariableStorage> place_variables(llvm::Module& module);

}  // namespace lanewise
