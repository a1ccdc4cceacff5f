// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/faults/bit_selects.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>
#include <utility>

#include "compiler/base/statistic.h"

namespace lanewise {
namespace {

using llvm::Value;
using namespace llvm::PatternMatch;

Statistic unmasked_selects{"unmask-bit-selects", "selects", "combinations of bits that lose their mask"};

/// The code generator drops most freezes before it looks for the first form.
Value* without_freeze(Value* value) {
  while (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(value)) value = freeze->getOperand(0);
  return value;
}

/// The bits in `mask` of a value, of which some may be inverted.
struct MaskedBits {
  Value* value = nullptr;
  llvm::Constant* mask = nullptr;
  llvm::Constant* inverted = nullptr;  ///< null: none
};

/// `kept` with the bits in the mask replaced by those of `other`.
struct BitSelect {
  Value* kept;
  MaskedBits other;
};

/// Matches `v & mask`, and (v & mask) ^ inverted, of which the code generator makes (v ^ inverted) & mask.
std::optional<MaskedBits> match_part(Value* v) {
  MaskedBits part;
  v = without_freeze(v);
  Value* masked = nullptr;
  if (match(v, m_c_Xor(m_Value(masked), m_ImmConstant(part.inverted)))) v = without_freeze(masked);
  if (!match(v, m_c_And(m_Value(part.value), m_ImmConstant(part.mask)))) return std::nullopt;
  if (part.inverted == nullptr) return part;
  const llvm::DataLayout layout("");
  llvm::Constant* within = llvm::ConstantFoldBinaryOpOperands(llvm::Instruction::And, part.inverted, part.mask, layout);
  return within == part.inverted ? std::optional(part) : std::nullopt;
}

/// Matches `joined` if it combines bits of `kept` and of another vector. As the bits are disjoint, it may also be a
/// sum.
std::optional<BitSelect> match_bit_select(Value* joined, Value* kept) {
  auto* join = llvm::dyn_cast<llvm::BinaryOperator>(without_freeze(joined));
  if (join == nullptr) return std::nullopt;
  const auto code = join->getOpcode();
  if (code != llvm::Instruction::Or && code != llvm::Instruction::Xor && code != llvm::Instruction::Add)
    return std::nullopt;
  const std::optional<MaskedBits> x = match_part(join->getOperand(0)), y = match_part(join->getOperand(1));
  if (!x || !y || llvm::ConstantExpr::getNot(x->mask) != y->mask) return std::nullopt;
  const auto is_kept = [kept](const MaskedBits& part) {
    return part.inverted == nullptr && without_freeze(part.value) == without_freeze(kept);
  };
  if (is_kept(*x)) return BitSelect{kept, *y};
  if (is_kept(*y)) return BitSelect{kept, *x};
  return std::nullopt;
}

void unmask(llvm::SelectInst& select, const BitSelect& bits, bool kept_where_true) {
  llvm::IRBuilder<> builder(&select);
  Value* none = llvm::Constant::getNullValue(select.getType());
  Value* mask = kept_where_true ? builder.CreateSelect(select.getCondition(), none, bits.other.mask)
                                : builder.CreateSelect(select.getCondition(), bits.other.mask, none);
  // Both are used twice, and `other` now also in lanes that did not use it before.
  Value* kept = builder.CreateFreeze(bits.kept);
  Value* other = builder.CreateFreeze(bits.other.value);
  if (bits.other.inverted != nullptr) other = builder.CreateXor(other, bits.other.inverted);
  Value* changed = builder.CreateAnd(builder.CreateXor(kept, other), mask);
  select.replaceAllUsesWith(builder.CreateXor(kept, changed));
  select.eraseFromParent();
}

bool unmask_bit_selects(llvm::Module& module) {
  llvm::SmallVector<llvm::SelectInst*, 8> selects;
  for (llvm::Function& function : module)
    for (llvm::Instruction& i : llvm::instructions(function))
      if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i))
        if (select->getType()->isIntOrIntVectorTy() && select->getCondition()->getType()->isVectorTy())
          selects.push_back(select);
  bool changed = false;
  for (llvm::SelectInst* select : selects) {
    if (const auto bits = match_bit_select(select->getTrueValue(), select->getFalseValue())) {
      unmask(*select, *bits, false);
      ++unmasked_selects;
      changed = true;
    } else if (const auto swapped = match_bit_select(select->getFalseValue(), select->getTrueValue())) {
      unmask(*select, *swapped, true);
      ++unmasked_selects;
      changed = true;
    }
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses UnmaskBitSelectsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(unmask_bit_selects(module));
}

}  // namespace lanewise
