// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/counted_arrays.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace lanewise {
namespace {

using llvm::SCEV;
using llvm::Value;

/// With more iterations, one in the other, than LLVM would unroll.
constexpr unsigned kLong = 256;

class ArrayAccesses {
 public:
  ArrayAccesses(llvm::AllocaInst& array, llvm::ScalarEvolution& evolution) : array_(array), evolution_(evolution) {}

  /// True if every access is of a known element, given the numbers of iterations, and one is in a loop.
  bool are_counted() {
    llvm::SmallVector<Value*> work{&array_};
    while (!work.empty()) {
      Value* pointer = work.pop_back_val();
      for (llvm::User* user : pointer->users())
        if (llvm::isa<llvm::GetElementPtrInst>(user))
          work.push_back(user);
        else if (!is_counted(*llvm::cast<llvm::Instruction>(user), *pointer))
          return false;
    }
    return in_loop_;
  }

 private:
  bool is_counted(const llvm::Instruction& user, Value& pointer) {
    if (user.isLifetimeStartOrEnd()) return true;
    const bool plain = llvm::getLoadStorePointerOperand(&user) == &pointer && !user.isVolatile() && !user.isAtomic();
    if (!plain) return is_whole(user, pointer);
    return is_counted(evolution_.removePointerBase(evolution_.getSCEV(&pointer)));
  }

  /// Initialised or copied as a whole.
  [[nodiscard]] bool is_whole(const llvm::Instruction& user, const Value& pointer) const {
    const auto* copy = llvm::dyn_cast<llvm::MemIntrinsic>(&user);
    return copy != nullptr && !copy->isVolatile() && &pointer == &array_ &&
           llvm::isa<llvm::ConstantInt>(copy->getLength());
  }

  bool is_counted(const SCEV* offset) {
    unsigned iterations = 1;
    const bool unknown = llvm::SCEVExprContains(offset, [&](const SCEV* part) {
      if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part)) {
        const unsigned count = evolution_.getSmallConstantTripCount(counter->getLoop());
        in_loop_ = true;
        iterations = std::min(kLong + 1, iterations * std::min(kLong + 1, count));
        return count == 0;
      }
      return llvm::isa<llvm::SCEVUnknown, llvm::SCEVCouldNotCompute>(part);
    });
    return !unknown && iterations <= kLong;
  }

  llvm::AllocaInst& array_;
  llvm::ScalarEvolution& evolution_;
  bool in_loop_ = false;
};

}  // namespace

bool has_counted_array(llvm::Function& function, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution) {
  if (loops.empty()) return false;
  return llvm::any_of(llvm::instructions(function), [&](llvm::Instruction& i) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
    return variable != nullptr && variable->getAllocatedType()->isArrayTy() &&
           ArrayAccesses(*variable, evolution).are_counted();
  });
}

}  // namespace lanewise
