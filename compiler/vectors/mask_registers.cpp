// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/mask_registers.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "compiler/base/context.h"

namespace lanewise::spmd {
namespace {

using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

bool is_mask(const Value& v) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(v.getType());
  return type != nullptr && type->getElementType()->isIntegerTy(1) && type->getNumElements() >= 4;
}

/// A mask made of others by operations that integers have as well.
bool is_joined(const Value& v) {
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  if (i == nullptr || !is_mask(v)) return false;
  switch (i->getOpcode()) {
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::PHI:
    case Instruction::Freeze:
    case Instruction::Select:
      return true;
    case Instruction::ShuffleVector:
      return is_mask(*i->getOperand(0));
    default:
      return false;
  }
}

/// The size in bits of the elements that a mask belongs to: those of a comparison that makes it, or of what is chosen
/// or accessed by it. 0: no size. Halves are compared as float.
unsigned bits_of(const llvm::Type& type) {
  const llvm::Type* scalar = type.getScalarType();
  if (scalar->isPointerTy()) return 64;
  if (scalar->isHalfTy() || scalar->isBFloatTy()) return 32;
  const unsigned bits = scalar->getScalarSizeInBits();
  return bits <= 1 ? 0 : std::clamp(std::bit_ceil(bits), 8U, 64U);
}

unsigned bits_of_user(const llvm::User& user) {
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&user)) return bits_of(*select->getType());
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&user);
  if (call == nullptr) return 0;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather:
      return bits_of(*call->getType());
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_scatter:
      return bits_of(*call->getArgOperand(0)->getType());
    default:
      return 0;
  }
}

/// Masks that meet have elements of one size, the one that most of the work in loops is on.
class MaskSizes {
 public:
  explicit MaskSizes(llvm::Function& function) : tree_(function), loops_(tree_) {}

  void add(Value& mask) {
    classes_.insert(&mask);
    if (!is_joined(mask)) return;
    for (Value* operand : llvm::cast<Instruction>(mask).operands())
      if (is_mask(*operand) && !llvm::isa<llvm::Constant>(operand)) classes_.unionSets(&mask, operand);
  }

  void vote(Value& mask) {
    const auto* made = llvm::dyn_cast<Instruction>(&mask);
    if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&mask))
      add_votes(mask, *made, bits_of(*compare->getOperand(0)->getType()));
    for (const llvm::User* user : mask.users()) add_votes(mask, llvm::cast<Instruction>(*user), bits_of_user(*user));
  }

  llvm::FixedVectorType* wide_type(const Value& mask) {
    unsigned bits = 32;
    std::uint64_t most = 0;
    if (const auto votes = votes_.find(classes_.getLeaderValue(&mask)); votes != votes_.end())
      for (std::size_t k = 0; k < kBits.size(); ++k)
        if (votes->second[k] > most) {
          most = votes->second[k];
          bits = kBits[k];
        }
    const auto* type = llvm::cast<llvm::FixedVectorType>(mask.getType());
    return llvm::FixedVectorType::get(llvm::IntegerType::get(mask.getContext(), bits), type->getNumElements());
  }

 private:
  static constexpr std::array<unsigned, 4> kBits{8, 16, 32, 64};
  using Votes = std::array<std::uint64_t, kBits.size()>;

  void add_votes(const Value& mask, const Instruction& at, unsigned bits) {
    constexpr unsigned kDeepest = 4;
    if (bits == 0) return;
    const auto place = static_cast<std::size_t>(std::countr_zero(bits) - 3);
    votes_[classes_.getLeaderValue(&mask)][place] += 1ULL
                                                     << (3 * std::min(loops_.getLoopDepth(at.getParent()), kDeepest));
  }

  const llvm::DominatorTree tree_;
  const llvm::LoopInfo loops_;
  llvm::EquivalenceClasses<const Value*> classes_;
  llvm::DenseMap<const Value*, Votes> votes_;  ///< of each class, by its leader
};

constexpr unsigned kRegister = 256;  ///< bits

Value* everywhere(llvm::IRBuilder<>& b, Value* condition, llvm::FixedVectorType& type) {
  return b.CreateVectorSplat(type.getNumElements(), b.CreateSExt(condition, type.getElementType()));
}

