// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/plan/chains.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "compiler/lanes/plan/costs.h"

namespace lanewise::spmd {
namespace {

using llvm::Instruction;

/// With fewer operations the next vector is in the processor's view anyway; more would make builds longer.
constexpr unsigned kFewest = 32;
constexpr unsigned kMost = 300;

bool is_arithmetic(const Instruction& i) {
  if (!i.getType()->getScalarType()->isFloatingPointTy()) return false;
  return llvm::isa<llvm::BinaryOperator>(i) || llvm::isa<llvm::CallInst>(i);
}

unsigned cycles(const Instruction& i) {
  if (is_arithmetic(i)) return costs::latency;
  return i.getOpcode() == Instruction::Mul && i.getType()->getScalarSizeInBits() > 64 ? costs::latency_wide_product : 1;
}

class Chains {
 public:
  explicit Chains(const Shapes& shapes) : shapes_(shapes) {}

  /// Blocks must come in an order in which a value is seen before its uses.
  void add(const llvm::BasicBlock& block) {
    for (const Instruction& i : block) {
      if (i.isTerminator() || i.getType()->isVoidTy() || shapes_.of(i).has_base()) continue;
      unsigned begin = 0;
      for (const llvm::Value* operand : i.operands()) begin = std::max(begin, ends_.lookup(operand));
      const bool counts = !i.mayReadOrWriteMemory() && !llvm::isa<llvm::PHINode>(i);
      if (gathers(i)) loads_of_lanes += costs::loads_of_lanes;
      const unsigned end = begin + (counts ? cycles(i) : 0);
      ends_[&i] = end;
      latency = std::max(latency, end);
      operations += counts ? 1 : 0;
    }
  }

  unsigned operations = 0;
  unsigned loads_of_lanes = 0;
  unsigned latency = 0;

 private:
  /// Whether each lane loads from an address of its own.
  [[nodiscard]] bool gathers(const Instruction& i) const {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
    return load != nullptr && !shapes_.of(*load->getPointerOperand()).has_base();
  }

  const Shapes& shapes_;
  llvm::DenseMap<const llvm::Value*, unsigned> ends_;
};

}  // namespace

bool waits_for_chain(const Body& body, const Shapes& shapes, Isa isa) {
  if (body.levels().size() > 1) return false;
  Chains chains(shapes);
  llvm::ReversePostOrderTraversal<const llvm::BasicBlock*> order(body.top().loop->getHeader());
  for (const llvm::BasicBlock* block : order)
    if (body.contains(block)) chains.add(*block);
  // Operations that a processor can start in a cycle: two of its three units have 512 bits. A second vector pays where
  // one keeps less than half of them busy.
  const unsigned starts = isa.vector_bits() > 256 ? 2 : 3;
  return chains.operations >= kFewest && chains.operations <= kMost &&
         2 * (chains.operations + chains.loads_of_lanes) < starts * chains.latency;
}

}  // namespace lanewise::spmd
