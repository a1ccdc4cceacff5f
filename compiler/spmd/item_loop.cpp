// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/item_loop.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "compiler/spmd/emitter.h"
#include "compiler/spmd/vector_loop.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// No range of local ids begins above this, so that none wraps as a 32-bit number.
constexpr std::uint64_t kLargestId = std::uint64_t{1} << 31U;
/// A sum of a local id and less than this is in range anyway: a row of work-items has less than 2^30 (kernel_abi.h).
constexpr std::uint64_t kSmallBase = std::uint64_t{1} << 20U;
/// Bodies with more instructions than this get no second vector form: compiling it takes longer than it saves.
constexpr unsigned kMostMasked = 4000;
/// A masked vector takes this much more time than one that is not.
constexpr double kMaskedCost = 1.2;

void set_loop_metadata(BasicBlock& latch, llvm::ArrayRef<const char*> names) {
  llvm::LLVMContext& c = latch.getContext();
  llvm::SmallVector<llvm::Metadata*> operands{nullptr};
  for (const char* name : names) {
    auto* key = llvm::MDString::get(c, name);
    const bool is_switch = llvm::StringRef(name).contains("enable") || llvm::StringRef(name).contains("isvectorized");
    if (!is_switch) {
      operands.push_back(llvm::MDNode::get(c, {key}));
      continue;
    }
    const bool on = llvm::StringRef(name).contains("isvectorized");
    auto* value = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(c), on ? 1 : 0));
    operands.push_back(llvm::MDNode::get(c, {key, value}));
  }
  auto* id = llvm::MDNode::getDistinct(c, operands);
  id->replaceOperandWith(0, id);
  latch.getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, id);
}

class LoopEmitter {
 public:
  LoopEmitter(const ItemLoop& items, Body& body, const Shapes& shapes, unsigned width, unsigned isa_level,
              const llvm::TargetTransformInfo& target)
      : items_(items),
        shapes_(shapes),
        width_(width),
        mask_bits_(std::clamp((isa_level >= 4   ? 512U
                               : isa_level == 3 ? 256U
                                                : 128U) /
                                  width,
                              8U, 64U)),
        header_(items.loop->getHeader()),
        before_(items.loop->getLoopPreheader()),
        exit_(items.loop->getUniqueExitBlock()),
        emitter_(body, shapes, *items.id, width, target) {}

  void run(Tail tail) {
    enter_ = block(".vector.enter");
    top_ = block(".vector");
    done_ = block(".vector.end");
    rest_ = tail == Tail::masked ? block(".rest") : header_;
    enter();
    emit_full_vectors();
    if (tail == Tail::masked)
      emit_masked_rest();
    else
      keep_scalar_rest();
  }

 private:
  BasicBlock* block(const char* suffix) const {
    return BasicBlock::Create(header_->getContext(), header_->getName() + suffix, header_->getParent(), header_);
  }

  /// In front of the loops: the number of work-items in full vectors, and whether the assumptions hold.
  void enter() {
    IRBuilder<> b(before_->getTerminator());
    count_ = b.CreateAnd(items_.size, b.getInt64(~std::uint64_t{width_ - 1}), "vector.items");
    Value* go = b.CreateIsNotNull(count_);
    for (Value* base : shapes_.bounded_bases()) {
      const auto* known = llvm::dyn_cast<llvm::ConstantInt>(base);
      if (known != nullptr && known->getValue().ult(kSmallBase)) continue;
      Value* low = b.CreateICmpULE(b.CreateAdd(base, items_.size), b.getInt64(kLargestId));
      // Sums that wrap around 2^64 are no ids either.
      low = b.CreateAnd(low, b.CreateICmpULE(base, b.getInt64(kLargestId)));
      assumed_ = assumed_ == nullptr ? low : b.CreateAnd(assumed_, low);
    }
    if (assumed_ != nullptr) go = b.CreateAnd(go, assumed_);
    llvm::BranchInst::Create(enter_, rest_, go, before_->getTerminator()->getIterator());
    before_->getTerminator()->eraseFromParent();
    llvm::BranchInst::Create(top_, enter_);
  }

  void emit_full_vectors() {
    IRBuilder<> b(top_);
    llvm::PHINode* id = b.CreatePHI(b.getInt64Ty(), 2, items_.id->getName() + ".vector");
    id->addIncoming(b.getInt64(0), enter_);
    emitter_.emit(b, id, nullptr);
    Value* next = b.CreateNUWAdd(id, b.getInt64(width_));
    id->addIncoming(next, b.GetInsertBlock());
    b.CreateCondBr(b.CreateICmpULT(next, count_), top_, done_);
    set_loop_metadata(*b.GetInsertBlock(), {"llvm.loop.isvectorized"});
    mark_vector_loop(*b.GetInsertBlock()->getTerminator(), width_);
    b.SetInsertPoint(done_);
    b.CreateCondBr(b.CreateICmpEQ(count_, items_.size), exit_, rest_);
  }

