// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/linear_form.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Operator.h>

namespace lanewise::spmd {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kDeepest = 8;
/// Larger shifts are no indices.
constexpr unsigned kLargestShift = 16;

/// What a constant is after the extension of the operation that it belongs to.
std::uint64_t extended(const llvm::ConstantInt& constant, Extension extension) {
  const llvm::APInt& bits = constant.getValue();
  return (extension == Extension::zero ? bits.zextOrTrunc(64) : bits.sextOrTrunc(64)).getZExtValue();
}

class Builder {
 public:
  static LinearForm of(const Value& pointer, const llvm::DataLayout& layout) {
    Builder form;
    const Value* at = &pointer;
    while (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(at)) {
      llvm::SmallMapVector<Value*, llvm::APInt, 4> variables;
      llvm::APInt constant(64, 0);
      if (!step->collectOffset(layout, 64, variables, constant)) break;
      form.result_.offset += constant.getZExtValue();
      for (const auto& [value, scale] : variables)
        form.add(*value, scale.getZExtValue(), value->getType()->isIntegerTy(64) ? Extension::none : Extension::sign,
                 kDeepest);
      at = step->getPointerOperand();
    }
    form.result_.root = at;
    return std::move(form.result_);
  }

 private:
  void add(const Value& v, std::uint64_t scale, Extension extension, unsigned depth) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&v)) {
      result_.offset += scale * extended(*constant, extension);
      return;
    }
    const auto* i = llvm::dyn_cast<llvm::Operator>(&v);
    if (i == nullptr || depth == 0 || !add_operation(*i, scale, extension, depth - 1)) add_term(v, scale, extension);
  }

  /// False: not an operation that distributes over the extension.
  bool add_operation(const llvm::Operator& i, std::uint64_t scale, Extension extension, unsigned depth) {
    const auto exact = [&] {
      if (extension == Extension::none) return true;
      const auto& flags = llvm::cast<llvm::OverflowingBinaryOperator>(i);
      return extension == Extension::sign ? flags.hasNoSignedWrap() : flags.hasNoUnsignedWrap();
    };
    const auto* constant = i.getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1)) : nullptr;
    switch (i.getOpcode()) {
      case Instruction::SExt:
      case Instruction::ZExt:
        if (extension != Extension::none) return false;
        add(*i.getOperand(0), scale, i.getOpcode() == Instruction::SExt ? Extension::sign : Extension::zero, depth);
        return true;
      case Instruction::Or:
        if (!llvm::cast<llvm::PossiblyDisjointInst>(i).isDisjoint()) return false;
        break;
      case Instruction::Add:
        if (!exact()) return false;
        break;
      case Instruction::Mul:
        if (constant == nullptr || !exact()) return false;
        add(*i.getOperand(0), scale * extended(*constant, extension), extension, depth);
        return true;
      case Instruction::Shl:
        if (constant == nullptr || constant->getValue().ugt(kLargestShift) || !exact()) return false;
        add(*i.getOperand(0), scale << constant->getZExtValue(), extension, depth);
        return true;
      default:
        return false;
    }
    add(*i.getOperand(0), scale, extension, depth);
    add(*i.getOperand(1), scale, extension, depth);
    return true;
  }

  void add_term(const Value& v, std::uint64_t scale, Extension extension) {
    for (LinearForm::Term& t : result_.terms)
      if (t.value == &v && t.extension == extension) {
        t.scale += scale;
        return;
      }
    result_.terms.push_back({&v, extension, scale});
  }

  LinearForm result_;
};

}  // namespace

LinearForm linear_form(const Value& pointer, const llvm::DataLayout& layout) {
  return Builder::of(pointer, layout);
}

}  // namespace lanewise::spmd
