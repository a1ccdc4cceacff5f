// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The compiler as one function: a request in, a reply out. No LLVM type appears here.
#pragma once

#include <functional>
#include <string>

#include "compiler/base/observer.h"
#include "include/lanewise/compiler_abi.h"

namespace lanewise {

/// What is called while a request runs; may be empty.
struct Progress {
  std::function<void()> begins = {};    ///< called by the thread of the request, which ends with it, before its work
  std::function<void()> advanced = {};  ///< called by any thread when a kernel is done
};

/// Runs one request and returns when it is done, on threads of its own with large stacks (they have ended at return).
/// Never throws and never exits; an error in a user's program gives a status and a log: build
/// CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BUILD_OPTIONS compile  CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_COMPILER_OPTIONS
/// link     CL_LINK_PROGRAM_FAILURE, CL_INVALID_LINKER_OPTIONS, CL_INVALID_PROGRAM (an input is not program IR)
/// validate CL_INVALID_VALUE A fault of our own (missing built-in library, unresolved symbol in the code object) is the
/// same status with a log that begins "internal compiler error". `Reply::ir` is bitcode of the canonical spir64 module
/// without the built-ins; a link or build job for an executable also gives the code object and the kernels, in the
/// order of their definition. `directory` is that of the built-in library; where it is empty, as in tools,
/// `compiler_directory()`. Thread-safe.
abi::Reply run_request(const abi::Request& request, const PipelineObserver* observer = nullptr,
                       const std::string& directory = {}, const Progress& progress = {});

/// The directory with the built-in library: LANEWISE_COMPILER_DIR (not in a privileged process), else the directory of
/// the file that contains this code, else `../lib/lanewise` from there (tools in the build tree). Empty if none has
/// one.
std::string compiler_directory();

}  // namespace lanewise