/// Masks that tests split in two.
class MaskSplits {
 public:
  /// Lanes of `mask` for which `condition` holds, where those for which it does not hold may be needed too. Of several
  /// registers, whose parts are tested, these are the others: the code generator would invert the comparison and make
  /// both.
  Value* both(llvm::IRBuilder<>& b, Value* mask, Value* condition) {
    if (mask->getType()->getPrimitiveSizeInBits() <= kRegister) return b.CreateAnd(mask, condition);
    Value* test = condition;
    const unsigned own = match(condition, m_Not(m_Value(test))) ? 1 : 0;
    Split& split = known_[{mask, test}];
    if (split.block != b.GetInsertBlock()) split = {.block = b.GetInsertBlock()};
    Value* others = split.parts[1 - own];
    if (split.parts[own] == nullptr)
      split.parts[own] = others != nullptr ? b.CreateXor(mask, others) : b.CreateAnd(mask, condition);
    return split.parts[own];
  }

 private:
  struct Split {
    const llvm::BasicBlock* block = nullptr;  ///< in which the parts are
    std::array<Value*, 2> parts{};            ///< lanes for which the test holds, and the others
  };
  llvm::DenseMap<std::pair<const Value*, const Value*>, Split> known_;  ///< by the mask that is split, and the test
};

class MaskWidener {
 public:
  explicit MaskWidener(llvm::Function& function) : function_(function), sizes_(function) {}

  /// @returns whether there are masks
  bool run() {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (llvm::Argument& a : function_.args()) collect(a);
    for (llvm::BasicBlock* block : order)
      for (Instruction& i : *block) collect(i);
    if (masks_.empty()) return false;
    for (Value* mask : masks_) sizes_.vote(*mask);
    for (Value* mask : masks_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(mask)) begin_phi(*phi);
    for (Value* mask : masks_)
      if (is_joined(*mask) && !llvm::isa<llvm::PHINode>(mask)) join(llvm::cast<Instruction>(*mask));
    for (Value* mask : masks_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(mask)) end_phi(*phi);
    for (Value* mask : masks_) redirect_uses(*mask);
    erase_joined();
    for (const llvm::WeakTrackingVH& made : made_)
      if (made) llvm::RecursivelyDeleteTriviallyDeadInstructions(made);
    return true;
  }

 private:
  void collect(Value& v) {
    if (!is_mask(v)) return;
    masks_.push_back(&v);
    sizes_.add(v);
  }
  llvm::FixedVectorType* wide_type(const Value& mask) { return sizes_.wide_type(mask); }

  // --- wide forms ----------------------------------------------------------------------------------------------------

  Value* made(Value* v) {
    if (llvm::isa<Instruction>(v)) made_.emplace_back(v);
    return v;
  }

