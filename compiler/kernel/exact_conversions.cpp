// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/exact_conversions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "compiler/base/statistic.h"

namespace lanewise {
namespace {

using llvm::Instruction;
using llvm::Value;

Statistic conversions_folded{"fold-exact-conversions", "conversions", "numbers that come back as they were"};

constexpr std::size_t kLongestChain = 24;
/// Of numbers, and of results that have no sign or without it.
constexpr std::int64_t kLargest = 0xFFFF;

/// A scalar, or an element of a vector.
struct Element {
  const Value* value = nullptr;
  unsigned lane = 0;
};

/// Where an element comes from that is only moved from one vector to another.
Element origin_of(Element e) {
  for (;;) {
    if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(e.value)) {
      const auto* lane = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
      if (lane == nullptr) return e;
      e = {extract->getVectorOperand(), static_cast<unsigned>(lane->getZExtValue())};
    } else if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(e.value)) {
      const auto* lane = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
      if (lane == nullptr) return e;
      e = lane->getZExtValue() == e.lane ? Element{insert->getOperand(1), 0} : Element{insert->getOperand(0), e.lane};
    } else if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(e.value)) {
      const int lane = shuffle->getMaskValue(e.lane);
      const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType());
      if (lane < 0 || type == nullptr) return e;
      const auto from = static_cast<unsigned>(lane);
      const unsigned first = type->getNumElements();
      e = from < first ? Element{shuffle->getOperand(0), from} : Element{shuffle->getOperand(1), from - first};
    } else {
      return e;
    }
  }
}

/// The number that an element is, if it is a constant of single precision.
const llvm::ConstantFP* constant_of(const Element& e) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(e.value);
  if (constant != nullptr && constant->getType()->isVectorTy()) constant = constant->getAggregateElement(e.lane);
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  return number != nullptr && number->getType()->isFloatTy() ? number : nullptr;
}

/// The numbers that an integer can be.
struct Numbers {
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool is_signed = false;     ///< how its bits are taken
  bool same_in_both = false;  ///< without a sign they are the same numbers
};

/// What is known of the integer in the reading of a conversion to floating point; nothing if it can be too many
/// numbers.
std::optional<Numbers> numbers_of(const Value& integer, bool is_signed, const llvm::DataLayout& layout) {
  const llvm::KnownBits bits = llvm::computeKnownBits(&integer, layout);
  const unsigned width = bits.getBitWidth();
  if (width > 64) return std::nullopt;
  Numbers numbers{.is_signed = is_signed, .same_in_both = bits.isNonNegative()};
  if (is_signed) {
    // Of an extended number the upper bits are not known, but equal.
    const unsigned unlike = width - llvm::ComputeNumSignBits(&integer, layout);
    numbers.first = std::max(llvm::minIntN(unlike + 1), bits.getSignedMinValue().getSExtValue());
    numbers.last = std::min(llvm::maxIntN(unlike + 1), bits.getSignedMaxValue().getSExtValue());
    if (numbers.first < -kLargest || numbers.last > kLargest || numbers.last - numbers.first > kLargest)
      return std::nullopt;
  } else {
    if (bits.getMaxValue().ugt(kLargest)) return std::nullopt;
    numbers.first = static_cast<std::int64_t>(bits.getMinValue().getZExtValue());
    numbers.last = static_cast<std::int64_t>(bits.getMaxValue().getZExtValue());
  }
  return numbers;
}

