// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the runtime has to know about a kernel, read from its signature and from Clang's (or the SPIR-V translator's)
/// metadata.
#pragma once

#include "include/lanewise/compiler_abi.h"

namespace llvm {
class Function;
}

namespace lanewise {

/// Everything in KernelInfo that does not depend on the kernel's body: name, symbol, attributes, arguments with the
/// layout of their block, work-group size attributes. `kernel` is a spir_kernel of a canonical (spir64) module.
///
/// The argument block (kernel_abi.h): each argument at the next multiple of its alignment. Values have OpenCL's size
/// and alignment (a 3-vector those of the 4-vector), structs those of their type; pointers and handles 8 bytes.
abi::KernelInfo describe_kernel(const llvm::Function& kernel);

/// Adds the address of the program's variables to the argument block.
void add_variables_address(abi::KernelInfo& info);

}  // namespace lanewise
