// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions that LLVM's generic operations cannot express, of x86-64.
///
/// Dot products of four bytes: VPDPBUSD adds the four products of unsigned bytes of a and signed bytes of b to a sum.
/// Other signs differ from it by 128 times the sum of the bytes of one operand, which is itself a dot product:
///
///     signed a:    a . b = (a + 128) . b - 128 . b       a + 128 has a's bits but for the highest of each byte
///     unsigned b:  a . b = a . (b - 128) - a . -128
///
/// Without VNNI, the even and the odd bytes are extended to 16 bits, and PMADDWD of the even ones is added to that of
/// the odd ones. Everything is exact: a product's magnitude is at most 255^2, and sums wrap as OpenCL's do.
#include "compiler/target/interface/operations.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "compiler/builtins/register_pieces.h"
#include "compiler/target/interface/dot_products.h"

namespace lanewise {
namespace {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

constexpr unsigned kRegisterBits = 512;
constexpr unsigned kLeastBits = 128;

/// Operands of the masked intrinsics, besides the vectors.
constexpr int kCurrentRounding = 4;
/// Interval [0.75, 1.5), NaN for negative numbers; interval [1, 2), no sign.
constexpr int kSignificand = 3 | 2 << 2;
constexpr int kMantissa = 0 | 1 << 2;

struct MachineOperation {
  llvm::StringLiteral name;
  Intrinsic::ID narrow, half, full;  ///< of 128, 256, 512 bits

  [[nodiscard]] bool is_lookup() const { return llvm::StringRef(name).starts_with("lookup"); }
  /// Without mask and rounding, up to 256 bits.
  [[nodiscard]] bool is_plain() const { return full == Intrinsic::not_intrinsic; }
  [[nodiscard]] unsigned least_bits() const { return is_lookup() ? most_bits() : kLeastBits; }
  [[nodiscard]] unsigned most_bits() const { return is_plain() ? kRegisterBits / 2 : kRegisterBits; }
};

constexpr MachineOperation kOperations[] = {
    {"scalef_f", Intrinsic::x86_avx512_mask_scalef_ps_128, Intrinsic::x86_avx512_mask_scalef_ps_256,
     Intrinsic::x86_avx512_mask_scalef_ps_512},
    {"scalef_d", Intrinsic::x86_avx512_mask_scalef_pd_128, Intrinsic::x86_avx512_mask_scalef_pd_256,
     Intrinsic::x86_avx512_mask_scalef_pd_512},
    {"getexp_f", Intrinsic::x86_avx512_mask_getexp_ps_128, Intrinsic::x86_avx512_mask_getexp_ps_256,
     Intrinsic::x86_avx512_mask_getexp_ps_512},
    {"getexp_d", Intrinsic::x86_avx512_mask_getexp_pd_128, Intrinsic::x86_avx512_mask_getexp_pd_256,
     Intrinsic::x86_avx512_mask_getexp_pd_512},
    {"getmant_f", Intrinsic::x86_avx512_mask_getmant_ps_128, Intrinsic::x86_avx512_mask_getmant_ps_256,
     Intrinsic::x86_avx512_mask_getmant_ps_512},
    {"getmant_d", Intrinsic::x86_avx512_mask_getmant_pd_128, Intrinsic::x86_avx512_mask_getmant_pd_256,
     Intrinsic::x86_avx512_mask_getmant_pd_512},
    {"mantissa_f", Intrinsic::x86_avx512_mask_getmant_ps_128, Intrinsic::x86_avx512_mask_getmant_ps_256,
     Intrinsic::x86_avx512_mask_getmant_ps_512},
    {"mantissa_d", Intrinsic::x86_avx512_mask_getmant_pd_128, Intrinsic::x86_avx512_mask_getmant_pd_256,
     Intrinsic::x86_avx512_mask_getmant_pd_512},
    {"rcp14_f", Intrinsic::x86_avx512_rcp14_ps_128, Intrinsic::x86_avx512_rcp14_ps_256,
     Intrinsic::x86_avx512_rcp14_ps_512},
    {"rcp14_d", Intrinsic::x86_avx512_rcp14_pd_128, Intrinsic::x86_avx512_rcp14_pd_256,
     Intrinsic::x86_avx512_rcp14_pd_512},
    {"rsqrt14_f", Intrinsic::x86_avx512_rsqrt14_ps_128, Intrinsic::x86_avx512_rsqrt14_ps_256,
     Intrinsic::x86_avx512_rsqrt14_ps_512},
    {"rsqrt14_d", Intrinsic::x86_avx512_rsqrt14_pd_128, Intrinsic::x86_avx512_rsqrt14_pd_256,
     Intrinsic::x86_avx512_rsqrt14_pd_512},
    {"rcp12_f", Intrinsic::x86_sse_rcp_ps, Intrinsic::x86_avx_rcp_ps_256, Intrinsic::not_intrinsic},
    {"rsqrt12_f", Intrinsic::x86_sse_rsqrt_ps, Intrinsic::x86_avx_rsqrt_ps_256, Intrinsic::not_intrinsic},
    {"lookup_f", Intrinsic::not_intrinsic, Intrinsic::not_intrinsic, Intrinsic::x86_avx512_permvar_sf_512},
    {"lookup8_f", Intrinsic::not_intrinsic, Intrinsic::x86_avx2_permps, Intrinsic::not_intrinsic},
    {"lookup4_d", Intrinsic::not_intrinsic, Intrinsic::x86_avx2_permd, Intrinsic::not_intrinsic},
    {"lookup8_d", Intrinsic::not_intrinsic, Intrinsic::x86_avx2_permd, Intrinsic::not_intrinsic},
    {"lookup8_h", Intrinsic::not_intrinsic, Intrinsic::x86_avx2_permd, Intrinsic::not_intrinsic},
    {"lookup_d", Intrinsic::not_intrinsic, Intrinsic::not_intrinsic, Intrinsic::x86_avx512_vpermi2var_pd_512},
};

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

/// Replaces one call by instructions on whole registers.
class OperationLowering {
 public:
  OperationLowering(llvm::CallInst& call, const MachineOperation& operation)
      : call_(call),
        operation_(operation),
        builder_(&call),
        pieces_(builder_, *call.getType(), operation.least_bits(), operation.most_bits()) {}

