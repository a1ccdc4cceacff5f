// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The names of error codes and commands, for messages (api_names.def).
#pragma once

#include <CL/cl.h>

namespace lanewise {

/// The name of an error code: "CL_INVALID_WORK_GROUP_SIZE"; "error" if it has none here.
[[nodiscard]] const char* error_name(cl_int code) noexcept;

/// What the caller can do, beginning with a small letter; empty if the code does not say that.
[[nodiscard]] const char* remedy_for(cl_int code) noexcept;

/// The type of a command in words: "read buffer"; "command" if it has no name here.
[[nodiscard]] const char* command_words(cl_command_type type) noexcept;

}  // namespace lanewise
