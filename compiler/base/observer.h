// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shows what the compiler makes between a program and its machine code. No LLVM type appears here.
#pragma once

#include <functional>
#include <string_view>

namespace lanewise {

/// For tools and tests: shows intermediate forms of each kernel as text. `phase` is one of
///   "canonical"  the program as the front end leaves it (spir64, built-ins not yet linked; kernel is empty)
///   "lowered"    after the work-group lowering, before the optimiser
///   "optimised"  after LLVM's optimisations
///   "asm"        assembly
/// Called from several threads at once if the program has several kernels. Text is made only for the phases wanted.
struct PipelineObserver {
  std::function<bool(std::string_view phase)> wants;
  std::function<void(std::string_view phase, std::string_view kernel, std::string_view text)> show;
  /// If set: called for each pass of compiler/pipeline/passes.def that has changed a kernel
  /// (compiler/pipeline/changes.h).
  std::function<void(std::string_view pass)> changed{};
};

}  // namespace lanewise
