// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The table of extensions and features (icd/extensions.def) in the forms that queries and the compiler need.
#pragma once

#include <CL/cl.h>

#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/platform.h"

namespace lanewise {

/// The extensions that the device reports, in table order; with `with_platform` also the platform's own.
std::vector<cl_name_version> extension_versions(const DeviceFacts& facts, bool with_platform);
/// The names of these extensions, separated by single spaces.
std::string extension_names(const DeviceFacts& facts, bool with_platform);
std::vector<cl_name_version> feature_versions(const DeviceFacts& facts);
bool reports_extension(const DeviceFacts& facts, std::string_view name);

/// The extensions and macros for the compiler (`set_language_surface_provider`).
LanguageSurface language_surface(const DeviceFacts& facts);

/// The OpenCL version of platform and device, as a number and as a text.
cl_version opencl_version();
std::string opencl_version_text();

/// Makes a `cl_name_version`; names are cut to its 63 characters.
cl_name_version name_version(std::string_view name, cl_version version);

}  // namespace lanewise
