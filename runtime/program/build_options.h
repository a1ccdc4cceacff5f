// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The option string of clBuildProgram, clCompileProgram and clLinkProgram, parsed once into a canonical form.
///
/// Source: OpenCL API 3.0.16, 5.8.6 (compiler options) and 5.8.7 (linker options).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/result.h"

namespace lanewise {

/// The call that the options belong to. It decides which options exist, and the error for unknown ones.
enum class OptionPhase { build, compile, link };

/// An OpenCL C version.
struct LanguageVersion {
  int major = 1;
  int minor = 2;
  friend auto operator<=>(const LanguageVersion&, const LanguageVersion&) = default;
};

/// The properties of the device that options depend on.
struct OptionRules {
  std::span<const LanguageVersion> versions;   ///< CL_DEVICE_OPENCL_C_ALL_VERSIONS
  bool correctly_rounded_divide_sqrt = false;  ///< CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT of single precision
};

/// Parsed options.
struct BuildOptions {
  /// One option each, in a fixed order: flags in the order of API 5.8.6 and without duplicates, then -cl-std (always
  /// present for compile and build), then -D, -U, -I and -W as given ("-DNAME=1", "-Idir", "-Wall"). Options of equal
  /// meaning give equal tokens.
  std::vector<std::string> tokens;
  LanguageVersion language;  ///< the OpenCL C version; for C++ for OpenCL, the one whose rules it shares
  bool kernel_arg_info = false;
  bool uniform_work_groups = false;  ///< -cl-uniform-work-group-size, or a language below OpenCL C 2.0
  bool include_directories = false;  ///< an -I is given
  bool create_library = false;
  bool enable_link_options = false;
  /// Lines for the log about options of other drivers that have no effect here. Empty with -w.
  std::string notes;
  /// The line for the log if the options are well formed, but a build with them must fail on this device. Else empty.
  std::string refusal;
};

/// Splits a text at white space. Double quotes group and are removed; a backslash makes a following quote, backslash or
/// blank literal. Fails if a quote is not closed.
Result<std::vector<std::string>> split_options(std::string_view text);

/// Parses options. Errors: CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS or CL_INVALID_LINKER_OPTIONS, by the
/// phase; the message names the option.
Result<BuildOptions> parse_options(std::string_view text, OptionPhase phase, const OptionRules& rules);

}  // namespace lanewise
