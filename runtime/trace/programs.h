// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The programs that a trace shows, with the vectoriser's remarks.
#pragma once

#include <string>
#include <vector>

namespace lanewise::trace {

/// A program for the file's end.
struct TracedProgram {
  std::string source;   ///< OpenCL C; empty: the program came as SPIR-V
  std::string remarks;  ///< what the vectoriser did, one line each
};

/// Keeps a program for the trace's end, once. May block.
void keep_program(const std::string& source, const std::string& remarks);

/// A copy of all programs that were kept.
[[nodiscard]] std::vector<TracedProgram> kept_programs();

}  // namespace lanewise::trace
