// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tells which values of a work-item function are the same for all work-items of a group, of a row of one, or of a
/// sub-group.
///
/// LLVM's UniformityAnalysis asks the target for the sources of divergence, and processors have none; so it runs under
/// a small TargetTransformInfo of our own (see Karrenberg & Hack, CGO 2011, for the idea, and the LLVM documentation
/// "Convergence and Uniformity" for temporal divergence).
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>

#include <memory>

#include "compiler/groups/work_item_function.h"

namespace lanewise {

/// A snapshot of the function at the first query: invalid once blocks or instructions change. Kernels without barriers
/// make no query, so they are not analysed: LLVM takes minutes for a thousand divergent branches in one loop.
class Uniformity {
 public:
  /// The work-items that are compared. Those of a row differ in one dimension only, WorkItemFunction::row. Those of a
  /// sub-group have the same results of its operations, where it is more than a work-item.
  enum class Scope : unsigned char { group, row, sub_group };

  explicit Uniformity(const WorkItemFunction& item, Scope scope = Scope::group);
  ~Uniformity();
  Uniformity(const Uniformity&) = delete;
  Uniformity& operator=(const Uniformity&) = delete;

  /// The work-items that are in `block` at the same time all have the same `value`: uniform where it is defined, and
  /// `block` is not after a loop that the work-items leave in different iterations.
  [[nodiscard]] bool is_uniform_in(const llvm::Instruction& value, const llvm::BasicBlock& block);

  /// The work-items may take different successors at the end of `block`.
  [[nodiscard]] bool branch_diverges(const llvm::BasicBlock& block);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lanewise