  Value* run() {
    llvm::SmallVector<Value*> results;
    for (unsigned p = 0; p < pieces_.count(); ++p) results.push_back(instruction(p));
    return pieces_.joined(results);
  }

 private:
  Value* instruction(unsigned p) {
    if (operation_.is_lookup()) return lookup(p);
    const bool full = pieces_.bits() == kRegisterBits;
    const Intrinsic::ID id = full ? operation_.full : pieces_.bits() == 256 ? operation_.half : operation_.narrow;
    std::vector<Value*> operands;
    for (Value* operand : call_.args()) operands.push_back(pieces_.part(operand, p));
    if (operation_.is_plain()) return builder_.CreateIntrinsic(id, {}, operands);
    llvm::Type* type = operands.front()->getType();
    const bool estimate = operation_.name.contains("14");
    if (operation_.name.starts_with("getmant")) operands.push_back(builder_.getInt32(kSignificand));
    if (operation_.name.starts_with("mantissa")) operands.push_back(builder_.getInt32(kMantissa));
    operands.push_back(llvm::Constant::getNullValue(type));
    operands.push_back(llvm::Constant::getAllOnesValue(builder_.getIntNTy(std::max(pieces_.lanes(), 8U))));
    if (full && !estimate) operands.push_back(builder_.getInt32(kCurrentRounding));
    return builder_.CreateIntrinsic(id, {}, operands);
  }

