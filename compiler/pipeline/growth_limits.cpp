// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/growth_limits.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>

#include <memory>

#include "compiler/base/extent.h"

namespace lanewise {
namespace {

using llvm::Function;

/// Passes over one loop that walk through all loops of the function, or invalidate analyses of all of them.
bool counts_loops(llvm::StringRef pass) {
  return pass == "IndVarSimplifyPass" || pass == "LoopIdiomRecognizePass" || pass == "LoopDeletionPass" ||
         pass == "LoopFullUnrollPass" || pass == "LoopRotatePass";
}

class PassLimits {
 public:
  explicit PassLimits(bool hot) : compared_accesses_(hot ? kComparedAccesses : kQuicklyComparedAccesses) {}

  bool may_run(llvm::StringRef pass, const llvm::Any& unit) {
    if (const auto* loop = llvm::any_cast<const llvm::Loop*>(&unit)) {
      return !counts_loops(pass) || loops_of(*(*loop)->getHeader()->getParent()) <= kCountedLoops;
    }
    measured_ = nullptr;  // a pass over a whole function may change it
    const auto* function = llvm::any_cast<const Function*>(&unit);
    if (function == nullptr) return true;
    if (pass == "LoopVectorizePass") return measure(**function).blocks <= kVectorisedBlocks;
    if (pass == "LoopUnrollPass") return measure(**function).loops <= kCountedLoops;
    if (pass == "LoopLoadEliminationPass") {
      const Extent extent = measure(**function, compared_accesses_);
      return extent.accesses <= compared_accesses_ && extent.loops <= kCountedLoops;
    }
    return true;
  }

 private:
  unsigned loops_of(const Function& function) {
    if (measured_ != &function) {
      measured_ = &function;
      loops_ = measure(function).loops;
    }
    return loops_;
  }

  const unsigned compared_accesses_;
  const Function* measured_ = nullptr;
  unsigned loops_ = 0;
};

}  // namespace

void limit_growth(llvm::PassInstrumentationCallbacks& callbacks, bool hot) {
  callbacks.registerShouldRunOptionalPassCallback(
      [limits = std::make_shared<PassLimits>(hot)](llvm::StringRef pass, const llvm::Any& unit) {
        return limits->may_run(pass, unit);
      });
}

}  // namespace lanewise