  void keep_scalar_rest() {
    items_.id->addIncoming(count_, done_);
    set_loop_metadata(*items_.loop->getLoopLatch(), {"llvm.loop.vectorize.enable", "llvm.loop.unroll.disable"});
  }

  /// `lane < count`, in elements of the size that the body's masks will have most.
  Value* first_lanes(IRBuilder<>& b, Value* count) const {
    llvm::Type* type = b.getIntNTy(mask_bits_);
    llvm::SmallVector<llvm::Constant*> numbers;
    for (unsigned l = 0; l < width_; ++l) numbers.push_back(llvm::ConstantInt::get(type, l));
    Value* all = b.CreateVectorSplat(width_, b.CreateTrunc(count, type));
    return b.CreateICmpULT(llvm::ConstantVector::get(numbers), all, "live");
  }

  void emit_masked_rest() {
    IRBuilder<> b(before_->getTerminator());
    Value* step = b.getInt64(width_);
    if (assumed_ != nullptr) step = b.CreateSelect(assumed_, step, b.getInt64(1), "rest.step");
    b.SetInsertPoint(rest_);
    llvm::PHINode* id = b.CreatePHI(b.getInt64Ty(), 3, items_.id->getName() + ".rest");
    id->addIncoming(b.getInt64(0), before_);
    id->addIncoming(count_, done_);
    Value* left = b.CreateNUWSub(items_.size, id);
    if (assumed_ != nullptr) left = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, step);
    emitter_.emit(b, id, first_lanes(b, left));
    if (assumed_ == nullptr) {
      b.CreateBr(exit_);
    } else {
      Value* next = b.CreateNUWAdd(id, step);
      id->addIncoming(next, b.GetInsertBlock());
      b.CreateCondBr(b.CreateICmpULT(next, items_.size), rest_, exit_);
      set_loop_metadata(*b.GetInsertBlock(), {"llvm.loop.isvectorized", "llvm.loop.unroll.disable"});
    }
  }

  const ItemLoop& items_;
  const Shapes& shapes_;
  unsigned width_;
  unsigned mask_bits_;
  BasicBlock* header_;
  BasicBlock* before_;
  BasicBlock* exit_;
  Emitter emitter_;
  BasicBlock* enter_ = nullptr;
  BasicBlock* top_ = nullptr;
  BasicBlock* done_ = nullptr;
  BasicBlock* rest_ = nullptr;
  Value* count_ = nullptr;
  Value* assumed_ = nullptr;  ///< null: nothing is
};

}  // namespace

std::string find_count(ItemLoop& items) {
  BasicBlock* header = items.loop->getHeader();
  BasicBlock* latch = items.loop->getLoopLatch();
  items.id = llvm::dyn_cast<llvm::PHINode>(&header->front());
  if (items.id == nullptr || !llvm::hasSingleElement(header->phis())) return "the work-item loop has an unusual form";
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  const auto* compare =
      branch == nullptr || !branch->isConditional() ? nullptr : llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (compare == nullptr || compare->getPredicate() != llvm::CmpInst::ICMP_ULT || branch->getSuccessor(0) != header ||
      compare->getOperand(0) != items.id->getIncomingValueForBlock(latch) ||
      !items.loop->isLoopInvariant(compare->getOperand(1)))
    return "the work-item loop has an unusual form";
  items.size = compare->getOperand(1);
  return "";
}

Tail choose_tail(const Body& body, const Shapes& shapes, const Choice& choice,
                 const llvm::TargetTransformInfo& target) {
  // A rest is half a vector on average.
  if (kMaskedCost * choice.vector_cost > choice.scalar_cost / 2) return Tail::scalar;
  unsigned instructions = 0;
  for (const BasicBlock* block : body.top().loop->blocks())
    for (const Instruction& i : *block) {
      ++instructions;
      const Value* pointer = llvm::getLoadStorePointerOperand(&i);
      if (pointer == nullptr) continue;
      llvm::Type* type = llvm::getLoadStoreType(&i);
      const Shape shape = shapes.of(*pointer);
      const auto bytes = static_cast<std::int64_t>(i.getDataLayout().getTypeStoreSize(type).getFixedValue());
      if (shape.kind != Kind::strided || shape.stride != bytes) continue;
      llvm::Type* all = llvm::FixedVectorType::get(type->getScalarType(), choice.width * components(*type));
      const llvm::Align align = llvm::getLoadStoreAlignment(&i);
      const unsigned space = pointer->getType()->getPointerAddressSpace();
      const bool native = llvm::isa<llvm::LoadInst>(i) ? target.isLegalMaskedLoad(all, align, space)
                                                       : target.isLegalMaskedStore(all, align, space);
      if (!native) return Tail::scalar;
    }
  return instructions > kMostMasked ? Tail::scalar : Tail::masked;
}

void emit_item_loop(const ItemLoop& items, Body& body, const Shapes& shapes, unsigned width, Tail tail,
                    unsigned isa_level, const llvm::TargetTransformInfo& target) {
  LoopEmitter(items, body, shapes, width, isa_level, target).run(tail);
}

}  // namespace lanewise::spmd
