// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The table of extensions and features (icd/extensions.def) in the forms that queries and the compiler need.
#pragma once

#include <CL/cl.h>

#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/platform.h"

namespace lanewise {

/// What the device reports; with `with_platform` also the platform's own extensions. In table order.
std::vector<cl_name_version> extension_versions(const DeviceFacts& facts, bool with_platform);
/// The same names, separated by single spaces.
std::string extension_names(const DeviceFacts& facts, bool with_platform);
std::vector<cl_name_version> feature_versions(const DeviceFacts& facts);
bool reports_extension(const DeviceFacts& facts, std::string_view name);

/// The extensions and macros that the compiler is told (`set_language_surface_provider`).
LanguageSurface language_surface(const DeviceFacts& facts);

/// The version of OpenCL that platform and device have, as number and as text.
cl_version opencl_version();
std::string opencl_version_text();

/// A `cl_name_version`; names are cut to its 63 characters.
cl_name_version name_version(std::string_view name, cl_version version);

}  // namespace lanewise
