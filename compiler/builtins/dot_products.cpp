// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/dot_products.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include <utility>

#include "compiler/builtins/register_pieces.h"

namespace lanewise {
namespace {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

/// An instruction on registers of 128, 256 and 512 bits.
struct DotInstruction {
  Intrinsic::ID narrow, half, full;
};
constexpr DotInstruction kBytes{Intrinsic::x86_avx512_vpdpbusd_128, Intrinsic::x86_avx512_vpdpbusd_256,
                                Intrinsic::x86_avx512_vpdpbusd_512};
constexpr DotInstruction kBytesSaturated{Intrinsic::x86_avx512_vpdpbusds_128, Intrinsic::x86_avx512_vpdpbusds_256,
                                         Intrinsic::x86_avx512_vpdpbusds_512};
constexpr DotInstruction kWords{Intrinsic::x86_sse2_pmadd_wd, Intrinsic::x86_avx2_pmadd_wd,
                                Intrinsic::x86_avx512_pmaddw_d_512};

/// The highest bit of each byte: 128 in unsigned bytes, -128 in signed ones.
constexpr std::uint32_t kHighBits = 0x80808080;

/// The pieces of the call's result. `lower`: of a sum and two operands.
Value* piece_by_piece(RegisterPieces& pieces, const llvm::CallInst& call,
                      llvm::function_ref<Value*(Value*, Value*, Value*)> lower) {
  llvm::SmallVector<Value*> results;
  for (unsigned p = 0; p < pieces.count(); ++p) {
    Value* sum = pieces.part(call.getArgOperand(0), p);
    Value* a = pieces.part(call.getArgOperand(1), p);
    Value* b = pieces.part(call.getArgOperand(2), p);
    results.push_back(lower(sum, a, b));
  }
  return pieces.joined(results);
}

/// For x86-64.
class DotProductLowering {
 public:
  DotProductLowering(llvm::CallInst& call, const llvm::TargetMachine& machine)
      : builder_(&call),
        features_(*machine.getMCSubtargetInfo()),
        pieces_(builder_, *call.getType(), 128,
                features_.checkFeatures("+avx512bw") ? 512U
                : features_.checkFeatures("+avx2")   ? 256U
                                                     : 128U) {}

  Value* run(const llvm::CallInst& call, const DotProduct& dot) {
    const bool vnni = features_.checkFeatures("+avx512vnni");
    return piece_by_piece(pieces_, call, [&](Value* sum, Value* a, Value* b) {
      return vnni ? of_bytes(sum, a, b, dot) : of_words(sum, a, b, dot);
    });
  }

 private:
  /// Operands of 32-bit lanes are the vectors of bytes or words that the instruction is declared with.
  Value* emit(const DotInstruction& instruction, llvm::ArrayRef<Value*> operands) {
    const Intrinsic::ID id = pieces_.bits() == 512   ? instruction.full
                             : pieces_.bits() == 256 ? instruction.half
                                                     : instruction.narrow;
    const llvm::FunctionType* type = Intrinsic::getType(builder_.getContext(), id);
    llvm::SmallVector<Value*> cast;
    for (unsigned i = 0; i < operands.size(); ++i)
      cast.push_back(builder_.CreateBitCast(operands[i], type->getParamType(i)));
    return builder_.CreateIntrinsic(id, {}, cast);
  }

  Value* of_bytes(Value* sum, Value* a, Value* b, const DotProduct& dot) {
    if (!dot.a_signed && dot.b_signed) return emit(dot.saturates ? kBytesSaturated : kBytes, {sum, a, b});
    Value* high_bits = llvm::ConstantInt::get(sum->getType(), kHighBits);
    Value* none = llvm::Constant::getNullValue(sum->getType());
    // Equal signs: either operand may be the one whose bytes are summed. One that is the same in all lanes often is the
    // same in all iterations of a loop, and so is its sum.
    if (llvm::isSplatValue(dot.a_signed ? a : b)) std::swap(a, b);
    Value* product = dot.a_signed ? emit(kBytes, {sum, builder_.CreateXor(a, high_bits), b})
                                  : emit(kBytes, {sum, a, builder_.CreateXor(b, high_bits)});
    return builder_.CreateSub(product,
                              dot.a_signed ? emit(kBytes, {none, high_bits, b}) : emit(kBytes, {none, a, high_bits}));
  }

  Value* of_words(Value* sum, Value* a, Value* b, const DotProduct& dot) {
    const auto [a_even, a_odd] = words(a, dot.a_signed);
    const auto [b_even, b_odd] = words(b, dot.b_signed);
    Value* product = builder_.CreateAdd(emit(kWords, {a_even, b_even}), emit(kWords, {a_odd, b_odd}));
    return dot.saturates ? builder_.CreateBinaryIntrinsic(Intrinsic::sadd_sat, sum, product)
                         : builder_.CreateAdd(sum, product);
  }

  /// The even and the odd bytes as 16-bit numbers.
  std::pair<Value*, Value*> words(Value* bytes, bool is_signed) {
    Value* all = builder_.CreateBitCast(bytes, llvm::FixedVectorType::get(builder_.getInt16Ty(), 2 * pieces_.lanes()));
    if (!is_signed) return {builder_.CreateAnd(all, 0xff), builder_.CreateLShr(all, 8)};
    return {builder_.CreateAShr(builder_.CreateShl(all, 8), 8), builder_.CreateAShr(all, 8)};
  }

  llvm::IRBuilder<> builder_;
  const llvm::MCSubtargetInfo& features_;
  RegisterPieces pieces_;
};

/// For AArch64, whose vector registers have 128 bits.
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

}  // namespace

Value* lowered_dot_product(llvm::CallInst& call, const DotProduct& dot, const llvm::TargetMachine& machine) {
  if (machine.getTargetTriple().isAArch64()) return NeonDotProductLowering(call, machine).run(call, dot);
  return DotProductLowering(call, machine).run(call, dot);
}

}  // namespace lanewise
