// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The first form of the transcendental functions: libclc's scalar code, taken from its bitcode for nvptx64.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include <memory>

namespace lanewise::shards {

/// Keeps the scalar float and double math functions that `ours` uses but does not define, and what they need. Address
/// space 4 (constant memory there) becomes 2 (constant memory here); the rest of the numbering is not used by scalar
/// functions without pointers, or means private memory in both.
llvm::Expected<std::unique_ptr<llvm::Module>> libclc_math(std::unique_ptr<llvm::Module> libclc,
                                                          const llvm::Module& ours);

}  // namespace lanewise::shards
