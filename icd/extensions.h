// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The table of extensions and features (icd/extensions.def) in the forms that queries and the compiler want.
#pragma once

#include <CL/cl.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/platform.h"

namespace lanewise {

struct ExtensionRow {
  enum class Scope { platform, device };
  const char* name;
  cl_version version;
  Scope scope;
  bool language;  ///< a name that OpenCL C knows
  bool (*enabled)(const DeviceFacts&);
  const char* tests;
};

struct FeatureRow {
  const char* macro;
  cl_version version;
  bool (*enabled)(const DeviceFacts&);
  const char* tests;
};

std::span<const ExtensionRow> extension_rows();
std::span<const FeatureRow> feature_rows();

/// What the device reports; with `with_platform` also the platform's own extensions. In table order.
std::vector<cl_name_version> extension_versions(const DeviceFacts& facts, bool with_platform);
/// The same names, separated by single spaces.
std::string extension_names(const DeviceFacts& facts, bool with_platform);
std::vector<cl_name_version> feature_versions(const DeviceFacts& facts);
bool reports_extension(const DeviceFacts& facts, std::string_view name);

/// What the compiler is told (`set_language_surface_provider`).
LanguageSurface language_surface(const DeviceFacts& facts);

/// A `cl_name_version`; names are cut to its 63 characters.
cl_name_version name_version(std::string_view name, cl_version version);

}  // namespace lanewise
