// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/remarks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <cmath>

#include "compiler/base/statistic.h"

namespace lanewise::spmd {
namespace {

using llvm::ore::NV;

constexpr const char* kPass = "lanewise-vectorise";

Statistic vectorised_kernels{"vectorise", "kernels_vectorised", "kernels with vectors of work-items"};
Statistic scalar_kernels{"vectorise", "kernels_scalar", "kernels without"};
Statistic vectorised_loops{"vectorise", "loops_vectorised", "loops with vectors of work-items"};
Statistic scalar_loops{"vectorise", "loops_scalar", "loops without"};

/// Loops that stay scalar, by their reason, from `marked` on.
Statistic refused[] = {
    {"vectorise", "refused_marked", "loops that stay scalar: an earlier pass says so"},
#define LANEWISE_REFUSAL(name, text) {"vectorise", "refused_" #name, "loops that stay scalar: " text},
#include "compiler/lanes/analysis/refusal.def"
#undef LANEWISE_REFUSAL
};

/// A place in the kernel's own source; an unknown one without a line, or without debug information.
llvm::DebugLoc location(const llvm::Function& function, unsigned line) {
  llvm::DISubprogram* scope = function.getSubprogram();
  if (scope == nullptr || line == 0) return {};
  return llvm::DILocation::get(function.getContext(), line, 0, scope);
}

/// The line of the build log without the names in front.
std::string message(const abi::LoopReport& loop) {
  return llvm::StringRef(abi::lines(loop).front()).split(": ").second.str();
}

template <class Remark>
Remark about(const char* name, const llvm::Function& function, const abi::LoopReport& loop) {
  Remark remark(kPass, name, location(function, loop.line), &function.getEntryBlock());
  remark << NV("Loop", loop.loop) << ": " << NV("Decision", message(loop)) << llvm::ore::setExtraArgs();
  if (loop.width > 1) remark << NV("Width", loop.width);
  if (loop.cost > 0) remark << NV("CostPercent", static_cast<int>(std::lround(100 * loop.cost)));
  return remark;
}

}  // namespace

void count(Reason reason) {
  ++refused[static_cast<std::size_t>(reason) - static_cast<std::size_t>(Reason::marked)];
}

bool wants_remarks(const llvm::Function& function) {
  return llvm::OptimizationRemarkEmitter::allowExtraAnalysis(function, kPass);
}

void announce(const llvm::Function& function, const std::vector<abi::LoopReport>& loops) {
  const auto has_vectors = [](const abi::LoopReport& loop) { return loop.width > 1; };
  const auto vectors = static_cast<std::size_t>(llvm::count_if(loops, has_vectors));
  vectorised_loops += vectors;
  scalar_loops += loops.size() - vectors;
  if (!loops.empty()) ++(vectors != 0 ? vectorised_kernels : scalar_kernels);
  if (!wants_remarks(function)) return;
  llvm::OptimizationRemarkEmitter emitter(&function);
  for (const abi::LoopReport& loop : loops) {
    if (loop.width > 1)
      emitter.emit([&] { return about<llvm::OptimizationRemark>("Vectorised", function, loop); });
    else
      emitter.emit([&] { return about<llvm::OptimizationRemarkMissed>("NotVectorised", function, loop); });
    for (const abi::AccessReport& access : loop.accesses)
      emitter.emit([&] {
        return llvm::OptimizationRemarkAnalysis(kPass, "SlowAccess", location(function, access.line),
                                                &function.getEntryBlock())
               << NV("Access", access.kind);
      });
  }
}

}  // namespace lanewise::spmd