  /// The index is the low bits of each lane's high word, so that one permutation finds the high words of all lanes.
  Value* lookup_of_words(unsigned p) {
    auto* words = llvm::FixedVectorType::get(builder_.getInt32Ty(), 2 * pieces_.lanes());
    auto* whole = llvm::FixedVectorType::get(call_.getType()->getScalarType(), pieces_.lanes());
    llvm::SmallVector<int> both, blend, apart;
    llvm::SmallVector<llvm::Constant*> upper;
    for (unsigned n = 0; n < words->getNumElements(); ++n) {
      both.push_back(static_cast<int>(n | 1U));
      blend.push_back(static_cast<int>(n % 2 == 0 ? n : words->getNumElements() + n));
      apart.push_back(static_cast<int>(2 * n % 8 + n / 4));
      upper.push_back(builder_.getInt32(n % 2 * 4));
    }
    Value* index = pieces_.part(call_.getArgOperand(call_.arg_size() - 1), p);
    index = builder_.CreateBitCast(index, words);
    if (operation_.name != "lookup8_h") index = builder_.CreateShuffleVector(index, both);
    if (operation_.name == "lookup4_d") {  // the low words are made the lower half of the table
      index = builder_.CreateOr(index, llvm::ConstantVector::get(upper));
      Value* table = builder_.CreateAlignedLoad(words, call_.getArgOperand(0), llvm::Align(8));
      table = builder_.CreateShuffleVector(table, apart);
      return builder_.CreateBitCast(builder_.CreateIntrinsic(operation_.half, {}, {table, index}), whole);
    }
    const auto found = [&](unsigned operand) -> Value* {
      Value* table = builder_.CreateAlignedLoad(words, call_.getArgOperand(operand), llvm::Align(4));
      return builder_.CreateIntrinsic(operation_.half, {}, {table, index});
    };
    Value* high = found(0);
    Value* low = operation_.name == "lookup8_d" ? found(1) : llvm::Constant::getNullValue(words);
    return builder_.CreateBitCast(builder_.CreateShuffleVector(low, high, blend), whole);
  }

  Value* lookup(unsigned p) {
    if (operation_.half == Intrinsic::x86_avx2_permd) return lookup_of_words(p);
    Value* table = call_.getArgOperand(0);
    llvm::Type* type = llvm::FixedVectorType::get(call_.getType()->getScalarType(), pieces_.lanes());
    const auto align = llvm::Align(call_.getType()->getScalarSizeInBits() / 8);
    Value* index = pieces_.part(call_.getArgOperand(1), p);
    Value* low = builder_.CreateAlignedLoad(type, table, align);
    if (operation_.is_plain()) return builder_.CreateIntrinsic(operation_.half, {}, {low, index});
    if (operation_.full == Intrinsic::x86_avx512_permvar_sf_512)
      return builder_.CreateIntrinsic(operation_.full, {}, {low, index});
    Value* next = builder_.CreateConstInBoundsGEP1_64(type, table, 1);
    Value* high = builder_.CreateAlignedLoad(type, next, align);
    return builder_.CreateIntrinsic(operation_.full, {}, {low, index, high});
  }

  llvm::CallInst& call_;
  const MachineOperation& operation_;
  llvm::IRBuilder<> builder_;
  RegisterPieces pieces_;
};

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

/// Operands of arithmetic that say how it rounds: down and up, without exceptions.
constexpr unsigned kDown = 1 | 8;
constexpr unsigned kUp = 2 | 8;

Value* lowered_operation(llvm::CallInst& call, llvm::StringRef name) {
  const auto* row = std::find_if(std::begin(kOperations), std::end(kOperations),
                                 [&](const MachineOperation& o) { return o.name == name; });
  return row == std::end(kOperations) ? nullptr : OperationLowering(call, *row).run();
}

Value* lowered_dot_product(llvm::CallInst& call, const DotProduct& dot, const llvm::TargetMachine& machine) {
  return DotProductLowering(call, machine).run(call, dot);
}

/// Rounded down and up. They are the same where the result is exact, but for a sum of opposite numbers, which is -0 and
/// +0, of which even encodings choose the latter.
Value* fused_to_odd(llvm::IRBuilderBase& b, Value* x, Value* y, Value* z) {
  RegisterPieces pieces(b, *x->getType(), kRegisterBits, kRegisterBits);
  llvm::SmallVector<Value*> results;
  for (unsigned p = 0; p < pieces.count(); ++p) {
    const auto rounded = [&](unsigned direction) {
      return b.CreateIntrinsic(Intrinsic::x86_avx512_vfmadd_ps_512, {},
                               {pieces.part(x, p), pieces.part(y, p), pieces.part(z, p), b.getInt32(direction)});
    };
    Value* low = rounded(kDown);
    Value* high = rounded(kUp);
    Value* bits = b.CreateBitCast(low, llvm::VectorType::getInteger(llvm::cast<llvm::VectorType>(low->getType())));
    Value* odd = b.CreateICmpNE(b.CreateAnd(bits, 1), llvm::Constant::getNullValue(bits->getType()));
    results.push_back(b.CreateSelect(odd, low, high));
  }
  return pieces.joined(results);
}

}  // namespace

const TargetOperations kX86Operations{&lowered_operation, &lowered_dot_product, &fused_to_odd};

}  // namespace lanewise
