// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loads of pointers from the runtime's structures (include/lanewise/kernel_abi.h).
#pragma once

#include <cstddef>

#include <llvm/IR/IRBuilder.h>

namespace lanewise {

/// The pointer at `offset` bytes in a structure that does not change while a kernel runs.
llvm::Value* load_pointer(llvm::IRBuilder<>& b, llvm::Value* base, std::size_t offset, const char* name);

}  // namespace lanewise
