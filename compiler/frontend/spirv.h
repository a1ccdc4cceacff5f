// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SPIR-V -> the same canonical IR as the OpenCL C front end makes, so that both share everything that follows.
#pragma once

#include <string>

#include "compiler/frontend/clang.h"
#include "src/base/result.h"

namespace lanewise {

/// Validates a module. Errors: CL_INVALID_VALUE with the reason; CL_OUT_OF_RESOURCES without a validator.
/// `directory`: the driver's private one.
Result<void> check_spirv(const Bytes& module, const std::string& directory);

/// Translates the module of a source with its constants. Errors are in the log, a crash of the translator included.
SourceResult read_spirv(const SourceJob& job, const std::string& directory, llvm::LLVMContext& context);

}  // namespace lanewise
