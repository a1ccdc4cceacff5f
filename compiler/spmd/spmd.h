// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The SPMD vectoriser, in which each work-item is a lane. It works on each innermost work-item loop of a range
/// function (compiler/workgroup) by itself; such a loop has `!{!"lanewise.items"}` in its loop metadata.
///
///     for (x = 0; x < local_size_x; ++x) item(x)
///  =>
///     for (x = 0; x + W <= local_size_x; x += W) items<W>(x)      ; if the assumptions about ids hold
///     the tail: items<W>(x) under a mask, or item(x) one by one   ; item_loop.h
///
/// Steps: analysis/ finds the facts about a loop or refuses it (facts.h), plan/ measures it and decides or refuses
/// (planner.h), emit/ writes the vector form (item_loop.h, emitter.h) and never fails. Each includes only those before
/// it. A loop that is refused stays as it was.
#pragma once

#include <string>
#include <vector>

#include "compiler/spmd/plan/plan.h"
#include "include/lanewise/vector_report.h"

namespace llvm {
class Function;
class TargetMachine;
}  // namespace llvm

namespace lanewise::spmd {

/// What became of one work-item loop.
struct Decision {
  std::string loop;  ///< the header's name: "region.0.items"
  unsigned width = 1;
  bool masked_tail = false;
  bool one_form = false;     ///< every vector has a mask
  std::string reason;        ///< why it is scalar; empty if it is not
  bool own_vectors = false;  ///< it is scalar because of vectors of the source's own
  bool fills = false;        ///< which are so many that nothing else was considered
  unsigned rows = 1;         ///< of work-items and
  bool shares_rows = false;  ///< hot code will probably do several rows
  bool iterations = false;   ///< its lanes are iterations of a loop of one work-item (iterations.h)
  unsigned columns = 1;      ///< of vectors that an iteration does (register_blocking.h); of work-items if it is scalar
  // With Options::explain only:
  unsigned line = 0;                          ///< of the source where it begins; 0: not known
  double cost = 0;                            ///< of a vector, relative to scalar code for its work-items; 0: unknown
  std::vector<abi::AccessReport> accesses{};  ///< report.h
};

/// Vectorises every loop that can be vectorised. The function stays valid in every case.
std::vector<Decision> vectorise(llvm::Function& function, llvm::TargetMachine& machine, const Options& options);

/// What `vectorise` would do, as text: a line per loop. Does not change the function.
std::string describe_plans(llvm::Function& function, llvm::TargetMachine& machine, const Options& options);

/// The decisions in the form that a build's reply has.
std::vector<abi::LoopReport> report(const std::string& kernel, const std::vector<Decision>& decisions);

}  // namespace lanewise::spmd
