// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Program IRs -> one program (clLinkProgram), and the checks that every executable has to pass.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/base/bytes.h"

namespace llvm {
class Function;
class LLVMContext;
class Module;
}  // namespace llvm

namespace lanewise {

/// Reads program IR (bitcode of a spir64 module). Error: not bitcode, damaged, or not one of ours.
llvm::Expected<std::unique_ptr<llvm::Module>> read_program(std::span<const std::uint8_t> ir,
                                                           llvm::LLVMContext& context);

/// Reads only what `kernel` uses. Bodies of other functions are not read, and the functions are gone; other kernels are
/// kept if something uses them. All variables stay, in their order.
llvm::Expected<std::unique_ptr<llvm::Module>> read_kernel(std::span<const std::uint8_t> ir, llvm::StringRef kernel,
                                                          llvm::LLVMContext& context);

/// Bitcode of `module`.
Bytes write_program(const llvm::Module& module);

/// Links `inputs` in their order. Errors: an input that cannot be read (`damaged` is set), a symbol defined twice or
/// with another type; the message is for the build log.
llvm::Expected<std::unique_ptr<llvm::Module>> link_programs(std::span<const Bytes> inputs, llvm::LLVMContext& context,
                                                            bool& damaged);

/// Names of functions and variables that the program uses and does not define, sorted. `is_builtin(function)` says what
/// the compiler supplies.
std::vector<std::string> unresolved_symbols(const llvm::Module& module,
                                            llvm::function_ref<bool(const llvm::Function&)> is_builtin);

/// The kernels of the program, in order of definition.
std::vector<llvm::Function*> kernels_of(llvm::Module& module);

/// Makes everything but the kernels private to the program and drops what is then unused.
void internalize_all_but_kernels(llvm::Module& module);

}  // namespace lanewise
