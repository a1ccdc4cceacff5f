// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// clBuildProgram, clCompileProgram and clLinkProgram below the API layer: options, request, compiler, result
/// (API 5.8.4-5).
///
/// With a callback, a background thread does the work, and the callback runs there after the result is visible, with no
/// lock held. Without a callback, the calling thread does the work. No lock is held while the compiler runs.
#pragma once

#include <CL/cl.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "runtime/program/build_options.h"
#include "runtime/program/program.h"
#include "src/base/result.h"

namespace lanewise {

/// The application's completion callback. Without one, the call waits.
struct BuildNotify {
  void(CL_CALLBACK* function)(cl_program, void*) = nullptr;
  void* user_data = nullptr;
};

/// The rules for options that follow from the facts of the device.
OptionRules option_rules();

/// A short text for the options of this process that change what builds make of a source (LANEWISE_CHECK,
/// LANEWISE_BUILD_OPTIONS, and those that steer or report vectors); empty where none is set.
std::string variant_of_builds();

/// Builds a program. Errors: CL_INVALID_BUILD_OPTIONS, CL_INVALID_OPERATION, CL_INVALID_BINARY, and without a callback
/// also CL_BUILD_PROGRAM_FAILURE, CL_COMPILER_NOT_AVAILABLE, CL_OUT_OF_HOST_MEMORY and CL_OUT_OF_RESOURCES.
/// @param devices  devices of the program
/// @param options  nothing: the application gave NULL
Result<void> build_program(Program& program, const std::vector<Device*>& devices,
                           std::optional<std::string_view> options, BuildNotify notify);

/// Compiles a program. Errors: CL_INVALID_COMPILER_OPTIONS, CL_INVALID_OPERATION, CL_COMPILE_PROGRAM_FAILURE.
/// @param headers  embedded headers in the application's order
Result<void> compile_program(Program& program, const std::vector<Device*>& devices, std::string_view options,
                             std::vector<abi::NamedText> headers, BuildNotify notify);

/// The outcome of a link that has begun.
struct LinkOutcome {
  Ref<Program> program;
  cl_int code = CL_SUCCESS;  ///< result of the link; CL_SUCCESS if there is a callback
};
/// Links programs. Errors (without a new program): CL_INVALID_LINKER_OPTIONS, CL_INVALID_OPERATION.
Result<LinkOutcome> link_programs(Context& context, const std::vector<Device*>& devices, std::string_view options,
                                  const std::vector<Program*>& inputs, BuildNotify notify);

}  // namespace lanewise
