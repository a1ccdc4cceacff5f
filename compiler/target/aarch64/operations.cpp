// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions that LLVM's generic operations cannot express, of AArch64: dot products of four bytes.
///
/// SDOT and UDOT have operands of equal signs, and take scalable vectors too. Without them, products of 16 bits are
/// added in pairs. Everything is exact: a product's magnitude is at most 255^2, and sums wrap as OpenCL's do.
#include "compiler/target/interface/operations.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include <utility>

#include "compiler/builtins/register_pieces.h"
#include "compiler/target/interface/dot_products.h"

namespace lanewise {
namespace {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

constexpr unsigned kNeonBits = 128;

/// The bits of a vector register: those of NEON, or of scalable vectors where the function is for one length of them.
unsigned register_bits(const llvm::Function& function) {
  const llvm::Attribute range = function.getFnAttribute(llvm::Attribute::VScaleRange);
  return kNeonBits * (range.isValid() ? range.getVScaleRangeMin() : 1);
}

class NeonDotProductLowering {
 public:
  NeonDotProductLowering(llvm::CallInst& call, const llvm::TargetMachine& machine)
      : builder_(&call),
        has_instruction_(machine.getMCSubtargetInfo()->checkFeatures("+dotprod")),
        pieces_(builder_, *call.getType(), kNeonBits, register_bits(*call.getFunction())),
        bytes_(llvm::FixedVectorType::get(builder_.getInt8Ty(), 16)),
        words_(llvm::FixedVectorType::get(builder_.getInt16Ty(), 8)) {}

  Value* run(const llvm::CallInst& call, const DotProduct& dot) {
    return piece_by_piece(pieces_, call, [&](Value* sum, Value* a, Value* b) {
      if (!dot.saturates)
        return has_instruction_ ? of_bytes(sum, a, b, dot) : builder_.CreateAdd(sum, of_words(a, b, dot));
      Value* none = llvm::Constant::getNullValue(sum->getType());
      Value* product = has_instruction_ ? of_bytes(none, a, b, dot) : of_words(a, b, dot);
      return builder_.CreateBinaryIntrinsic(Intrinsic::sadd_sat, sum, product);
    });
  }

 private:
  /// The instructions have operands of equal signs. An unsigned a of signed bytes differs by 128 times the sum of b.
  Value* of_bytes(Value* sum, Value* a, Value* b, const DotProduct& dot) {
    if (dot.a_signed == dot.b_signed) return emit(dot.a_signed, sum, a, b);
    if (dot.a_signed) std::swap(a, b);
    Value* high_bits = llvm::ConstantInt::get(sum->getType(), kHighBits);
    Value* none = llvm::Constant::getNullValue(sum->getType());
    Value* product = emit(true, sum, builder_.CreateXor(a, high_bits), b);
    return builder_.CreateSub(product, emit(true, none, high_bits, b));
  }

  Value* emit(bool is_signed, Value* sum, Value* a, Value* b) {
    if (pieces_.bits() > kNeonBits) return emit_scalable(is_signed, sum, a, b);
    return builder_.CreateIntrinsic(is_signed ? Intrinsic::aarch64_neon_sdot : Intrinsic::aarch64_neon_udot,
                                    {sum->getType(), bytes_},
                                    {sum, builder_.CreateBitCast(a, bytes_), builder_.CreateBitCast(b, bytes_)});
  }

  Value* emit_scalable(bool is_signed, Value* sum, Value* a, Value* b) {
    auto* words = llvm::ScalableVectorType::get(builder_.getInt32Ty(), 4);
    auto* bytes = llvm::ScalableVectorType::get(builder_.getInt8Ty(), 16);
    const auto scalable = [&](Value* v) {
      return builder_.CreateInsertVector(words, llvm::PoisonValue::get(words), v, std::uint64_t{0});
    };
    Value* result = builder_.CreateIntrinsic(
        is_signed ? Intrinsic::aarch64_sve_sdot : Intrinsic::aarch64_sve_udot, {words},
        {scalable(sum), builder_.CreateBitCast(scalable(a), bytes), builder_.CreateBitCast(scalable(b), bytes)});
    return builder_.CreateExtractVector(sum->getType(), result, std::uint64_t{0});
  }

  /// Products of 16 bits are exact: those of unsigned bytes as unsigned numbers, all others as signed ones. They are
  /// added in pairs twice, into 32 bits.
  Value* of_words(Value* a, Value* b, const DotProduct& dot) {
    const bool is_signed = dot.a_signed || dot.b_signed;
    const auto half = [&](Value* all, bool extends_sign, int first) {
      llvm::SmallVector<int, 8> lanes;
      for (int n = 0; n < 8; ++n) lanes.push_back(first + n);
      Value* part = builder_.CreateShuffleVector(builder_.CreateBitCast(all, bytes_), lanes);
      return extends_sign ? builder_.CreateSExt(part, words_) : builder_.CreateZExt(part, words_);
    };
    Value* sums[2];
    for (int n = 0; n < 2; ++n) {
      Value* products = builder_.CreateMul(half(a, dot.a_signed, 8 * n), half(b, dot.b_signed, 8 * n));
      sums[n] = builder_.CreateIntrinsic(is_signed ? Intrinsic::aarch64_neon_saddlp : Intrinsic::aarch64_neon_uaddlp,
                                         {a->getType(), words_}, {products});
    }
    return builder_.CreateIntrinsic(Intrinsic::aarch64_neon_addp, {a->getType()}, {sums[0], sums[1]});
  }

  llvm::IRBuilder<> builder_;
  bool has_instruction_;
  RegisterPieces pieces_;
  llvm::FixedVectorType* bytes_;
  llvm::FixedVectorType* words_;
};

/// The built-in library for this architecture uses none.
Value* lowered_operation(llvm::CallInst& /*call*/, llvm::StringRef /*name*/) {
  return nullptr;
}

Value* lowered_dot_product(llvm::CallInst& call, const DotProduct& dot, const llvm::TargetMachine& machine) {
  return NeonDotProductLowering(call, machine).run(call, dot);
}

}  // namespace

const TargetOperations kAArch64Operations{&lowered_operation, &lowered_dot_product, nullptr};

}  // namespace lanewise