  /// The wide form of a mask for use with elements of `type`'s size.
  Value* wide(Value& mask, const Value& user) {
    llvm::Type* bits = wide_type(user)->getElementType();
    auto* type = llvm::FixedVectorType::get(bits, llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements());
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(&mask))
      return llvm::IRBuilder<>(function_.getContext()).CreateSExt(constant, type);
    Value*& known = wide_[&mask];
    if (known == nullptr) known = widened_leaf(mask, type);
    return known;
  }

  Value* widened_leaf(Value& mask, llvm::FixedVectorType* type) {
    llvm::IRBuilder<> b(function_.getContext());
    if (auto* i = llvm::dyn_cast<Instruction>(&mask))
      b.SetInsertPoint(*i->getInsertionPointAfterDef());
    else
      b.SetInsertPoint(function_.getEntryBlock().getFirstInsertionPt());
    return made(b.CreateSExt(&mask, type, mask.getName() + ".wide"));
  }

  void begin_phi(llvm::PHINode& phi) {
    llvm::IRBuilder<> b(&phi);
    wide_[&phi] = made(b.CreatePHI(wide_type(phi), phi.getNumIncomingValues(), phi.getName() + ".wide"));
  }

  void end_phi(llvm::PHINode& phi) {
    auto* wide_phi = llvm::cast<llvm::PHINode>(wide_[&phi]);
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      wide_phi->addIncoming(wide(*phi.getIncomingValue(i), phi), phi.getIncomingBlock(i));
  }

  void join(Instruction& mask) {
    llvm::IRBuilder<> b(&mask);
    const auto operand = [&](unsigned number) { return wide(*mask.getOperand(number), mask); };
    const llvm::Twine name = mask.getName() + ".wide";
    Value* result = nullptr;
    Value* scalar = nullptr;
    if (match(&mask, m_Shuffle(m_InsertElt(m_Value(), m_Value(scalar), m_ZeroInt()), m_Value(), m_ZeroMask())))
      result = everywhere(b, scalar, *wide_type(mask));
    else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&mask))
      result = chosen(b, *select);
    else if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&mask))
      result = b.CreateShuffleVector(operand(0), operand(1), shuffle->getShuffleMask(), name);
    else if (llvm::isa<llvm::FreezeInst>(mask))
      result = b.CreateFreeze(operand(0), name);
    else
      result = b.CreateBinOp(llvm::cast<llvm::BinaryOperator>(mask).getOpcode(), operand(0), operand(1), name);
    wide_[&mask] = made(result);
  }

  /// A select between masks as a mixture of bits. By a scalar it would become a branch, with masks that live across it.
  /// What is not chosen may be poison, which only a select keeps out.
  Value* chosen(llvm::IRBuilder<>& b, llvm::SelectInst& select) {
    Value* yes = wide(*select.getTrueValue(), select);
    Value* no = wide(*select.getFalseValue(), select);
    Value* condition = select.getCondition();
    if (is_mask(*condition)) {
      condition = wide(*condition, select);
    } else {
      condition = everywhere(b, condition, *llvm::cast<llvm::FixedVectorType>(yes->getType()));
    }
    if (match(no, m_Zero())) return splits_.both(b, condition, frozen(b, yes));
    if (match(yes, m_AllOnes())) return b.CreateOr(condition, frozen(b, no));
    if (match(yes, m_Zero())) return b.CreateAnd(b.CreateNot(condition), frozen(b, no));
    return b.CreateOr(b.CreateAnd(condition, frozen(b, yes)), b.CreateAnd(b.CreateNot(condition), frozen(b, no)));
  }

  /// One for all uses, below an inversion: `andn` then takes what the comparison has made.
  Value* frozen(llvm::IRBuilder<>& b, Value* v) {
    Value* inverted = nullptr;
    if (match(v, m_Not(m_Value(inverted)))) return b.CreateNot(frozen(b, inverted));
    auto* made = llvm::dyn_cast<Instruction>(v);
    if (made == nullptr) return llvm::isa<llvm::Constant>(v) ? v : b.CreateFreeze(v);
    Value*& known = frozen_[made];
    if (known == nullptr) {
      llvm::IRBuilder<> behind(made->getContext());
      behind.SetInsertPoint(*made->getInsertionPointAfterDef());
      known = behind.CreateFreeze(made);
    }
    return known;
  }

  // --- uses ----------------------------------------------------------------------------------------------------------

  void redirect_uses(Value& mask) {
    // In the order of the uses, not of addresses: the same source gives the same code each time.
    llvm::MapVector<llvm::BasicBlock*, llvm::SmallVector<llvm::Use*>> places;
    for (llvm::Use& use : llvm::make_early_inc_range(mask.uses())) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      if (is_joined(*user) || user == wide_.lookup(&mask) || tested_by_registers(mask, *user)) continue;
      // What a comparison makes is best where it is used in the same block.
      auto* own = llvm::dyn_cast<Instruction>(&mask);
      if (!is_joined(mask) && own != nullptr && own->getParent() == user->getParent()) continue;
      if (user->getOpcode() == Instruction::SExt && user->getType() == wide_type(mask)) {
        user->replaceAllUsesWith(wide(mask, mask));
        made_.emplace_back(user);
        continue;
      }
      places[user->getParent()].push_back(&use);
    }
    for (auto& [block, uses] : places) {
      Value* all = wide(mask, mask);
      llvm::IRBuilder<> b(block, block->getFirstInsertionPt());
      if (auto* i = llvm::dyn_cast<Instruction>(all); i != nullptr && i->getParent() == block)
        b.SetInsertPoint(*i->getInsertionPointAfterDef());
      Value* again = made(b.CreateICmpSLT(all, llvm::Constant::getNullValue(all->getType()), mask.getName()));
      for (llvm::Use* use : uses) use->set(again);
    }
  }

  /// The type in which a mask is tested: that of the comparison, if it is the only one.
  llvm::FixedVectorType* tested_type(Value& mask, const Instruction& test) {
    auto* type = wide_type(mask);
    const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&mask);
    if (compare == nullptr || compare->getParent() != test.getParent()) return type;
    const unsigned bits = bits_of(*compare->getOperand(0)->getType());
    return llvm::FixedVectorType::get(llvm::IntegerType::get(mask.getContext(), bits), type->getNumElements());
  }

  /// Whether a mask of several registers has any lane, or all: its parts are joined, and the signs of the elements
  /// tested. As bits of one integer they would all be packed first. True: nothing else is asked of these bits.
  bool tested_by_registers(Value& mask, Instruction& bits) {
    if (!llvm::isa<llvm::BitCastInst>(bits) || !bits.getType()->isIntegerTy()) return false;
    auto* type = tested_type(mask, bits);
    const unsigned lanes = kRegister / type->getScalarSizeInBits();
    if (type->getScalarSizeInBits() < 32 || type->getNumElements() <= lanes || type->getNumElements() % lanes != 0)
      return false;
    bool all_tests = true;
    for (llvm::User* user : llvm::make_early_inc_range(bits.users())) {
      auto* test = llvm::dyn_cast<llvm::ICmpInst>(user);
      const bool fits = test != nullptr && test->isEquality() && test->getOperand(0) == &bits &&
                        match(test->getOperand(1), m_CombineOr(m_AllOnes(), m_Zero()));
      if (fits)
        test_signs(*test, mask, *type);
      else
        all_tests = false;
    }
    if (all_tests) made_.emplace_back(&bits);
    return all_tests;
  }

  void test_signs(llvm::ICmpInst& test, Value& mask, llvm::FixedVectorType& type) {
    const bool all = match(test.getOperand(1), m_AllOnes());
    llvm::IRBuilder<> b(&test);
    Value* wide_mask = &type == wide_type(mask) ? wide(mask, mask) : b.CreateSExt(&mask, &type);
    const unsigned lanes = kRegister / type.getScalarSizeInBits();
    Value* joined = nullptr;
    for (unsigned first = 0; first < type.getNumElements(); first += lanes) {
      llvm::SmallVector<int, 8> part(lanes);
      std::iota(part.begin(), part.end(), static_cast<int>(first));
      Value* piece = b.CreateShuffleVector(wide_mask, part);
      joined = joined == nullptr ? piece : b.CreateBinOp(all ? Instruction::And : Instruction::Or, joined, piece);
    }
    Value* signs = b.CreateICmpSLT(joined, llvm::Constant::getNullValue(joined->getType()));
    Value* bits = b.CreateBitCast(signs, b.getIntNTy(lanes));
    test.setOperand(
        1, all ? llvm::Constant::getAllOnesValue(bits->getType()) : llvm::Constant::getNullValue(bits->getType()));
    test.setOperand(0, bits);
  }

  /// All that still uses them is each other.
  void erase_joined() {
    for (Value* mask : masks_)
      if (is_joined(*mask)) mask->replaceAllUsesWith(llvm::PoisonValue::get(mask->getType()));
    for (Value* mask : masks_)
      if (is_joined(*mask)) llvm::cast<Instruction>(mask)->eraseFromParent();
  }

  llvm::Function& function_;
  MaskSizes sizes_;
  llvm::SmallVector<Value*> masks_;  ///< in an order in which operands come first
  llvm::DenseMap<const Value*, Value*> wide_;
  llvm::DenseMap<const Value*, Value*> frozen_;
  MaskSplits splits_;
  llvm::SmallVector<llvm::WeakTrackingVH> made_;  ///< what may turn out to be unused
};

}  // namespace

llvm::PreservedAnalyses KeepMasksInRegistersPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  bool changed = false;
  for (llvm::Function* function : lowered_kernels(module, context_of(module, analyses)))
    changed |= MaskWidener(*function).run();
  return unless_changed(changed);
}

}  // namespace lanewise::spmd
