// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the vectoriser decided about a loop, and how a build's reply tells it.
#pragma once

#include <string>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/vector_report.h"

namespace lanewise::spmd {

/// What became of one work-item loop.
struct Decision {
  std::string loop;  ///< the header's name: "region.0.items"
  unsigned width = 1;
  abi::TailForm tail = abi::TailForm::scalar;
  std::string reason;        ///< why it is scalar; empty if it is not
  bool own_vectors = false;  ///< scalar because of vectors of the source's own
  bool fills = false;        ///< the source's vectors are so many that nothing else was considered
  bool shares_rows = false;  ///< hot code will probably do several rows
  bool iterations = false;   ///< lanes are iterations of a loop of one work-item (iterations.h)
  // With Options::explain only:
  unsigned line = 0;  ///< line of the source where the loop begins; 0: not known
  double cost = 0;    ///< cost of a vector, relative to scalar code for its work-items; 0: unknown
  std::vector<abi::AccessReport> accesses{};  ///< report.h
};

/// The decisions in the form that a build's reply has.
std::vector<abi::LoopReport> report(const std::string& kernel, const std::vector<Decision>& decisions);

}  // namespace lanewise::spmd
