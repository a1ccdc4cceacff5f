// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions that LLVM's generic operations cannot express, of AArch64: dot products of four bytes.
///
/// SDOT and UDOT have operands of equal signs. Without them, products of 16 bits are added in pairs. Everything is
/// exact: a product's magnitude is at most 255^2, and sums wrap as OpenCL's do.
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

/// Vector registers have 128 bits.
class NeonDotProductLowering {
 public:
  NeonDotProductLowering(llvm::CallInst& call, const llvm::TargetMachine& machine)
      : builder_(&call),
        has_instruction_(machine.getMCSubtargetInfo()->checkFeatures("+dotprod")),
        pieces_(builder_, *call.getType(), 128, 128),
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
    if (dot.a_signed == dot.b_signed)
      return emit(dot.a_signed ? Intrinsic::aarch64_neon_sdot : Intrinsic::aarch64_neon_udot, sum, a, b);
    if (dot.a_signed) std::swap(a, b);
    Value* high_bits = llvm::ConstantInt::get(sum->getType(), kHighBits);
    Value* none = llvm::Constant::getNullValue(sum->getType());
    Value* product = emit(Intrinsic::aarch64_neon_sdot, sum, builder_.CreateXor(a, high_bits), b);
    return builder_.CreateSub(product, emit(Intrinsic::aarch64_neon_sdot, none, high_bits, b));
  }

  Value* emit(Intrinsic::ID id, Value* sum, Value* a, Value* b) {
    return builder_.CreateIntrinsic(id, {sum->getType(), bytes_},
                                    {sum, builder_.CreateBitCast(a, bytes_), builder_.CreateBitCast(b, bytes_)});
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
