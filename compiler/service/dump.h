// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LANEWISE_DUMP: the files of a request, in a folder of its own below the one that the option names.
///
///     build-<process>-<number>/   or compile-, link-, specialise-
///       program.cl, program.spv   the source, or the module
///       headers/NAME              embedded headers
///       options.txt               options, macros and extensions, one each line
///       canonical.ll              IR of the whole program as the front end leaves it
///       KERNEL.lowered.ll         IR after work-groups are lowered
///       KERNEL.optimised.ll       IR after all passes
///       KERNEL.s                  assembly
///       code.so                   the code object
///       log.txt, remarks.txt      the build log, what the vectoriser did
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/observer.h"
#include "include/lanewise/compiler_abi.h"

namespace lanewise {

/// The dump of one request. Thread-safe but for the constructor and `finish`.
class Dump {
 public:
  /// Makes the folder and writes what the request has.
  explicit Dump(const abi::Request& request);
  Dump(const Dump&) = delete;
  Dump& operator=(const Dump&) = delete;

  /// Whether the option names a folder, and the request makes something.
  static bool wanted(const abi::Request& request);

  [[nodiscard]] const PipelineObserver& observer() const { return observer_; }
  /// Writes what the reply has. If a file could not be written, the reply's log says so.
  void finish(abi::Reply& reply);

 private:
  void write(const std::string& name, std::string_view text) const;

  std::string folder_;  ///< empty: it could not be made
  PipelineObserver observer_;
};

}  // namespace lanewise
