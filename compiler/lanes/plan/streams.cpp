// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/plan/streams.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <utility>

#include "compiler/lanes/plan/blocking.h"

namespace lanewise::spmd {
namespace {

using llvm::Instruction;
using llvm::Value;

/// More streams than the prefetchers of a core follow, which are 32 to 64 (Golden Cove, Zen 5).
constexpr unsigned kFewestStreams = 64;
/// Builds of larger bodies would take too long.
constexpr unsigned kMostAccesses = 1000;
/// Operations for each access up to which memory is the limit.
constexpr unsigned kMostOperations = 2;
constexpr unsigned kMostVectors = 4;

class Streams {
 public:
  explicit Streams(const Shapes& shapes) : shapes_(shapes) {}

  void add(const llvm::BasicBlock& block) {
    llvm::SmallPtrSet<const Value*, 32> alive;
    for (const Instruction& i : llvm::reverse(block)) {
      if (i.isTerminator()) continue;
      alive.erase(&i);
      add(i);
      if (!llvm::isa<llvm::PHINode>(i))
        for (const Value* operand : i.operands())
          if (is_in_registers(*operand)) alive.insert(operand);
      most_alive = std::max<unsigned>(most_alive, alive.size());
    }
  }

  llvm::SmallPtrSet<const Value*, 32> pointers;  ///< of neighbours, outside of private memory
  unsigned accesses = 0;
  unsigned operations = 0;
  unsigned most_alive = 0;  ///< vectors in use at once
  bool other = false;       ///< there is a call, a division, or an access of another form

 private:
  [[nodiscard]] bool is_in_registers(const Value& value) const {
    return llvm::isa<Instruction>(value) && !shapes_.of(value).has_base();
  }

  void add(const Instruction& i) {
    const Value* pointer = llvm::getLoadStorePointerOperand(&i);
    if (pointer == nullptr) {
      if (shapes_.of(i).has_base()) return;
      const bool calls = llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::IntrinsicInst>(i);
      other |= calls || i.mayReadOrWriteMemory() || divides(i);
      ++operations;
      return;
    }
    const Shape shape = shapes_.of(*pointer);
    if (shape.is_uniform()) return;
    const llvm::TypeSize bytes = i.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&i));
    other |= shape.kind != Kind::strided || shape.checked || std::cmp_not_equal(shape.stride, bytes.getFixedValue());
    ++accesses;
    if (!llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer))) pointers.insert(pointer);
  }

  const Shapes& shapes_;
};

}  // namespace

unsigned vectors_for_streams(const Body& body, const Shapes& shapes, Isa isa) {
  if (body.levels().size() > 1) return 1;
  Streams streams(shapes);
  for (const llvm::BasicBlock* block : body.top().loop->blocks()) streams.add(*block);
  if (streams.other || streams.pointers.size() < kFewestStreams || streams.accesses > kMostAccesses) return 1;
  if (streams.operations > kMostOperations * streams.accesses) return 1;
  unsigned vectors = kMostVectors;
  while (vectors > 1 && vectors * streams.most_alive > isa.registers()) vectors /= 2;
  return vectors;
}

}  // namespace lanewise::spmd
