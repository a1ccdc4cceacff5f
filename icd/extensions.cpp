// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/extensions.h"

#include <algorithm>
#include <cstring>

#include "include/lanewise/version.h"
#include "runtime/program/il.h"
#include "src/host/commit.h"
#include "src/host/cpu.h"

namespace lanewise {

namespace {

struct ExtensionRow {
  enum class Scope { platform, device };
  const char* name;
  cl_version version;
  Scope scope;
  bool language;  ///< an extension of OpenCL C
  bool (*enabled)(const DeviceFacts&);
};

struct FeatureRow {
  const char* macro;
  cl_version version;
  bool (*enabled)(const DeviceFacts&);
};

constexpr bool yes = true;
constexpr bool no = false;

constexpr ExtensionRow kExtensions[] = {
#define EXTENSION_ROW(name, major, minor, patch, scope, language, condition, tests)   \
  {#name, CL_MAKE_VERSION(major, minor, patch), ExtensionRow::Scope::scope, language, \
   [](const DeviceFacts& facts) { return static_cast<void>(facts), (condition); }},
#include "icd/extensions.def"
};

constexpr FeatureRow kFeatures[] = {
#define FEATURE_ROW(macro, major, minor, patch, condition, tests) \
  {#macro, CL_MAKE_VERSION(major, minor, patch),                  \
   [](const DeviceFacts& facts) { return static_cast<void>(facts), (condition); }},
#include "icd/extensions.def"
};

}  // namespace

cl_name_version name_version(std::string_view name, cl_version version) {
  cl_name_version out{};
  out.version = version;
  name.copy(out.name, sizeof out.name - 1);
  return out;
}

std::vector<cl_name_version> extension_versions(const DeviceFacts& facts, bool with_platform) {
  std::vector<cl_name_version> out;
  for (const auto& row : kExtensions) {
    if (row.scope == ExtensionRow::Scope::platform && !with_platform) continue;
    if (row.enabled(facts)) out.push_back(name_version(row.name, row.version));
  }
  return out;
}

std::string extension_names(const DeviceFacts& facts, bool with_platform) {
  std::string out;
  for (const auto& extension : extension_versions(facts, with_platform)) {
    if (!out.empty()) out += ' ';
    out += extension.name;
  }
  return out;
}

std::vector<cl_name_version> feature_versions(const DeviceFacts& facts) {
  std::vector<cl_name_version> out;
  for (const auto& row : kFeatures) {
    if (row.enabled(facts)) out.push_back(name_version(row.macro, row.version));
  }
  return out;
}

bool reports_extension(const DeviceFacts& facts, std::string_view name) {
  return std::any_of(std::begin(kExtensions), std::end(kExtensions),
                     [&](const ExtensionRow& row) { return name == row.name && row.enabled(facts); });
}

cl_version opencl_version() {
  return CL_MAKE_VERSION(3, opencl_minor(), 0);
}

std::string opencl_version_text() {
  return "OpenCL 3." + std::to_string(opencl_minor()) + " Lanewise " LANEWISE_VERSION;
}

LanguageSurface language_surface(const DeviceFacts& facts) {
  LanguageSurface surface;
  for (const auto& row : kExtensions) {
    if (row.language && row.enabled(facts)) surface.extensions.emplace_back(row.name);
  }
  for (const auto& row : kFeatures) {
    if (row.enabled(facts)) surface.macros.push_back(std::string(row.macro) + "=1");
  }
  surface.macros.emplace_back("__IMAGE_SUPPORT__=1");
  // OpenCL C 6.12: the version of the device, byte order, and whether fma() is as fast as a multiply and an add.
  surface.macros.push_back("__OPENCL_VERSION__=3" + std::to_string(opencl_minor()) + "0");
  if (opencl_minor() != 0) surface.macros.emplace_back("CL_VERSION_3_1=310");
  surface.macros.emplace_back("__ENDIAN_LITTLE__=1");
  if (facts.isa.has_fused_multiply_add()) {
    surface.macros.emplace_back("FP_FAST_FMAF=1");
    surface.macros.emplace_back("FP_FAST_FMA=1");
  }
  return surface;
}

}  // namespace lanewise
