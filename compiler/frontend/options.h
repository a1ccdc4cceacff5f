// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// OpenCL build options and device description -> arguments of `clang -cc1`. Knows no LLVM type.
#pragma once

#include <string>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "src/base/result.h"

namespace lanewise {

/// The directory of the in-memory files of a compilation. Nothing in it is ever read from disk.
inline constexpr const char* kProgramDirectory = "/lanewise/program";  ///< the source and the embedded headers
inline constexpr const char* kBaseHeader = "/lanewise/include/opencl-c-base.h";  ///< comes before every source
using abi::kSourceName;

/// What the front end reads, and for which job.
struct SourceJob {
  const abi::Source& source;
  bool builds;          ///< abi::Build, else abi::Compile: their errors have different codes
  bool report_vectors;  ///< code will be reported, so lines are kept
};

/// The complete argument list for a source, without "-cc1".
///
/// Options (API 5.8.6): -D -U -I -w -Werror -W<name> -g -O<n> -cl-std=, every -cl-* of OpenCL 3.0 and
/// -cl-lanewise-report-vectors (which gives line tables); a relative -I is resolved against
/// `Source::working_directory`. Language version without -cl-std: OpenCL C 1.2, the highest 1.x.
/// Contraction: `on` (inside an expression), `fast` where the options allow it; always expressed as IR flags.
/// Only the extensions and feature macros that the source names are defined.
/// Error: CL_INVALID_BUILD_OPTIONS or CL_INVALID_COMPILER_OPTIONS with the option in the message.
Result<std::vector<std::string>> cc1_arguments(const SourceJob& job);

/// True if `-cl-opt-disable` or `-O0` is among the options.
bool optimisation_disabled(const std::vector<std::string>& options);

/// True if the options let floating-point sums be computed in another order (API 5.8.6.3).
bool sums_reassociate(const std::vector<std::string>& options);

/// True if `-cl-lanewise-report-vectors` is among the options: the log says what the vectoriser made of each kernel.
bool reports_vectors(const std::vector<std::string>& options);

/// Checks the options of a link (API 5.8.6.6). Error: CL_INVALID_LINKER_OPTIONS.
Result<void> check_link_options(const std::vector<std::string>& options);

}  // namespace lanewise
