// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/guards.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::ICmpInst;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kDeepest = 12;
constexpr unsigned kMostConditions = 16;

bool has_effects(const BasicBlock& block) {
  return llvm::any_of(block, [](const Instruction& i) {
    return !i.isTerminator() && (i.mayHaveSideEffects() || i.isVolatile()) && !llvm::isa<llvm::AssumeInst>(i);
  });
}

/// A work-item that reaches `block` does nothing more.
bool is_empty_path(const Body& body, const BasicBlock* block) {
  const BasicBlock* latch = body.top().loop->getLoopLatch();
  for (unsigned steps = 0; steps < kDeepest; ++steps) {
    if (body.level(block) != &body.top() || has_effects(*block) || !block->phis().empty()) return false;
    if (block == latch) return true;
    block = block->getSingleSuccessor();
    if (block == nullptr) return false;
  }
  return false;
}

/// True for an expression that can be computed before the loop, with 0 in place of the local id.
bool is_movable(const Body& body, const Value* v, const Value* local_id, unsigned depth = 0) {
  const auto* i = llvm::dyn_cast<Instruction>(v);
  if (i == nullptr || !body.contains(i->getParent())) return true;
  if (v == local_id) return true;
  if (depth > kDeepest || llvm::isa<llvm::PHINode>(i) || i->mayReadOrWriteMemory() ||
      !llvm::isSafeToSpeculativelyExecute(i) || !i->getType()->isIntegerTy())
    return false;
  return llvm::all_of(i->operands(), [&](const Value* o) { return is_movable(body, o, local_id, depth + 1); });
}

bool is_invariant(const Body& body, const Value* v, const Value* local_id, unsigned depth = 0) {
  if (v == local_id) return false;
  const auto* i = llvm::dyn_cast<Instruction>(v);
  if (i == nullptr || !body.contains(i->getParent())) return true;
  if (depth > kDeepest) return false;
  return llvm::all_of(i->operands(), [&](const Value* o) { return is_invariant(body, o, local_id, depth + 1); });
}

class Finder {
 public:
  Finder(const Body& body, const Shapes& shapes, const llvm::PHINode& local_id)
      : body_(body), shapes_(shapes), local_id_(local_id) {}

  Guards run() {
    const BasicBlock* block = body_.top().loop->getHeader();
    for (unsigned steps = 0; steps < kDeepest; ++steps) {
      if (body_.level(block) != &body_.top() || has_effects(*block)) break;
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (branch == nullptr || block == body_.top().loop->getLoopLatch()) break;
      if (branch->isConditional()) {
        const bool out0 = is_empty_path(body_, branch->getSuccessor(0));
        const bool out1 = is_empty_path(body_, branch->getSuccessor(1));
        if (out0 == out1) break;
        const unsigned in = out0 ? 1 : 0;
        const bool all = take(branch->getCondition(), out0);
        if (!all) break;
        guards_.passed.push_back({block, in});
        block = branch->getSuccessor(in);
      } else {
        block = branch->getSuccessor(0);
      }
    }
    return std::move(guards_);
  }

 private:
  /// Splits `condition`, or its negation, into conditions that all have to hold. True if these express all of it.
  bool take(const Value* condition, bool negated) {
    using namespace llvm::PatternMatch;
    const Value* a = nullptr;
    const Value* b = nullptr;
    if (match(condition, m_Not(m_Value(a)))) return take(a, !negated);
    const bool both = negated ? match(condition, m_LogicalOr(m_Value(a), m_Value(b)))
                              : match(condition, m_LogicalAnd(m_Value(a), m_Value(b)));
    if (both) {
      const bool first = take(a, negated);
      return take(b, negated) && first;
    }
    if (guards_.conditions.size() == kMostConditions || !is_movable(body_, condition, &local_id_)) return false;
    if (is_invariant(body_, condition, &local_id_)) {
      guards_.conditions.push_back({condition, negated});
      return true;
    }
    if (!is_bound(*condition)) return false;
    const bool swapped = is_invariant(body_, llvm::cast<ICmpInst>(condition)->getOperand(0), &local_id_);
    guards_.conditions.push_back({condition, negated, /*is_bound=*/true, swapped});
    return true;
  }

  /// An ordered comparison of a value that grows with the local id and an invariant one.
  [[nodiscard]] bool is_bound(const Value& condition) const {
    const auto* compare = llvm::dyn_cast<ICmpInst>(&condition);
    if (compare == nullptr || compare->isEquality()) return false;
    const Value* left = compare->getOperand(0);
    const Value* right = compare->getOperand(1);
    if (!left->getType()->isIntegerTy(32) && !left->getType()->isIntegerTy(64)) return false;
    const bool counts = is_invariant(body_, left, &local_id_) != is_invariant(body_, right, &local_id_);
    const Shape shape = shapes_.of(is_invariant(body_, left, &local_id_) ? *right : *left);
    return counts && shape.kind == Kind::strided && shape.stride == 1 && !shape.checked;
  }

  const Body& body_;
  const Shapes& shapes_;
  const llvm::PHINode& local_id_;
  Guards guards_;
};

}  // namespace

Guards find_guards(const Body& body, const Shapes& shapes, const llvm::PHINode& local_id) {
  return Finder(body, shapes, local_id).run();
}

}  // namespace lanewise::spmd