/// What a conversion to an integer computes from one small integer: its operations in order, in single precision.
class Chain {
 public:
  explicit Chain(const llvm::CastInst& end) : end_(end) { good_ = collect({end.getOperand(0)}) && number_ != nullptr; }

  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] Value* number() const { return number_; }
  [[nodiscard]] const Numbers& numbers() const { return numbers_; }

  /// The result for one value of the number; nothing: it is out of the range of the conversion.
  std::optional<std::int64_t> run(std::int64_t number) {
    for (Step& step : steps_) step.value = apply(*step.operation, step.lane, static_cast<float>(number));
    const float result = of({end_.getOperand(0)});
    const auto most = static_cast<float>(kLargest);
    const bool fits = result <= most && (llvm::isa<llvm::FPToSIInst>(end_) ? result >= -most : result > -1.0F);
    return fits ? std::optional<std::int64_t>(static_cast<std::int64_t>(result)) : std::nullopt;
  }

 private:
  struct Step {
    const Instruction* operation;
    unsigned lane;
    float value = 0;  ///< of a comparison 0 or 1
  };

  bool collect(const Element& element) {
    const auto [v, lane] = origin_of(element);
    if (llvm::isa<llvm::Constant>(v)) return constant_of({v, lane}) != nullptr;
    const auto* i = llvm::dyn_cast<Instruction>(v);
    if (i == nullptr) return false;
    if (places_.contains({i, lane})) return true;
    if (steps_.size() == kLongestChain || !is_known(*i)) return false;
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(i)) {
      if (!takes(*cast)) return false;
    } else {
      const unsigned operands =
          llvm::isa<llvm::CallInst>(i) ? llvm::cast<llvm::CallInst>(i)->arg_size() : i->getNumOperands();
      for (unsigned k = 0; k < operands; ++k)
        if (!collect({i->getOperand(k), lane})) return false;
    }
    places_[{i, lane}] = steps_.size();
    steps_.push_back({i, lane});
    return true;
  }

  /// A conversion of the number, which has to be the same everywhere: the same integer, and taken with a sign or
  /// without.
  bool takes(const llvm::CastInst& cast) {
    Value* from = cast.getOperand(0);
    if (from->getType()->isVectorTy()) return false;
    const bool is_signed = llvm::isa<llvm::SIToFPInst>(cast);
    if (number_ != nullptr) return from == number_ && (is_signed == numbers_.is_signed || numbers_.same_in_both);
    const auto numbers = numbers_of(*from, is_signed, cast.getDataLayout());
    if (!numbers) return false;
    number_ = from;
    numbers_ = *numbers;
    return true;
  }

  static bool is_known(const Instruction& i) {
    if (i.getOpcode() == Instruction::FCmp) return i.getOperand(0)->getType()->getScalarType()->isFloatTy();
    if (!i.getType()->getScalarType()->isFloatTy()) return false;
    switch (i.getOpcode()) {
      case Instruction::UIToFP:
      case Instruction::SIToFP:
      case Instruction::FAdd:
      case Instruction::FSub:
      case Instruction::FMul:
      case Instruction::FNeg:
      case Instruction::Select:
        return true;
      default:
        break;
    }
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    if (call == nullptr) return false;
    switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::rint:
      case llvm::Intrinsic::nearbyint:
      case llvm::Intrinsic::roundeven:
      case llvm::Intrinsic::minnum:
      case llvm::Intrinsic::maxnum:
      case llvm::Intrinsic::fma:
      case llvm::Intrinsic::fmuladd:
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] float of(const Element& element) const {
    const Element origin = origin_of(element);
    if (const auto* constant = constant_of(origin)) return constant->getValueAPF().convertToFloat();
    return steps_[places_.lookup({llvm::cast<Instruction>(origin.value), origin.lane})].value;
  }

  [[nodiscard]] float apply(const Instruction& i, unsigned lane, float number) const {
    const auto operand = [&](unsigned k) { return of({i.getOperand(k), lane}); };
    switch (i.getOpcode()) {
      case Instruction::UIToFP:
      case Instruction::SIToFP:
        return number;
      case Instruction::FAdd:
        return operand(0) + operand(1);
      case Instruction::FSub:
        return operand(0) - operand(1);
      case Instruction::FMul:
        return operand(0) * operand(1);
      case Instruction::FNeg:
        return -operand(0);
      case Instruction::Select:
        return operand(0) != 0.0F ? operand(1) : operand(2);
      case Instruction::FCmp: {
        const auto predicate = llvm::cast<llvm::FCmpInst>(i).getPredicate();
        return llvm::FCmpInst::compare(llvm::APFloat(operand(0)), llvm::APFloat(operand(1)), predicate) ? 1.0F : 0.0F;
      }
      default:
        break;
    }
    switch (llvm::cast<llvm::IntrinsicInst>(i).getIntrinsicID()) {
      case llvm::Intrinsic::minnum:
        return std::fmin(operand(0), operand(1));
      case llvm::Intrinsic::maxnum:
        return std::fmax(operand(0), operand(1));
      case llvm::Intrinsic::fma:
      case llvm::Intrinsic::fmuladd:
        return std::fma(operand(0), operand(1), operand(2));
      default:
        return std::nearbyint(operand(0));
    }
  }

  const llvm::CastInst& end_;
  bool good_ = false;
  Value* number_ = nullptr;
  Numbers numbers_;
  llvm::SmallVector<Step, kLongestChain> steps_;
  llvm::DenseMap<std::pair<const Instruction*, unsigned>, std::size_t> places_;
};

/// The result is factor * number + offset for every number.
struct Affine {
  std::int64_t factor;
  std::int64_t offset;
};

std::optional<Affine> tried_out(Chain& chain) {
  const auto [low, high, is_signed, same_in_both] = chain.numbers();
  if (low == high) return std::nullopt;
  const auto first = chain.run(low);
  const auto second = chain.run(low + 1);
  if (!first || !second) return std::nullopt;
  const std::int64_t factor = *second - *first;
  const Affine affine{factor, *first - factor * low};
  for (std::int64_t n = low + 2; n <= high; ++n)
    if (chain.run(n) != affine.factor * n + affine.offset) return std::nullopt;
  return affine;
}

bool fold_exact_conversions(llvm::Function& function) {
  llvm::SmallVector<llvm::CastInst*> ends;
  for (Instruction& i : llvm::instructions(function))
    if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(i) && i.getType()->isIntegerTy(32) &&
        i.getOperand(0)->getType()->isFloatTy())
      ends.push_back(llvm::cast<llvm::CastInst>(&i));
  bool changed = false;
  for (llvm::CastInst* end : ends) {
    Chain chain(*end);
    if (!chain.good()) continue;
    const auto affine = tried_out(chain);
    if (!affine) continue;
    llvm::IRBuilder<> b(end);
    Value* number = chain.numbers().is_signed ? b.CreateSExtOrTrunc(chain.number(), end->getType())
                                              : b.CreateZExtOrTrunc(chain.number(), end->getType());
    Value* product = b.CreateMul(number, llvm::ConstantInt::getSigned(end->getType(), affine->factor));
    end->replaceAllUsesWith(b.CreateAdd(product, llvm::ConstantInt::getSigned(end->getType(), affine->offset)));
    end->eraseFromParent();
    ++conversions_folded;
    changed = true;
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses FoldExactConversionsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::FunctionAnalysisManager& functions = function_analyses(module, analyses);
  return unless_changed(change_functions(module, [&](llvm::Function& function) {
    if (!fold_exact_conversions(function)) return false;
    functions.invalidate(function, llvm::PreservedAnalyses::none());
    llvm::InstCombinePass().run(function, functions);
    functions.invalidate(function, llvm::PreservedAnalyses::none());
    return true;
  }));
}

}  // namespace lanewise
