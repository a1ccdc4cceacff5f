// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `#pragma OPENCL EXTENSION name : enable` for every extension of the device.
///
///     #pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
///
/// Clang takes the pragma only for the extensions in its table that change the language, in the versions that the table
/// names. For all others it warns that the extension is unknown, not supported or needs no pragma, which ends a build
/// with -Werror. OpenCL C 6.2.2 has the pragma for every extension, so these warnings are left out for the extensions
/// that the device has.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Lex/PPCallbacks.h>

#include <memory>
#include <string>
#include <vector>

namespace lanewise {

/// Callbacks for the preprocessor of one program.
/// @param extensions   the names that the device reports; outlives the callbacks
/// @param diagnostics  those of the program; outlive the callbacks
std::unique_ptr<clang::PPCallbacks> accept_extension_pragmas(const std::vector<std::string>& extensions,
                                                             clang::DiagnosticsEngine& diagnostics);

}  // namespace lanewise
