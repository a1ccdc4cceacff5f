// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/codegen/bit_selects.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>
#include <utility>

namespace lanewise {
namespace {

using llvm::Value;
using namespace llvm::PatternMatch;

/// The code generator drops most freezes before it looks for the first form.
Value* without_freeze(Value* value) {
  while (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(value)) value = freeze->getOperand(0);
  return value;
}

/// `kept` with the bits in `mask` replaced by those of `other`.
struct BitSelect {
  Value* kept;
  Value* other;
  llvm::Constant* mask;
};

/// Matches `joined` if it combines bits of `kept` and of another vector. As the bits are disjoint, it may also be a
/// sum.
std::optional<BitSelect> match_bit_select(Value* joined, Value* kept) {
  auto* join = llvm::dyn_cast<llvm::BinaryOperator>(without_freeze(joined));
  if (join == nullptr) return std::nullopt;
  const auto code = join->getOpcode();
  if (code != llvm::Instruction::Or && code != llvm::Instruction::Xor && code != llvm::Instruction::Add)
    return std::nullopt;
  Value *x = nullptr, *y = nullptr;
  llvm::Constant *of_x = nullptr, *of_y = nullptr;
  if (!match(without_freeze(join->getOperand(0)), m_c_And(m_Value(x), m_ImmConstant(of_x)))) return std::nullopt;
  if (!match(without_freeze(join->getOperand(1)), m_c_And(m_Value(y), m_ImmConstant(of_y)))) return std::nullopt;
  if (llvm::ConstantExpr::getNot(of_x) != of_y) return std::nullopt;
  if (without_freeze(x) == without_freeze(kept)) return BitSelect{kept, y, of_y};
  if (without_freeze(y) == without_freeze(kept)) return BitSelect{kept, x, of_x};
  return std::nullopt;
}

void unmask(llvm::SelectInst& select, const BitSelect& bits, bool kept_where_true) {
  llvm::IRBuilder<> builder(&select);
  Value* none = llvm::Constant::getNullValue(select.getType());
  Value* mask = kept_where_true ? builder.CreateSelect(select.getCondition(), none, bits.mask)
                                : builder.CreateSelect(select.getCondition(), bits.mask, none);
  // Both are used twice, and `other` now also in lanes that did not use it before.
  Value* kept = builder.CreateFreeze(bits.kept);
  Value* other = builder.CreateFreeze(bits.other);
  Value* changed = builder.CreateAnd(builder.CreateXor(kept, other), mask);
  select.replaceAllUsesWith(builder.CreateXor(kept, changed));
  select.eraseFromParent();
}

}  // namespace

void unmask_bit_selects(llvm::Module& module) {
  llvm::SmallVector<llvm::SelectInst*, 8> selects;
  for (llvm::Function& function : module)
    for (llvm::Instruction& i : llvm::instructions(function))
      if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i))
        if (select->getType()->isIntOrIntVectorTy() && select->getCondition()->getType()->isVectorTy())
          selects.push_back(select);
  for (llvm::SelectInst* select : selects) {
    if (const auto bits = match_bit_select(select->getTrueValue(), select->getFalseValue())) {
      unmask(*select, *bits, false);
    } else if (const auto swapped = match_bit_select(select->getFalseValue(), select->getTrueValue())) {
      unmask(*select, *swapped, true);
    }
  }
}

}  // namespace lanewise
