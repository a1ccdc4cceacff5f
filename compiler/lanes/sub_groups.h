// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Work-group lowering and vectorisation of a kernel with sub-groups, where a sub-group is a vector.
#pragma once

#include <llvm/Support/Error.h>

#include <string>

#include "compiler/base/options.h"
#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Function;
class TargetMachine;
}  // namespace llvm

namespace lanewise {

/// Decides `info.sub_group_size`: the size that the kernel requires, else the number of 32-bit elements in a vector
/// register, or 1 where nothing may be vectorised. Error: the required size is not supported.
llvm::Error choose_sub_group_size(abi::KernelInfo& info, const CodegenOptions& options);

/// `lower_kernel` and the vectoriser for a kernel that uses sub-groups of `info.sub_group_size` > 1 work-items. If it
/// cannot be vectorised the size becomes 1, or, where another one is required, it is an error.
/// `report`, if given, receives what became of the loops.
llvm::Expected<llvm::Function*> lower_with_sub_groups(llvm::Function& kernel, abi::KernelInfo& info,
                                                      const CodegenOptions& options, llvm::TargetMachine& machine,
                                                      std::vector<abi::LoopReport>* report);

}  // namespace lanewise
