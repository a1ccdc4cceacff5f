// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// OpenCL C source -> canonical IR: a spir64 module with Clang's mangled built-in names, not optimised, not linked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/frontend/options.h"
#include "include/lanewise/compiler_abi.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace lanewise {

struct SourceResult {
  std::unique_ptr<llvm::Module> module;       ///< null if the source has an error
  int status = 0;                             ///< CL_SUCCESS, or why there is no module
  std::string log;                            ///< every diagnostic with its source line; also warnings of a success
  std::vector<abi::Dependency> dependencies;  ///< where on disk it looked, sorted by path
};

/// Compiles OpenCL C with its headers and options. Reads no file except through #include in -I directories and
/// the working directory, and none but regular ones. Thread-safe for distinct contexts.
SourceResult compile_source(const SourceJob& job, llvm::LLVMContext& context);

}  // namespace lanewise
